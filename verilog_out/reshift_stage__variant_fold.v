// SPDX-License-Identifier: MIT OR Apache-2.0
//
// reshift_stage__variant_fold: Takes results back to the lanes their operands came from, in one
// cycle. Results outside mask_o mean nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (re-shifting stage).
// Built with variant = fold.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/reshift_stage.rs by export-verilog; change it there.

`default_nettype none

module reshift_stage__variant_fold (
  input  wire          clk_i,            // clock
  input  wire          rst_i,            // synchronous reset, active high
  input  wire          execute_valid_i,  // results leave the execution lanes in this cycle
  input  wire    [7:0] execute_tag_i,    // tag of the operation
  input  wire          execute_folded_i, // it is one half of a folded warp
  input  wire          execute_last_i,   // it is the second half
  input  wire   [31:0] temp_mask_i,      // lanes of the warp that took part
  input  wire [1023:0] result_i,         // result of each executing lane
  input  wire   [31:0] result_flag_i,    // predicate or carry result of each executing lane
  output wire          valid_o,          // results are in place
  output wire    [7:0] tag_o,            // tag of the operation
  output wire          folded_o,         // it is one half of a folded warp
  output wire          last_o,           // it is the second half
  output wire   [31:0] mask_o,           // lanes of the warp that have a result
  output wire [1023:0] restored_o,       // result, by lane of the warp
  output wire   [31:0] restored_flag_o   // flag result, by lane of the warp
);

  wire   [31:0] moved_flag;
  wire          held_valid_d;
  reg           held_valid_q;
  wire    [7:0] held_tag_d;
  reg     [7:0] held_tag_q;
  wire          held_folded_d;
  reg           held_folded_q;
  wire          held_last_d;
  reg           held_last_q;
  wire   [31:0] held_mask_d;
  reg    [31:0] held_mask_q;
  wire [1023:0] held_result_d;
  reg  [1023:0] held_result_q;
  wire   [31:0] held_flag_d;
  reg    [31:0] held_flag_q;

  lane_reshift__variant_fold u_reshift (
    .temp_mask_i (temp_mask_i),
    .lanes_i     (result_i),
    .restored_o  (held_result_d)
  );

  lane_reshift__variant_fold__width_1 u_reshift_flag (
    .temp_mask_i (temp_mask_i),
    .lanes_i     (result_flag_i),
    .restored_o  (moved_flag)
  );

  assign held_valid_d = execute_valid_i;
  assign held_tag_d = execute_tag_i;
  assign held_folded_d = execute_folded_i;
  assign held_last_d = execute_last_i;
  assign held_mask_d = temp_mask_i;
  assign held_flag_d = moved_flag;

  // Next cycle, to the result collector.
  assign valid_o = held_valid_q;
  assign tag_o = held_tag_q;
  assign folded_o = held_folded_q;
  assign last_o = held_last_q;
  assign mask_o = held_mask_q;
  assign restored_o = held_result_q;
  assign restored_flag_o = held_flag_q;

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
    held_mask_q <= held_mask_d; // valid_by held_valid_q
    held_result_q <= held_result_d; // valid_by held_valid_q
    held_flag_q <= held_flag_d; // valid_by held_valid_q
  end

endmodule

`default_nettype wire
