// SPDX-License-Identifier: MIT OR Apache-2.0
//
// fma_add: Adds the addend to the product, or subtracts it, and gives the magnitude of the
// result. A negative difference comes out inverted, that is one less than its magnitude;
// rounding makes up for it.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// addition).
// Exported from hw/src/reference/fma_add.rs by export-verilog; change it there.

`default_nettype none

module fma_add (
  input  wire [47:0] sum_i,       // one part of the product
  input  wire [41:0] carry_i,     // the other part, from column 6 on
  // the addend in its place; the product stands two bits above the right end
  input  wire [75:0] aligned_i,
  input  wire        sticky_i,    // the addend goes on below the adder
  input  wire        subtract_i,  // subtract the addend
  output reg  [75:0] magnitude_o, // the result, inverted if it is negative
  output wire        negative_o   // the addend was larger
);

  wire [75:0] product_sum;
  wire [75:0] product_carry;
  reg  [76:0] addend;
  wire [76:0] saved_sum;
  wire [75:0] majority;
  reg  [76:0] saved_carry;
  wire [76:0] total;

  assign product_sum = {28'd0, sum_i} << 7'd2;
  assign product_carry = {34'd0, carry_i} << 7'd8;

  always @* begin
    addend = {1'b0, aligned_i};
    if (subtract_i) begin
      addend = ~{1'b0, aligned_i};
    end
  end

  // Three rows become two.
  assign saved_sum = {1'b0, product_sum ^ product_carry} ^ addend;
  assign majority = (product_sum & product_carry)
      | (product_sum & addend[75:0])
      | (product_carry & addend[75:0]);

  // The one that completes a subtraction, unless what lies below the adder takes it.
  always @* begin
    saved_carry = {1'b0, majority} << 7'd1;
    saved_carry[0] = subtract_i & !sticky_i;
  end

  assign total = saved_sum + saved_carry;
  assign negative_o = total[76];

  always @* begin
    magnitude_o = total[75:0];
    if (total[76]) begin
      magnitude_o = ~total[75:0];
    end
  end

endmodule

`default_nettype wire
