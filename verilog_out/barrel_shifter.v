// SPDX-License-Identifier: MIT OR Apache-2.0
//
// barrel_shifter: Shifts a word left or right by any amount: from 32 on nothing is left of it
// but the fill. To the left, the word goes through the right shifter turned around.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (integer shifts).
// Exported from hw/src/reference/barrel_shifter.rs by export-verilog; change it there.

`default_nettype none

module barrel_shifter (
  input  wire [31:0] value_i,      // the word
  input  wire [31:0] amount_i,     // positions; all 32 bits count
  input  wire        left_i,       // to the left; else to the right
  input  wire        arithmetic_i, // fill with the sign; ignored to the left
  output reg  [31:0] shifted_o     // the shifted word
);

  reg  [31:0] fill;
  reg  [31:0] start;
  reg  [31:0] by_1;
  reg  [31:0] by_2;
  reg  [31:0] by_4;
  reg  [31:0] by_8;
  reg  [31:0] by_16;
  reg  [31:0] clamped;

  always @* begin
    fill = 32'd0;
    if (arithmetic_i & !left_i & value_i[31]) begin
      fill = 32'hffffffff;
    end
  end

  always @* begin : comb_start
    integer i;
    start = value_i;
    if (left_i) begin
      for (i = 0; i < 32; i = i + 1) begin
        start[i] = value_i[-i + 31];
      end
    end
  end

  always @* begin
    by_1 = start;
    if (amount_i[0]) begin
      by_1 = (start >> 5'd1) | (fill & 32'h80000000);
    end
  end

  always @* begin
    by_2 = by_1;
    if (amount_i[1]) begin
      by_2 = (by_1 >> 5'd2) | (fill & 32'hc0000000);
    end
  end

  always @* begin
    by_4 = by_2;
    if (amount_i[2]) begin
      by_4 = (by_2 >> 5'd4) | (fill & 32'hf0000000);
    end
  end

  always @* begin
    by_8 = by_4;
    if (amount_i[3]) begin
      by_8 = (by_4 >> 5'd8) | (fill & 32'hff000000);
    end
  end

  always @* begin
    by_16 = by_8;
    if (amount_i[4]) begin
      by_16 = (by_8 >> 5'd16) | (fill & 32'hffff0000);
    end
  end

  always @* begin
    clamped = by_16;
    if (|amount_i[31:5]) begin
      clamped = fill;
    end
  end

  always @* begin : comb_shifted_o
    integer i;
    shifted_o = clamped;
    if (left_i) begin
      for (i = 0; i < 32; i = i + 1) begin
        shifted_o[i] = clamped[-i + 31];
      end
    end
  end

endmodule

`default_nettype wire
