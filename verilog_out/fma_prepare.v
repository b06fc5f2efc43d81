// SPDX-License-Identifier: MIT OR Apache-2.0
//
// fma_prepare: Turns add, subtract, multiply and fused multiply-add into one form, a product
// and an addend: a + b is a * 1 + b, and a * b is a * b + (-0). The addend starts 50 bits to
// the left of the product's lowest bit and moves right by shift_o.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// operands, exponents, signs and special cases).
// Exported from hw/src/reference/fma_prepare.rs by export-verilog; change it there.

`default_nettype none

module fma_prepare (
  input  wire  [1:0] kind_i,         // 0 add, 1 subtract, 2 multiply, 3 fused multiply-add
  input  wire [31:0] operand_a_i,    // first operand
  input  wire [31:0] operand_b_i,    // second operand
  input  wire [31:0] operand_c_i,    // third operand
  output wire [23:0] multiplicand_o, // first factor
  output wire [23:0] multiplier_o,   // second factor
  output wire [23:0] addend_o,       // what is added to the product
  output reg   [6:0] shift_o,        // how far the addend moves right
  output reg   [8:0] exponent_o,     // biased exponent of the adder's leftmost bit
  output reg         sign_o,         // sign of the product, or of an infinite result
  output wire        subtract_o,     // the addend is to be subtracted from the product
  output wire        nan_o,          // the result is not a number
  output wire        infinite_o      // the result is infinite, because an operand is
);

  wire  [9:0] product_exponent;
  wire  [9:0] distance;
  wire        stays;
  wire        product_sign;
  wire        opposite;
  wire        product_infinite;
  wire        product_zero;
  wire        invalid;
  wire        first_sign;
  wire  [7:0] first_exponent;
  wire [23:0] first_significand;
  wire        first_infinite;
  wire        first_nan;
  reg  [31:0] second_word;
  wire        second_sign;
  wire  [7:0] second_exponent;
  wire [23:0] second_significand;
  wire        second_infinite;
  wire        second_nan;
  reg  [31:0] third_word;
  wire        third_sign;
  wire  [7:0] third_exponent;
  wire        third_infinite;
  wire        third_nan;

  float_unpack u_first (
    .word_i        (operand_a_i),
    .sign_o        (first_sign),
    .exponent_o    (first_exponent),
    .significand_o (first_significand),
    .infinite_o    (first_infinite),
    .nan_o         (first_nan)
  );

  float_unpack u_second (
    .word_i        (second_word),
    .sign_o        (second_sign),
    .exponent_o    (second_exponent),
    .significand_o (second_significand),
    .infinite_o    (second_infinite),
    .nan_o         (second_nan)
  );

  float_unpack u_third (
    .word_i        (third_word),
    .sign_o        (third_sign),
    .exponent_o    (third_exponent),
    .significand_o (addend_o),
    .infinite_o    (third_infinite),
    .nan_o         (third_nan)
  );

  always @* begin
    if (kind_i[1]) begin
      second_word = operand_b_i;
    end else begin
      second_word = 32'h3f800000;
    end
  end

  always @* begin
    case (kind_i)
      2'd0: third_word = operand_b_i;
      2'd1: third_word = operand_b_i ^ 32'h80000000;
      2'd2: third_word = 32'h80000000;
      default: third_word = operand_c_i;
    endcase
  end

  assign multiplicand_o = first_significand;
  assign multiplier_o = second_significand;

  // Where the addend would start if the product had its exponent: 924 is -100.
  assign product_exponent = {2'd0, first_exponent} + {2'd0, second_exponent} + 10'h39c;
  assign distance = product_exponent - {2'd0, third_exponent};
  assign product_zero = !(|first_significand) | !(|second_significand);
  assign stays = product_zero | distance[9];

  always @* begin
    if (stays) begin
      shift_o = 7'd0;
      exponent_o = {1'b0, third_exponent};
    end else begin
      shift_o = distance[6:0];
      if (|distance[8:7]) begin
        shift_o = 7'h7f;
      end
      exponent_o = product_exponent[8:0];
    end
  end

  assign product_sign = first_sign ^ second_sign;
  assign opposite = product_sign ^ third_sign;
  assign product_infinite = first_infinite | second_infinite;
  assign invalid = first_nan
      | second_nan
      | third_nan
      | (product_infinite & (product_zero | (third_infinite & opposite)));
  assign nan_o = invalid;
  assign infinite_o = (product_infinite | third_infinite) & !invalid;
  assign subtract_o = opposite & !product_infinite & !third_infinite;

  always @* begin
    if (third_infinite & !product_infinite) begin
      sign_o = third_sign;
    end else begin
      sign_o = product_sign;
    end
  end

endmodule

`default_nettype wire
