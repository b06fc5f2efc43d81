// SPDX-License-Identifier: MIT OR Apache-2.0
//
// simt_lane: Executes one 32-bit integer or single-precision operation a cycle, each in six
// cycles. Floats round to nearest, ties to even; every NaN result is 0x7fffffff.
// docs/blocks/simt_lane.md lists the operation codes; a reserved one starts nothing.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (the whole lane).
// Built with subnormals = full.
// Exported from hw/src/reference/simt_lane.rs by export-verilog; change it there.

`default_nettype none

module simt_lane (
  input  wire        clk_i,         // clock
  input  wire        rst_i,         // synchronous reset, active high
  input  wire        issue_valid_i, // an operation starts in this cycle
  input  wire  [7:0] issue_tag_i,   // names the operation until its result is out
  input  wire  [5:0] op_i,          // what to do
  input  wire [31:0] operand_a_i,   // first operand
  input  wire [31:0] operand_b_i,   // second operand
  input  wire [31:0] operand_c_i,   // third operand
  output wire        valid_o,       // a result is there
  output wire  [7:0] tag_o,         // the tag it was issued with
  output wire [31:0] result_o       // the result; of a comparison 0 or 1
);

  localparam FLUSH = 1'b0;

  wire        reserved;
  wire        float;
  wire        product;
  wire        flushing;
  reg  [31:0] a;
  reg  [31:0] b;
  reg  [31:0] c;
  wire [31:0] int_unit_result;
  wire [23:0] prepare_multiplicand;
  wire [23:0] prepare_multiplier;
  wire [23:0] prepare_addend;
  wire        prepare_subtract;
  wire        coarse_zero;
  wire        valid_2_d;
  reg         valid_2_q;
  wire  [7:0] tag_2_d;
  reg   [7:0] tag_2_q;
  wire        float_2_d;
  reg         float_2_q;
  reg  [31:0] multiplicand_2_d;
  reg  [31:0] multiplicand_2_q;
  reg  [31:0] multiplier_2_d;
  reg  [31:0] multiplier_2_q;
  reg  [31:0] addend_2_d;
  reg  [31:0] addend_2_q;
  wire  [6:0] shift_2_d;
  reg   [6:0] shift_2_q;
  wire  [8:0] exponent_2_d;
  reg   [8:0] exponent_2_q;
  wire        sign_2_d;
  reg         sign_2_q;
  wire        subtract_2_d;
  reg         subtract_2_q;
  wire        nan_2_d;
  reg         nan_2_q;
  wire        infinite_2_d;
  reg         infinite_2_q;
  wire        valid_3_d;
  reg         valid_3_q;
  wire  [7:0] tag_3_d;
  reg   [7:0] tag_3_q;
  wire        float_3_d;
  reg         float_3_q;
  wire [47:0] sum_3_d;
  reg  [47:0] sum_3_q;
  wire [41:0] carry_3_d;
  reg  [41:0] carry_3_q;
  wire [75:0] aligned_3_d;
  reg  [75:0] aligned_3_q;
  wire        sticky_3_d;
  reg         sticky_3_q;
  wire  [8:0] room_3_d;
  reg   [8:0] room_3_q;
  wire        sign_3_d;
  reg         sign_3_q;
  wire        subtract_3_d;
  reg         subtract_3_q;
  wire        nan_3_d;
  reg         nan_3_q;
  wire        infinite_3_d;
  reg         infinite_3_q;
  wire        valid_4_d;
  reg         valid_4_q;
  wire  [7:0] tag_4_d;
  reg   [7:0] tag_4_q;
  wire        float_4_d;
  reg         float_4_q;
  wire [75:0] magnitude_4_d;
  reg  [75:0] magnitude_4_q;
  wire        negative_4_d;
  reg         negative_4_q;
  wire        sticky_4_d;
  reg         sticky_4_q;
  wire  [8:0] room_4_d;
  reg   [8:0] room_4_q;
  wire        sign_4_d;
  reg         sign_4_q;
  wire        subtract_4_d;
  reg         subtract_4_q;
  wire        nan_4_d;
  reg         nan_4_q;
  wire        infinite_4_d;
  reg         infinite_4_q;
  wire        valid_5_d;
  reg         valid_5_q;
  wire  [7:0] tag_5_d;
  reg   [7:0] tag_5_q;
  wire        float_5_d;
  reg         float_5_q;
  wire [41:0] window_5_d;
  reg  [41:0] window_5_q;
  wire        inexact_5_d;
  reg         inexact_5_q;
  wire        negative_5_d;
  reg         negative_5_q;
  wire  [8:0] room_5_d;
  reg   [8:0] room_5_q;
  wire        sign_5_d;
  reg         sign_5_q;
  wire        nan_5_d;
  reg         nan_5_q;
  wire        infinite_5_d;
  reg         infinite_5_q;
  wire        valid_6_d;
  reg         valid_6_q;
  wire  [7:0] tag_6_d;
  reg   [7:0] tag_6_q;
  wire        float_6_d;
  reg         float_6_q;
  wire [41:0] window_6_d;
  reg  [41:0] window_6_q;
  wire        inexact_6_d;
  reg         inexact_6_q;
  wire        negative_6_d;
  reg         negative_6_q;
  wire  [8:0] room_6_d;
  reg   [8:0] room_6_q;
  wire        sign_6_d;
  reg         sign_6_q;
  wire        nan_6_d;
  reg         nan_6_q;
  wire        infinite_6_d;
  reg         infinite_6_q;
  wire        valid_7_d;
  reg         valid_7_q;
  wire  [7:0] tag_7_d;
  reg   [7:0] tag_7_q;
  wire [31:0] result_7_d;
  reg  [31:0] result_7_q;

  int_unit u_int_unit (
    .op_i        (op_i),
    .operand_a_i (a),
    .operand_b_i (b),
    .result_o    (int_unit_result)
  );

  fma_prepare u_prepare (
    .kind_i         (op_i[1:0]),
    .operand_a_i    (a),
    .operand_b_i    (b),
    .operand_c_i    (c),
    .multiplicand_o (prepare_multiplicand),
    .multiplier_o   (prepare_multiplier),
    .addend_o       (prepare_addend),
    .shift_o        (shift_2_d),
    .exponent_o     (exponent_2_d),
    .sign_o         (sign_2_d),
    .subtract_o     (prepare_subtract),
    .nan_o          (nan_2_d),
    .infinite_o     (infinite_2_d)
  );

  product_tree u_tree (
    .multiplicand_i (multiplicand_2_q),
    .multiplier_i   (multiplier_2_q),
    .sum_o          (sum_3_d),
    .carry_o        (carry_3_d)
  );

  addend_align u_align (
    .float_i   (float_2_q),
    .addend_i  (addend_2_q),
    .shift_i   (shift_2_q),
    .aligned_o (aligned_3_d),
    .sticky_o  (sticky_3_d)
  );

  fma_add u_adder (
    .sum_i       (sum_3_q),
    .carry_i     (carry_3_q),
    .aligned_i   (aligned_3_q),
    .sticky_i    (sticky_3_q),
    .subtract_i  (subtract_3_q),
    .magnitude_o (magnitude_4_d),
    .negative_o  (negative_4_d)
  );

  normalise_coarse u_coarse (
    .float_i     (float_4_q),
    .magnitude_i (magnitude_4_q),
    .negative_i  (negative_4_q),
    .sticky_i    (sticky_4_q),
    .room_i      (room_4_q),
    .window_o    (window_5_d),
    .inexact_o   (inexact_5_d),
    .room_left_o (room_5_d),
    .zero_o      (coarse_zero)
  );

  normalise_fine u_fine (
    .float_i     (float_5_q),
    .window_i    (window_5_q),
    .negative_i  (negative_5_q),
    .room_i      (room_5_q),
    .shifted_o   (window_6_d),
    .room_left_o (room_6_d)
  );

  round_pack u_round (
    .float_i    (float_6_q),
    .window_i   (window_6_q),
    .inexact_i  (inexact_6_q),
    .negative_i (negative_6_q),
    .room_i     (room_6_q),
    .sign_i     (sign_6_q),
    .nan_i      (nan_6_q),
    .infinite_i (infinite_6_q),
    .result_o   (result_7_d)
  );

  // Stage 1. Codes 11 and 22 to 31 are reserved; bit 4 alone with bit 2 clear is a multiply-add
  // of floats.
  assign reserved = (op_i == 6'd11) | ((op_i[5:3] == 3'd2) & (&op_i[2:1])) | (op_i[5:3] == 3'd3);
  assign valid_2_d = issue_valid_i & !reserved;
  assign tag_2_d = issue_tag_i;
  assign float = op_i[5:2] == 4'd4;
  assign product = op_i[5:1] == 5'd1;

  // Where subnormals are flushed, operands read as floats lose them here.
  assign flushing = FLUSH & op_i[4];

  always @* begin
    a = operand_a_i;
    if (flushing & !(|operand_a_i[30:23])) begin
      a = operand_a_i & 32'h80000000;
    end
  end

  always @* begin
    b = operand_b_i;
    if (flushing & !(|operand_b_i[30:23])) begin
      b = operand_b_i & 32'h80000000;
    end
  end

  always @* begin
    c = operand_c_i;
    if (flushing & !(|operand_c_i[30:23])) begin
      c = operand_c_i & 32'h80000000;
    end
  end

  // An operation without product has one of zero, and its result for addend.
  assign float_2_d = float;

  always @* begin
    multiplicand_2_d = 32'd0;
    multiplier_2_d = 32'd0;
    addend_2_d = int_unit_result;
    if (float) begin
      multiplicand_2_d = {8'd0, prepare_multiplicand};
      multiplier_2_d = {8'd0, prepare_multiplier};
      addend_2_d = {8'd0, prepare_addend};
    end else if (product) begin
      multiplicand_2_d = operand_a_i;
      multiplier_2_d = operand_b_i;
      if (op_i[0]) begin
        addend_2_d = operand_c_i;
      end
    end
  end

  assign subtract_2_d = float & prepare_subtract;
  assign valid_3_d = valid_2_q;
  assign tag_3_d = tag_2_q;
  assign float_3_d = float_2_q;

  // The exponent is at least 1, and so much less one may the sum be shifted to the left.
  assign room_3_d = exponent_2_q - 9'd1;
  assign sign_3_d = sign_2_q;
  assign subtract_3_d = subtract_2_q;
  assign nan_3_d = nan_2_q;
  assign infinite_3_d = infinite_2_q;
  assign valid_4_d = valid_3_q;
  assign tag_4_d = tag_3_q;
  assign float_4_d = float_3_q;
  assign sticky_4_d = sticky_3_q;
  assign room_4_d = room_3_q;
  assign sign_4_d = sign_3_q;
  assign subtract_4_d = subtract_3_q;
  assign nan_4_d = nan_3_q;
  assign infinite_4_d = infinite_3_q;
  assign valid_5_d = valid_4_q;
  assign tag_5_d = tag_4_q;
  assign float_5_d = float_4_q;
  assign negative_5_d = negative_4_q;
  assign sign_5_d = (sign_4_q ^ negative_4_q) & !(subtract_4_q & coarse_zero);
  assign nan_5_d = nan_4_q;
  assign infinite_5_d = infinite_4_q;
  assign valid_6_d = valid_5_q;
  assign tag_6_d = tag_5_q;
  assign float_6_d = float_5_q;
  assign inexact_6_d = inexact_5_q;
  assign negative_6_d = negative_5_q;
  assign sign_6_d = sign_5_q;
  assign nan_6_d = nan_5_q;
  assign infinite_6_d = infinite_5_q;
  assign valid_7_d = valid_6_q;
  assign tag_7_d = tag_6_q;
  assign valid_o = valid_7_q;
  assign tag_o = tag_7_q;
  assign result_o = result_7_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_2_q <= 1'b0;
      valid_3_q <= 1'b0;
      valid_4_q <= 1'b0;
      valid_5_q <= 1'b0;
      valid_6_q <= 1'b0;
      valid_7_q <= 1'b0;
    end else begin
      valid_2_q <= valid_2_d;
      valid_3_q <= valid_3_d;
      valid_4_q <= valid_4_d;
      valid_5_q <= valid_5_d;
      valid_6_q <= valid_6_d;
      valid_7_q <= valid_7_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    tag_2_q <= tag_2_d; // valid_by valid_2_q
    float_2_q <= float_2_d; // valid_by valid_2_q
    multiplicand_2_q <= multiplicand_2_d; // valid_by valid_2_q
    multiplier_2_q <= multiplier_2_d; // valid_by valid_2_q
    addend_2_q <= addend_2_d; // valid_by valid_2_q
    shift_2_q <= shift_2_d; // valid_by valid_2_q
    exponent_2_q <= exponent_2_d; // valid_by valid_2_q
    sign_2_q <= sign_2_d; // valid_by valid_2_q
    subtract_2_q <= subtract_2_d; // valid_by valid_2_q
    nan_2_q <= nan_2_d; // valid_by valid_2_q
    infinite_2_q <= infinite_2_d; // valid_by valid_2_q
    tag_3_q <= tag_3_d; // valid_by valid_3_q
    float_3_q <= float_3_d; // valid_by valid_3_q
    sum_3_q <= sum_3_d; // valid_by valid_3_q
    carry_3_q <= carry_3_d; // valid_by valid_3_q
    aligned_3_q <= aligned_3_d; // valid_by valid_3_q
    sticky_3_q <= sticky_3_d; // valid_by valid_3_q
    room_3_q <= room_3_d; // valid_by valid_3_q
    sign_3_q <= sign_3_d; // valid_by valid_3_q
    subtract_3_q <= subtract_3_d; // valid_by valid_3_q
    nan_3_q <= nan_3_d; // valid_by valid_3_q
    infinite_3_q <= infinite_3_d; // valid_by valid_3_q
    tag_4_q <= tag_4_d; // valid_by valid_4_q
    float_4_q <= float_4_d; // valid_by valid_4_q
    magnitude_4_q <= magnitude_4_d; // valid_by valid_4_q
    negative_4_q <= negative_4_d; // valid_by valid_4_q
    sticky_4_q <= sticky_4_d; // valid_by valid_4_q
    room_4_q <= room_4_d; // valid_by valid_4_q
    sign_4_q <= sign_4_d; // valid_by valid_4_q
    subtract_4_q <= subtract_4_d; // valid_by valid_4_q
    nan_4_q <= nan_4_d; // valid_by valid_4_q
    infinite_4_q <= infinite_4_d; // valid_by valid_4_q
    tag_5_q <= tag_5_d; // valid_by valid_5_q
    float_5_q <= float_5_d; // valid_by valid_5_q
    window_5_q <= window_5_d; // valid_by valid_5_q
    inexact_5_q <= inexact_5_d; // valid_by valid_5_q
    negative_5_q <= negative_5_d; // valid_by valid_5_q
    room_5_q <= room_5_d; // valid_by valid_5_q
    sign_5_q <= sign_5_d; // valid_by valid_5_q
    nan_5_q <= nan_5_d; // valid_by valid_5_q
    infinite_5_q <= infinite_5_d; // valid_by valid_5_q
    tag_6_q <= tag_6_d; // valid_by valid_6_q
    float_6_q <= float_6_d; // valid_by valid_6_q
    window_6_q <= window_6_d; // valid_by valid_6_q
    inexact_6_q <= inexact_6_d; // valid_by valid_6_q
    negative_6_q <= negative_6_d; // valid_by valid_6_q
    room_6_q <= room_6_d; // valid_by valid_6_q
    sign_6_q <= sign_6_d; // valid_by valid_6_q
    nan_6_q <= nan_6_d; // valid_by valid_6_q
    infinite_6_q <= infinite_6_d; // valid_by valid_6_q
    tag_7_q <= tag_7_d; // valid_by valid_7_q
    result_7_q <= result_7_d; // valid_by valid_7_q
  end

endmodule

`default_nettype wire
