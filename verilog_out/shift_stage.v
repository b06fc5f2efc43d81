// SPDX-License-Identifier: MIT OR Apache-2.0
//
// shift_stage: Takes a warp's operands from issue to the lanes that will execute them, in one
// cycle. A folded warp comes twice, sub-warp 0 first, under one tag. Sub-warp 1 of a warp that
// is not folded does not exist and is ignored.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (shifting stage).
// Built with variant = compact.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/shift_stage.rs by export-verilog; change it there.

`default_nettype none

module shift_stage (
  input  wire          clk_i,          // clock
  input  wire          rst_i,          // synchronous reset, active high
  input  wire          issue_valid_i,  // a warp or half-warp is issued in this cycle
  input  wire    [7:0] issue_tag_i,    // names the operation until its results are joined
  input  wire   [31:0] active_mask_i,  // lanes with an active thread
  input  wire          split_i,        // folding is on for this warp
  input  wire          sub_warp_i,     // which half is issued; 0 for a warp that is not folded
  input  wire [1023:0] operand_a_i,    // first operand of each lane
  input  wire [1023:0] operand_b_i,    // second operand of each lane
  input  wire [1023:0] operand_c_i,    // third operand of each lane
  input  wire   [31:0] operand_flag_i, // predicate, carry or select bit of each lane
  input  wire    [1:0] cfg_elision_i,  // when to cancel a fold, as in split_mask
  output wire          takes_two_o,    // the warp now offered is folded: sub-warp 1 must follow
  output wire          valid_o,        // operands are ready to execute
  output wire    [7:0] tag_o,          // tag of this operation
  output wire          folded_o,       // it is one half of a folded warp
  output wire          last_o,         // it is the second half
  output wire   [31:0] temp_mask_o,    // lanes of the warp that take part, for the re-shift stage
  output wire   [31:0] lane_mask_o,    // lanes that execute
  output wire [1023:0] shifted_a_o,    // first operand, by executing lane
  output wire [1023:0] shifted_b_o,    // second operand, by executing lane
  output wire [1023:0] shifted_c_o,    // third operand, by executing lane
  output wire   [31:0] shifted_flag_o  // flag, by executing lane
);

  wire   [31:0] moved_flag;
  wire   [31:0] splitter_temp_mask;
  wire          splitter_folded;
  wire   [31:0] shift_a_lane_mask;
  wire   [31:0] shift_b_lane_mask;
  wire   [31:0] shift_c_lane_mask;
  wire   [31:0] shift_flag_lane_mask;
  wire          held_valid_d;
  reg           held_valid_q;
  wire    [7:0] held_tag_d;
  reg     [7:0] held_tag_q;
  wire          held_folded_d;
  reg           held_folded_q;
  wire          held_last_d;
  reg           held_last_q;
  wire   [31:0] held_temp_mask_d;
  reg    [31:0] held_temp_mask_q;
  wire   [31:0] held_lane_mask_d;
  reg    [31:0] held_lane_mask_q;
  wire [1023:0] held_a_d;
  reg  [1023:0] held_a_q;
  wire [1023:0] held_b_d;
  reg  [1023:0] held_b_q;
  wire [1023:0] held_c_d;
  reg  [1023:0] held_c_q;
  wire   [31:0] held_flag_d;
  reg    [31:0] held_flag_q;

  split_mask u_splitter (
    .active_mask_i (active_mask_i),
    .split_i       (split_i),
    .sub_warp_i    (sub_warp_i),
    .cfg_elision_i (cfg_elision_i),
    .temp_mask_o   (splitter_temp_mask),
    .folded_o      (splitter_folded)
  );

  lane_shift u_shift_a (
    .temp_mask_i (splitter_temp_mask),
    .data_i      (operand_a_i),
    .lane_mask_o (shift_a_lane_mask),
    .shifted_o   (held_a_d)
  );

  lane_shift u_shift_b (
    .temp_mask_i (splitter_temp_mask),
    .data_i      (operand_b_i),
    .lane_mask_o (shift_b_lane_mask),
    .shifted_o   (held_b_d)
  );

  lane_shift u_shift_c (
    .temp_mask_i (splitter_temp_mask),
    .data_i      (operand_c_i),
    .lane_mask_o (shift_c_lane_mask),
    .shifted_o   (held_c_d)
  );

  lane_shift__width_1 u_shift_flag (
    .temp_mask_i (splitter_temp_mask),
    .data_i      (operand_flag_i),
    .lane_mask_o (shift_flag_lane_mask),
    .shifted_o   (moved_flag)
  );

  assign takes_two_o = splitter_folded;

  // Sub-warp 1 exists only in a folded warp.
  assign held_valid_d = issue_valid_i & (splitter_folded | !sub_warp_i);
  assign held_tag_d = issue_tag_i;
  assign held_folded_d = splitter_folded;
  assign held_last_d = splitter_folded & sub_warp_i;
  assign held_temp_mask_d = splitter_temp_mask;

  // A lane executes when all its operands are there. The four masks are equal, and synthesis
  // keeps one.
  assign held_lane_mask_d = shift_a_lane_mask
      & shift_b_lane_mask
      & shift_c_lane_mask
      & shift_flag_lane_mask;
  assign held_flag_d = moved_flag;

  // Next cycle, to the execution lanes.
  assign valid_o = held_valid_q;
  assign tag_o = held_tag_q;
  assign folded_o = held_folded_q;
  assign last_o = held_last_q;
  assign temp_mask_o = held_temp_mask_q;
  assign lane_mask_o = held_lane_mask_q;
  assign shifted_a_o = held_a_q;
  assign shifted_b_o = held_b_q;
  assign shifted_c_o = held_c_q;
  assign shifted_flag_o = held_flag_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      held_valid_q <= 1'b0;
    end else begin
      held_valid_q <= held_valid_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    held_tag_q <= held_tag_d; // valid_by held_valid_q
    held_folded_q <= held_folded_d; // valid_by held_valid_q
    held_last_q <= held_last_d; // valid_by held_valid_q
    held_temp_mask_q <= held_temp_mask_d; // valid_by held_valid_q
    held_lane_mask_q <= held_lane_mask_d; // valid_by held_valid_q
    held_a_q <= held_a_d; // valid_by held_valid_q
    held_b_q <= held_b_d; // valid_by held_valid_q
    held_c_q <= held_c_d; // valid_by held_valid_q
    held_flag_q <= held_flag_d; // valid_by held_valid_q
  end

endmodule

`default_nettype wire
