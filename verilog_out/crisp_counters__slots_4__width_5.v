// SPDX-License-Identifier: MIT OR Apache-2.0
//
// crisp_counters__slots_4__width_5: Keeps the three counters from which CRISP predicts run time
// at another frequency: the adjusted load critical path, load stalls and store stalls. Until
// overflow load_stalls <= t_lcp and t_lcp + store_stalls <= cycles. Reset it at the start of
// each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (3.6 hardware mechanism and
// overhead).
// Built with slots = 4, ports = 2, width = 5.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/crisp/crisp_counters.rs by export-verilog; change it there.

`default_nettype none

module crisp_counters__slots_4__width_5 (
  input  wire       clk_i,          // clock
  input  wire       rst_i,          // synchronous reset, active high
  input  wire [1:0] start_valid_i,  // a miss starts on port p
  // its slot, free or freed in this cycle; anything else is ignored
  input  wire [5:0] start_slot_i,
  input  wire [1:0] end_valid_i,    // a miss ends on port p; this is its last cycle
  input  wire [5:0] end_slot_i,     // its slot; ignored if no miss is in it
  input  wire       load_stall_i,   // the cycle is lost to a load; ignored with no miss outstanding
  input  wire       store_stall_i,  // the cycle is lost to stores; ignored with a miss outstanding
  output wire [4:0] t_lcp_o,        // adjusted load critical path
  output wire [4:0] load_stalls_o,  // cycles lost to loads
  output wire [4:0] store_stalls_o, // cycles lost to stores
  output wire [4:0] cycles_o,       // cycles since reset
  // a miss is outstanding in this cycle, its first and last included
  output wire       outstanding_o,
  // cycles has wrapped since reset: the counters mean nothing any more
  output wire       overflow_o
);

  wire [4:0] load_count_d;
  reg  [4:0] load_count_q;
  wire [4:0] store_count_d;
  reg  [4:0] store_count_q;

  load_critical_path__slots_4__width_5 u_path (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .start_valid_i (start_valid_i),
    .start_slot_i  (start_slot_i),
    .end_valid_i   (end_valid_i),
    .end_slot_i    (end_slot_i),
    .advance_i     (load_stall_i),
    .t_lcp_o       (t_lcp_o),
    .cycles_o      (cycles_o),
    .outstanding_o (outstanding_o),
    .overflow_o    (overflow_o)
  );

  // A stall with a miss outstanding is a load's, one without is a store's.
  assign load_count_d = load_count_q + {4'd0, load_stall_i & outstanding_o};
  assign store_count_d = store_count_q + {4'd0, store_stall_i & !outstanding_o};
  assign load_stalls_o = load_count_q;
  assign store_stalls_o = store_count_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      load_count_q <= 5'd0;
      store_count_q <= 5'd0;
    end else begin
      load_count_q <= load_count_d;
      store_count_q <= store_count_d;
    end
  end

endmodule

`default_nettype wire
