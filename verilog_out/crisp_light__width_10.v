// SPDX-License-Identifier: MIT OR Apache-2.0
//
// crisp_light__width_10: Keeps the counters of CRISP-L, which takes every cycle with a load
// outstanding for critical: no timestamps, three counters. Reset it at the start of each
// kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (5.3 simplified CRISP model
// (CRISP-L)).
// Built with width = 10.
// Exported from hw/src/crisp/crisp_light.rs by export-verilog; change it there.

`default_nettype none

module crisp_light__width_10 (
  input  wire       clk_i,              // clock
  input  wire       rst_i,              // synchronous reset, active high
  // an L1 miss is outstanding, its first and last cycle included
  input  wire       load_outstanding_i,
  // the cycle is lost to a load; ignored with no miss outstanding
  input  wire       load_stall_i,
  // the cycle is lost to stores; ignored with a miss outstanding
  input  wire       store_stall_i,
  output wire [9:0] lcp_o,              // cycles with a miss outstanding
  output wire [9:0] load_stalls_o,      // cycles lost to loads
  output wire [9:0] store_stalls_o,     // cycles lost to stores
  // a counter has wrapped since reset: they mean nothing any more
  output wire       overflow_o
);

  wire       counts_store;
  wire [9:0] path_d;
  reg  [9:0] path_q;
  wire [9:0] load_count_d;
  reg  [9:0] load_count_q;
  wire [9:0] store_count_d;
  reg  [9:0] store_count_q;
  wire       wrapped_d;
  reg        wrapped_q;

  assign counts_store = store_stall_i & !load_outstanding_i;
  assign path_d = path_q + {9'd0, load_outstanding_i};
  assign load_count_d = load_count_q + {9'd0, load_stall_i & load_outstanding_i};
  assign store_count_d = store_count_q + {9'd0, counts_store};

  // Load stalls are among the cycles of the path, which wraps first.
  assign wrapped_d = wrapped_q
      | (load_outstanding_i & (&path_q))
      | (counts_store & (&store_count_q));
  assign lcp_o = path_q;
  assign load_stalls_o = load_count_q;
  assign store_stalls_o = store_count_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      path_q <= 10'd0;
      load_count_q <= 10'd0;
      store_count_q <= 10'd0;
      wrapped_q <= 1'b0;
    end else begin
      path_q <= path_d;
      load_count_q <= load_count_d;
      store_count_q <= store_count_d;
      wrapped_q <= wrapped_d;
    end
  end

endmodule

`default_nettype wire
