// SPDX-License-Identifier: MIT OR Apache-2.0
//
// normalise_coarse: Brings the leading one of a sum into the leftmost sixteen bits, as far as
// the exponent allows, and keeps the leftmost 42 bits and a sticky bit. An inverted sum has
// ones shifted in. An integer comes out in the low word of the window.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// normalisation by multiples of 16).
// Exported from hw/src/reference/normalise_coarse.rs by export-verilog; change it there.

`default_nettype none

module normalise_coarse (
  input  wire        float_i,     // the sum is a float's; else an integer's
  input  wire [75:0] magnitude_i, // the sum, inverted if it is negative
  input  wire        negative_i,  // it is inverted
  input  wire        sticky_i,    // there was more below it
  input  wire  [8:0] room_i,      // by how much it may be shifted before it is subnormal
  output wire [41:0] window_o,    // the leftmost bits after the shift
  output wire        inexact_o,   // there is more below them
  output wire  [8:0] room_left_o, // by how much it may still be shifted
  output wire        zero_o       // the sum is exactly zero
);

  reg  [75:0] ones;
  reg   [3:0] occupied;
  reg   [2:0] steps;
  reg  [75:0] shifted;
  reg  [33:0] rest;

  // Sixteen bits from the left that are not all zero, or at which the shift must end.
  always @* begin
    occupied = 4'd0;
    occupied[0] = (|magnitude_i[75:60]) | (room_i[8:4] == 5'd0);
    occupied[1] = (|magnitude_i[59:44]) | (room_i[8:4] == 5'd1);
    occupied[2] = (|magnitude_i[43:28]) | (room_i[8:4] == 5'd2);
    occupied[3] = (|magnitude_i[27:12]) | (room_i[8:4] == 5'd3);
  end

  always @* begin
    if (!float_i) begin
      steps = 3'd2;
    end else if (occupied[0]) begin
      steps = 3'd0;
    end else if (occupied[1]) begin
      steps = 3'd1;
    end else if (occupied[2]) begin
      steps = 3'd2;
    end else if (occupied[3]) begin
      steps = 3'd3;
    end else begin
      steps = 3'd4;
    end
  end

  assign room_left_o = room_i - ({6'd0, steps} << 4'd4);

  always @* begin
    ones = 76'd0;
    if (negative_i) begin
      ones = 76'hffffffffffffffff;
    end
  end

  always @* begin
    case (steps)
      3'd0: shifted = magnitude_i;
      3'd1: shifted = (magnitude_i << 7'd16) | (ones & 76'hffff);
      3'd2: shifted = (magnitude_i << 7'd32) | (ones & 76'hffffffff);
      3'd3: shifted = (magnitude_i << 7'd48) | (ones & 76'hffffffffffff);
      default: shifted = (magnitude_i << 7'd64) | ones;
    endcase
  end

  assign window_o = shifted[75:34];

  always @* begin
    rest = shifted[33:0];
    if (negative_i) begin
      rest = ~shifted[33:0];
    end
  end

  assign inexact_o = sticky_i | (|rest);
  assign zero_o = !(|magnitude_i) & !sticky_i;

endmodule

`default_nettype wire
