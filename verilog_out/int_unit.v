// SPDX-License-Identifier: MIT OR Apache-2.0
//
// int_unit: Answers every operation that needs no multiplier, within the cycle; any other gives
// 0. One adder adds, subtracts and compares; floats compare as integers do, but for signs,
// zeros and NaN.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (integer operations,
// comparisons, minimum and maximum).
// Exported from hw/src/reference/int_unit.rs by export-verilog; change it there.

`default_nettype none

module int_unit (
  input  wire  [5:0] op_i,        // operation code of the lane
  input  wire [31:0] operand_a_i, // first operand
  input  wire [31:0] operand_b_i, // second operand; of a shift the amount
  output reg  [31:0] result_o     // the result; of a comparison 0 or 1
);

  reg  [31:0] right;
  wire        subtract;
  wire [31:0] sum;
  wire [31:0] different;
  wire        float;
  wire        unsigned_order;
  wire        sign_a;
  wire        sign_b;
  wire        nan_a;
  wire        nan_b;
  wire        zeros;
  wire        same;
  reg         below;
  wire        equal;
  reg         holds;
  wire        take_a;
  reg  [31:0] extreme;
  wire        shifter_left;
  wire [31:0] shifter_shifted;

  barrel_shifter u_shifter (
    .value_i      (operand_a_i),
    .amount_i     (operand_b_i),
    .left_i       (shifter_left),
    .arithmetic_i (op_i[1]),
    .shifted_o    (shifter_shifted)
  );

  // The adder; all but an addition wants the difference.
  assign subtract = |op_i;

  always @* begin
    right = operand_b_i;
    if (subtract) begin
      right = ~operand_b_i;
    end
  end

  assign sum = operand_a_i + right + {31'd0, subtract};

  // The order of the operands, as what they are: codes with bit 4 set are of floats.
  assign float = op_i[4];
  assign unsigned_order = (!op_i[5] & op_i[1]) | (op_i[5] & op_i[3] & !op_i[4]);
  assign sign_a = operand_a_i[31];
  assign sign_b = operand_b_i[31];
  assign nan_a = float & (&operand_a_i[30:23]) & (|operand_a_i[22:0]);
  assign nan_b = float & (&operand_b_i[30:23]) & (|operand_b_i[22:0]);
  assign different = operand_a_i ^ operand_b_i;
  assign same = !(|different);
  assign zeros = float & !(|operand_a_i[30:0]) & !(|operand_b_i[30:0]);

  // With equal signs the difference has no overflow; of two negative floats it is turned.
  always @* begin
    if (different[31]) begin
      below = (unsigned_order & sign_b) | (!unsigned_order & sign_a);
    end else begin
      below = (sum[31] ^ (float & sign_a)) & !same;
    end
  end

  // A comparison: bit 0 less, bit 1 equal, bit 2 greater, bit 3 unordered.
  assign equal = same | zeros;

  always @* begin
    if (nan_a | nan_b) begin
      holds = op_i[3];
    end else if (equal) begin
      holds = op_i[1];
    end else if (below) begin
      holds = op_i[0];
    end else begin
      holds = op_i[2];
    end
  end

  // Minimum and, with bit 0, maximum: a number wins over NaN.
  assign take_a = nan_b | (!nan_a & (below ^ op_i[0]));

  always @* begin
    if (nan_a & nan_b) begin
      extreme = 32'h7fffffff;
    end else if (take_a) begin
      extreme = operand_a_i;
    end else begin
      extreme = operand_b_i;
    end
  end

  assign shifter_left = !op_i[0] & !op_i[1];

  // What was asked for.
  always @* begin
    result_o = 32'd0;
    if (op_i[5]) begin
      result_o[0] = holds;
    end else begin
      case (op_i)
        6'd0: result_o = sum;
        6'd1: result_o = sum;
        6'd4: result_o = operand_a_i & operand_b_i;
        6'd5: result_o = operand_a_i | operand_b_i;
        6'd6: result_o = different;
        6'd7: result_o = ~operand_a_i;
        6'd8: result_o = shifter_shifted;
        6'd9: result_o = shifter_shifted;
        6'd10: result_o = shifter_shifted;
        6'd12: result_o = extreme;
        6'd13: result_o = extreme;
        6'd14: result_o = extreme;
        6'd15: result_o = extreme;
        6'd20: result_o = extreme;
        6'd21: result_o = extreme;
        default: result_o = 32'd0;
      endcase
    end
  end

endmodule

`default_nettype wire
