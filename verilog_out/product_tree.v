// SPDX-License-Identifier: MIT OR Apache-2.0
//
// product_tree: Multiplies two words into a sum and a carry, of which the product is the sum:
// complete for operands below 2^24, else the low word. Thirty carry-save adders take three rows
// of partial products each and append two, oldest first.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (multiplier).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/reference/product_tree.rs by export-verilog; change it there.

`default_nettype none

module product_tree (
  input  wire [31:0] multiplicand_i, // first factor
  input  wire [31:0] multiplier_i,   // second factor
  output wire [47:0] sum_o,          // one part of the product
  output wire [41:0] carry_o         // the other part, from column 6 on
);

  reg  [2943:0] low;
  reg  [1471:0] high;
  reg   [959:0] low_carry;
  reg   [479:0] high_carry;

  // Rows 0 to 31: the multiplicand where the multiplier has a one.
  always @* begin : comb_low
    integer j;
    integer k;
    for (j = 0; j < 32; j = j + 1) begin
      low[j*32 +: 32] = 32'd0;
      high[j*16 +: 16] = 16'd0;
      if (multiplier_i[j]) begin
        low[j*32 +: 32] = multiplicand_i << j[4:0];
      end
    end
    // Columns from 32 on: of significands only, whose rows 0 to 8 do not reach so far.
    for (j = 0; j < 15; j = j + 1) begin
      if (multiplier_i[j + 9]) begin
        high[j*16 + 144 +: 16] = {1'b0, multiplicand_i[23:9]} >> (4'd14 - j[3:0]);
      end
    end
    // Each adder takes the three oldest rows and appends their sum and their carry.
    for (k = 0; k < 30; k = k + 1) begin
      low[k*64 + 1024 +: 32] = low[k*96 +: 32] ^ low[k*96 + 32 +: 32] ^ low[k*96 + 64 +: 32];
      low_carry[k*32 +: 32] = (low[k*96 +: 32] & low[k*96 + 32 +: 32])
          | (low[k*96 +: 32] & low[k*96 + 64 +: 32])
          | (low[k*96 + 32 +: 32] & low[k*96 + 64 +: 32]);
      low[k*64 + 1056 +: 32] = low_carry[k*32 +: 32] << 5'd1;
      high[k*32 + 512 +: 16] = high[k*48 +: 16] ^ high[k*48 + 16 +: 16] ^ high[k*48 + 32 +: 16];
      high_carry[k*16 +: 16] = (high[k*48 +: 16] & high[k*48 + 16 +: 16])
          | (high[k*48 +: 16] & high[k*48 + 32 +: 16])
          | (high[k*48 + 16 +: 16] & high[k*48 + 32 +: 16]);
      high[k*32 + 528 +: 16] = high_carry[k*16 +: 16] << 4'd1;
      high[k*32 + 528] = low_carry[k*32 + 31];
    end
  end

  // The two rows that are left; the carry row is empty below column 6.
  assign sum_o = ({32'd0, high[1455:1440]} << 6'd32)
      | {16'd0, low[2911:2880]}
      | {42'd0, low[2917:2912]};
  assign carry_o = ({26'd0, high[1471:1456]} << 6'd26) | {16'd0, low[2943:2918]};

endmodule

`default_nettype wire
