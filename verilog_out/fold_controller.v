// SPDX-License-Identifier: MIT OR Apache-2.0
//
// fold_controller: Decides at each phase start what is folded and which warps go first, and
// keeps to it for the phase. The type with fewer waiting warps folds for the aggressive window
// from the phase's start, the other for the conservative one; neither does after a phase that
// issued cfg_adaptive_off or more. Each scheduler prefers its larger mask group, but never for
// more than cfg_max_phases phases on end.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (sections 3.1 to 3.3: folding
// policies, groups, forced switch).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/folding/fold_controller.rs by export-verilog; change it there.

`default_nettype none

module fold_controller (
  input  wire        clk_i,                   // clock
  input  wire        rst_i,                   // synchronous reset, active high
  // instructions issued in this cycle, 0 to 2; 3 is ignored
  input  wire  [1:0] issued_i,
  input  wire  [5:0] int_count_i,             // warps whose next instruction is INT
  input  wire  [5:0] fp_count_i,              // warps whose next instruction is FP
  input  wire  [9:0] full_count_i,            // waiting warps with a full mask, per scheduler
  input  wire  [9:0] partial_count_i,         // waiting warps with a partial mask, per scheduler
  input  wire  [9:0] cfg_phase_length_i,      // cycles of a phase; 0 acts as 1
  input  wire  [9:0] cfg_fold_aggressive_i,   // cycles of a phase in which the minority type folds
  input  wire  [9:0] cfg_fold_conservative_i, // cycles of a phase in which the majority type folds
  // issues in a phase that switch folding off in the next
  input  wire [10:0] cfg_adaptive_off_i,
  // phases on one group before a switch is forced; 0 acts as 1
  input  wire  [2:0] cfg_max_phases_i,
  output wire        phase_start_o,           // this cycle is the first of a phase
  output wire        fold_int_o,              // INT warps fold in this cycle
  output wire        fold_fp_o,               // FP warps fold in this cycle
  output wire        majority_fp_o,           // FP is the majority type of this phase
  output wire  [1:0] group_full_o             // scheduler i prefers full masks in this phase
);

  wire  [9:0] elapsed;
  wire        last;
  reg  [10:0] issues;
  wire [10:0] issued_so_far;
  reg   [9:0] int_window;
  reg   [9:0] fp_window;
  reg   [5:0] spent;
  reg   [1:0] want_partial;
  reg   [1:0] switch;
  reg   [9:0] cycle_d;
  reg   [9:0] cycle_q;
  reg  [10:0] total_d;
  reg  [10:0] total_q;
  reg         off_d;
  reg         off_q;
  reg         more_fp_d;
  reg         more_fp_q;
  reg   [1:0] partial_d;
  reg   [1:0] partial_q;
  reg   [5:0] phases_d;
  reg   [5:0] phases_q;

  // At least, not equal: a phase that is shortened under way ends at once.
  assign elapsed = cycle_q + 10'd1;
  assign last = elapsed >= cfg_phase_length_i;

  always @* begin
    issues = 11'd0;
    if (issued_i != 2'd3) begin
      issues = {9'd0, issued_i};
    end
  end

  assign issued_so_far = total_q + issues;

  always @* begin
    off_d = off_q;
    more_fp_d = more_fp_q;
    cycle_d = elapsed;
    total_d = issued_so_far;
    if (last) begin
      cycle_d = 10'd0;
      total_d = 11'd0;
      off_d = issued_so_far >= cfg_adaptive_off_i;
      more_fp_d = fp_count_i > int_count_i;
    end
  end

  // Phases on the present group when this one ends.
  always @* begin : comb_spent
    integer i;
    for (i = 0; i < 2; i = i + 1) begin
      spent[i*3 +: 3] = phases_q[i*3 +: 3] + 3'd1;
    end
  end

  // The larger group is next, but one that has had its phases yields whatever the counts say.
  always @* begin : comb_want_partial
    integer i;
    want_partial = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      want_partial[i] = full_count_i[i*5 +: 5] < partial_count_i[i*5 +: 5];
    end
  end

  always @* begin : comb_switch
    integer i;
    switch = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      switch[i] = (want_partial[i] ^ partial_q[i]) | (spent[i*3 +: 3] >= cfg_max_phases_i);
    end
  end

  always @* begin : comb_phases_d
    integer i;
    for (i = 0; i < 2; i = i + 1) begin
      phases_d[i*3 +: 3] = phases_q[i*3 +: 3];
      if (last) begin
        phases_d[i*3 +: 3] = spent[i*3 +: 3];
        if (switch[i]) begin
          phases_d[i*3 +: 3] = 3'd0;
        end
      end
    end
  end

  always @* begin
    partial_d = partial_q;
    if (last) begin
      partial_d = partial_q ^ switch;
    end
  end

  // The rarer type can spare the lanes for longer.
  always @* begin
    int_window = cfg_fold_conservative_i;
    fp_window = cfg_fold_aggressive_i;
    if (more_fp_q) begin
      int_window = cfg_fold_aggressive_i;
      fp_window = cfg_fold_conservative_i;
    end
  end

  assign fold_int_o = !off_q & (cycle_q < int_window);
  assign fold_fp_o = !off_q & (cycle_q < fp_window);
  assign phase_start_o = cycle_q == 10'd0;
  assign majority_fp_o = more_fp_q;
  assign group_full_o = ~partial_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      cycle_q <= 10'd0;
      total_q <= 11'd0;
      off_q <= 1'b0;
      more_fp_q <= 1'b0;
      partial_q <= 2'd0;
      phases_q <= 6'd0;
    end else begin
      cycle_q <= cycle_d;
      total_q <= total_d;
      off_q <= off_d;
      more_fp_q <= more_fp_d;
      partial_q <= partial_d;
      phases_q <= phases_d;
    end
  end

endmodule

`default_nettype wire
