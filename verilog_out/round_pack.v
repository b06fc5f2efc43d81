// SPDX-License-Identifier: MIT OR Apache-2.0
//
// round_pack: Rounds a normalised sum to the nearest single, ties to even, and packs it;
// integers pass. What rounding carries out of the fraction raises the exponent. Every NaN is
// 0x7fffffff.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// rounding).
// Built with subnormals = full.
// Exported from hw/src/reference/round_pack.rs by export-verilog; change it there.

`default_nettype none

module round_pack (
  input  wire        float_i,    // the window is a float's; else an integer's, in the low word
  input  wire [41:0] window_i,   // the sum: 24 bits of significand, a rounding bit, and the rest
  input  wire        inexact_i,  // there is more below it
  input  wire        negative_i, // it is inverted
  input  wire  [8:0] room_i,     // biased exponent, less one; 0 for a subnormal
  input  wire        sign_i,     // sign of the result
  input  wire        nan_i,      // the result is not a number
  input  wire        infinite_i, // the result is infinite
  output reg  [31:0] result_o    // the result
);

  localparam FLUSH = 1'b0;

  reg  [16:0] rest;
  wire        below;
  wire        odd;
  wire        half;
  wire        carried;
  wire        up;
  reg   [7:0] exponent;
  wire        overflow;
  wire [30:0] rounded;

  // Whether anything is left below the rounding bit; in an inverted sum a zero is.
  always @* begin
    rest = window_i[16:0];
    if (negative_i) begin
      rest = ~window_i[16:0];
    end
  end

  assign below = (|rest) | inexact_i;
  assign carried = negative_i & !below;
  assign odd = window_i[18];
  assign half = window_i[17];
  assign up = (half & (odd | below | carried)) | (odd & carried);

  // Without a hidden bit the number is subnormal or zero.
  always @* begin
    exponent = 8'd0;
    if (window_i[41]) begin
      exponent = room_i[7:0] + 8'd1;
    end
  end

  assign rounded = (({23'd0, exponent} << 5'd23) | {8'd0, window_i[40:18]}) + {30'd0, up};

  // Too large before rounding, or by it.
  assign overflow = infinite_i | (&rounded[30:23]) | (window_i[41] & (room_i[8] | (&room_i[7:1])));

  always @* begin
    result_o = {1'b0, rounded};
    if (FLUSH & !(|rounded[30:23])) begin
      result_o = 32'd0;
    end
    if (overflow) begin
      result_o = 32'h7f800000;
    end
    result_o[31] = sign_i;
    if (nan_i) begin
      result_o = 32'h7fffffff;
    end
    if (!float_i) begin
      result_o = window_i[31:0];
    end
  end

endmodule

`default_nettype wire
