// SPDX-License-Identifier: MIT OR Apache-2.0
//
// crisp_plus__warps_48: Keeps the counters from which crisp-plus predicts run time at another
// frequency: stalls, what the cycles of computation under a load issue, and what warps wait
// for. Until overflow stalls + idle_under_loads + single_under_loads <= active_cycles,
// blocked_cycles <= active_cycles and computing_warps <= live_warps. Reset it at the start of
// each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (ours, in place of 3.6: what warps
// wait for).
// Built with warps = 48, width = 32.
// Exported from hw/src/crisp/crisp_plus.rs by export-verilog; change it there.

`default_nettype none

module crisp_plus__warps_48 (
  input  wire        clk_i,                // clock
  input  wire        rst_i,                // synchronous reset, active high
  // a warp is resident; without one the cycle counts nothing
  input  wire        active_i,
  // instructions issued in this cycle: 0, 1 or 2; 3 counts as 2
  input  wire  [1:0] issued_i,
  // an L1 miss is outstanding, its first and last cycle included
  input  wire        load_outstanding_i,
  // the cycle is lost to a load; ignored with no miss outstanding
  input  wire        load_stall_i,
  // the cycle is lost to stores; ignored with a miss outstanding
  input  wire        store_stall_i,
  // the head of the load-store queue waits for the memory side
  input  wire        memory_blocked_i,
  input  wire [47:0] live_i,               // warp i has something to run and is not at a barrier
  // its next instruction waits for the pipeline; ignored if it is not live
  input  wire [47:0] computing_i,
  output wire [31:0] active_cycles_o,      // cycles with a warp
  output wire [31:0] stalls_o,             // of these, lost to loads or stores
  // of these, computation with a miss outstanding that issued nothing
  output wire [31:0] idle_under_loads_o,
  output wire [31:0] single_under_loads_o, // the same, that issued one instruction
  // of these, with the load-store queue waiting for the memory side
  output wire [31:0] blocked_cycles_o,
  output wire [31:0] live_warps_o,         // live warps, summed over cycles
  output wire [31:0] computing_warps_o,    // those that wait for the pipeline, summed over cycles
  // a counter has wrapped since reset: they mean nothing any more
  output wire        overflow_o
);

  wire        stalled;
  wire        computes;
  reg   [5:0] live_now;
  reg   [5:0] computing_now;
  wire [31:0] live_next;
  wire [31:0] cycle_count_d;
  reg  [31:0] cycle_count_q;
  wire [31:0] stall_count_d;
  reg  [31:0] stall_count_q;
  wire [31:0] idle_count_d;
  reg  [31:0] idle_count_q;
  wire [31:0] single_count_d;
  reg  [31:0] single_count_q;
  wire [31:0] blocked_count_d;
  reg  [31:0] blocked_count_q;
  wire [31:0] live_sum_d;
  reg  [31:0] live_sum_q;
  wire [31:0] computing_sum_d;
  reg  [31:0] computing_sum_q;
  wire        wrapped_d;
  reg         wrapped_q;

  // A stall with a miss outstanding is a load's, one without is a store's.
  assign stalled = (load_stall_i & load_outstanding_i) | (store_stall_i & !load_outstanding_i);
  assign computes = active_i & load_outstanding_i & !load_stall_i;
  assign cycle_count_d = cycle_count_q + {31'd0, active_i};
  assign stall_count_d = stall_count_q + {31'd0, active_i & stalled};
  assign idle_count_d = idle_count_q + {31'd0, computes & !issued_i[1] & !issued_i[0]};
  assign single_count_d = single_count_q + {31'd0, computes & !issued_i[1] & issued_i[0]};
  assign blocked_count_d = blocked_count_q + {31'd0, active_i & memory_blocked_i};

  // Warps are counted by a loop, from which synthesis makes a tree of adders.
  always @* begin : comb_live_now
    integer i;
    i = 0;
    live_now = 6'd0;
    computing_now = 6'd0;
    if (active_i) begin
      for (i = 0; i < 48; i = i + 1) begin
        live_now = live_now + {5'd0, live_i[i]};
        computing_now = computing_now + {5'd0, live_i[i] & computing_i[i]};
      end
    end
  end

  assign live_next = live_sum_q + {26'd0, live_now};
  assign live_sum_d = live_next;
  assign computing_sum_d = computing_sum_q + {26'd0, computing_now};

  // No counter is larger than that of the cycles or the sum of live warps.
  assign wrapped_d = wrapped_q | (active_i & (&cycle_count_q)) | (live_next < live_sum_q);
  assign active_cycles_o = cycle_count_q;
  assign stalls_o = stall_count_q;
  assign idle_under_loads_o = idle_count_q;
  assign single_under_loads_o = single_count_q;
  assign blocked_cycles_o = blocked_count_q;
  assign live_warps_o = live_sum_q;
  assign computing_warps_o = computing_sum_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      cycle_count_q <= 32'd0;
      stall_count_q <= 32'd0;
      idle_count_q <= 32'd0;
      single_count_q <= 32'd0;
      blocked_count_q <= 32'd0;
      live_sum_q <= 32'd0;
      computing_sum_q <= 32'd0;
      wrapped_q <= 1'b0;
    end else begin
      cycle_count_q <= cycle_count_d;
      stall_count_q <= stall_count_d;
      idle_count_q <= idle_count_d;
      single_count_q <= single_count_d;
      blocked_count_q <= blocked_count_d;
      live_sum_q <= live_sum_d;
      computing_sum_q <= computing_sum_d;
      wrapped_q <= wrapped_d;
    end
  end

endmodule

`default_nettype wire
