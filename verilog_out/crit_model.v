// SPDX-License-Identifier: MIT OR Apache-2.0
//
// crit_model: Measures the longest chain of dependent load misses: the memory time of the CRIT
// model. Reset it at the start of each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (2.1 critical path (CRIT)).
// Built with slots = 164, ports = 2, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/crisp/crit_model.rs by export-verilog; change it there.

`default_nettype none

module crit_model (
  input  wire        clk_i,         // clock
  input  wire        rst_i,         // synchronous reset, active high
  input  wire  [1:0] start_valid_i, // a miss starts on port p
  // its slot, free or freed in this cycle; anything else is ignored
  input  wire [15:0] start_slot_i,
  input  wire  [1:0] end_valid_i,   // a miss ends on port p; this is its last cycle
  input  wire [15:0] end_slot_i,    // its slot; ignored if no miss is in it
  output wire [31:0] t_mem_o,       // length of the longest chain in cycles
  output wire [31:0] cycles_o,      // cycles since reset
  // a miss is outstanding in this cycle, its first and last included
  output wire        outstanding_o,
  // cycles has wrapped since reset: the counters mean nothing any more
  output wire        overflow_o
);

  load_critical_path u_path (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .start_valid_i (start_valid_i),
    .start_slot_i  (start_slot_i),
    .end_valid_i   (end_valid_i),
    .end_slot_i    (end_slot_i),
    .advance_i     (1'b0),
    .t_lcp_o       (t_mem_o),
    .cycles_o      (cycles_o),
    .outstanding_o (outstanding_o),
    .overflow_o    (overflow_o)
  );

endmodule

`default_nettype wire
