// SPDX-License-Identifier: MIT OR Apache-2.0
//
// addend_align: Puts the addend where it belongs in the 76-bit adder. A float's significand
// starts at the left end and moves right; what falls off is remembered as a sticky bit. An
// integer stands where the product stands, two bits above the right end.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// alignment).
// Exported from hw/src/reference/addend_align.rs by export-verilog; change it there.

`default_nettype none

module addend_align (
  // the addend is a float's significand, in the low 24 bits; else an integer
  input  wire        float_i,
  input  wire [31:0] addend_i,  // the addend
  input  wire  [6:0] shift_i,   // how far a significand moves right
  output reg  [75:0] aligned_o, // the addend in its place
  output wire        sticky_o   // a one fell off the right end
);

  wire [54:0] start;
  reg  [54:0] by_1;
  reg  [54:0] by_2;
  reg  [54:0] by_4;
  reg  [54:0] by_8;
  reg  [54:0] by_16;
  wire [75:0] wide;
  reg  [75:0] by_32;
  reg  [75:0] by_64;
  reg         lost_by_32;
  reg         lost_by_64;

  assign start = {31'd0, addend_i[23:0]} << 6'd31;

  always @* begin
    by_1 = start;
    if (shift_i[0]) begin
      by_1 = start >> 6'd1;
    end
  end

  always @* begin
    by_2 = by_1;
    if (shift_i[1]) begin
      by_2 = by_1 >> 6'd2;
    end
  end

  always @* begin
    by_4 = by_2;
    if (shift_i[2]) begin
      by_4 = by_2 >> 6'd4;
    end
  end

  always @* begin
    by_8 = by_4;
    if (shift_i[3]) begin
      by_8 = by_4 >> 6'd8;
    end
  end

  always @* begin
    by_16 = by_8;
    if (shift_i[4]) begin
      by_16 = by_8 >> 6'd16;
    end
  end

  // From here on ones can fall off the right end.
  assign wide = {21'd0, by_16} << 7'd21;

  always @* begin
    by_32 = wide;
    lost_by_32 = 1'b0;
    if (shift_i[5]) begin
      by_32 = wide >> 7'd32;
      lost_by_32 = |wide[31:0];
    end
  end

  always @* begin
    by_64 = by_32;
    lost_by_64 = 1'b0;
    if (shift_i[6]) begin
      by_64 = by_32 >> 7'd64;
      lost_by_64 = |by_32[63:0];
    end
  end

  always @* begin
    if (float_i) begin
      aligned_o = by_64;
    end else begin
      aligned_o = {44'd0, addend_i} << 7'd2;
    end
  end

  assign sticky_o = float_i & (lost_by_32 | lost_by_64);

endmodule

`default_nettype wire
