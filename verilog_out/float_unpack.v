// SPDX-License-Identifier: MIT OR Apache-2.0
//
// float_unpack: Takes a single-precision number apart. A subnormal has the exponent of the
// smallest normal numbers and no hidden bit: every finite number is significand x 2^(exponent -
// 150).
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (floating-point
// operands).
// Exported from hw/src/reference/float_unpack.rs by export-verilog; change it there.

`default_nettype none

module float_unpack (
  input  wire [31:0] word_i,        // the number
  output wire        sign_o,        // it is negative
  output reg   [7:0] exponent_o,    // biased exponent, at least 1
  output reg  [23:0] significand_o, // the fraction with its hidden bit
  output wire        infinite_o,    // it is infinite
  output wire        nan_o          // it is not a number
);

  wire hidden;
  wire whole;
  wire extreme;

  assign hidden = |word_i[30:23];
  assign whole = !(|word_i[22:0]);
  assign extreme = &word_i[30:23];
  assign sign_o = word_i[31];

  always @* begin
    exponent_o = word_i[30:23];
    if (!hidden) begin
      exponent_o = 8'd1;
    end
  end

  always @* begin
    significand_o = word_i[23:0];
    significand_o[23] = hidden;
  end

  assign infinite_o = whole & extreme;
  assign nan_o = !whole & extreme;

endmodule

`default_nettype wire
