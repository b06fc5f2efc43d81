// SPDX-License-Identifier: MIT OR Apache-2.0
//
// idle_counters: Tells for each lane whether it has idled for at least cfg_threshold cycles.
// Each lane has a 3-bit counter that an active cycle clears and that stops at 7; plane k of the
// counters holds bit k of every lane.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane power gating: idle
// detection).
// Exported from hw/src/gating/idle_counters.rs by export-verilog; change it there.

`default_nettype none

module idle_counters (
  input  wire        clk_i,           // clock
  input  wire        rst_i,           // synchronous reset, active high
  input  wire [31:0] active_i,        // lane i does work in this cycle
  input  wire  [2:0] cfg_threshold_i, // idle cycles that raise the flag; 0 raises it always
  output wire [31:0] idle_o           // lane i has idled for at least cfg_threshold cycles
);

  wire [31:0] step;
  reg  [31:0] limit_0;
  reg  [31:0] limit_1;
  reg  [31:0] limit_2;
  wire [31:0] count_0_d;
  reg  [31:0] count_0_q;
  wire [31:0] count_1_d;
  reg  [31:0] count_1_q;
  wire [31:0] count_2_d;
  reg  [31:0] count_2_q;

  // A lane counts unless it is active or already at 7.
  assign step = ~(count_0_q & count_1_q & count_2_q);
  assign count_0_d = (count_0_q ^ step) & ~active_i;
  assign count_1_d = (count_1_q ^ (step & count_0_q)) & ~active_i;
  assign count_2_d = (count_2_q ^ (step & count_0_q & count_1_q)) & ~active_i;

  // The threshold, one plane a bit, the same for every lane.
  always @* begin
    limit_0 = 32'd0;
    if (cfg_threshold_i[0]) begin
      limit_0 = 32'hffffffff;
    end
  end

  always @* begin
    limit_1 = 32'd0;
    if (cfg_threshold_i[1]) begin
      limit_1 = 32'hffffffff;
    end
  end

  always @* begin
    limit_2 = 32'd0;
    if (cfg_threshold_i[2]) begin
      limit_2 = 32'hffffffff;
    end
  end

  // count >= threshold, from the top bit down.
  assign idle_o = (count_2_q & ~limit_2)
      | (~(count_2_q ^ limit_2)
          & ((count_1_q & ~limit_1) | (~(count_1_q ^ limit_1) & (count_0_q | ~limit_0))));

  always @(posedge clk_i) begin
    if (rst_i) begin
      count_0_q <= 32'd0;
      count_1_q <= 32'd0;
      count_2_q <= 32'd0;
    end else begin
      count_0_q <= count_0_d;
      count_1_q <= count_1_d;
      count_2_q <= count_2_d;
    end
  end

endmodule

`default_nettype wire
