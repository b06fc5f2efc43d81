// SPDX-License-Identifier: MIT OR Apache-2.0
//
// crisp_classifier: Tells whether a cycle is lost to a load miss, lost to stores, or, if
// neither, spent on computation. A cycle that stalls with both loads and stores outstanding is
// a load stall.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (3.5 parameterizing the model:
// identifying stalls).
// Exported from hw/src/crisp/crisp_classifier.rs by export-verilog; change it there.

`default_nettype none

module crisp_classifier (
  // instructions issued in this cycle: 0, 1 or 2; 3 counts as 2
  input  wire [1:0] issued_i,
  input  wire       control_hazard_i,        // a taken branch throws away what was fetched
  input  wire       bank_conflict_i,         // L1 or shared memory serialises an access
  // an L1 miss is outstanding: data, constant, texture or instruction
  input  wire       load_outstanding_i,
  input  wire       store_outstanding_i,     // a store is outstanding
  input  wire       fetch_stall_i,           // the front end waits for instructions
  input  wire       mshr_full_i,             // no miss register is free
  input  wire       lsq_full_i,              // the load-store queue is full
  // an instruction waits for the result of a memory operation
  input  wire       raw_memory_i,
  // an instruction waits for the result of an arithmetic operation
  input  wire       raw_arithmetic_i,
  input  wire       structural_arithmetic_i, // an instruction waits for an arithmetic unit
  output wire       load_stall_o,            // the cycle is lost to a load
  output wire       store_stall_o            // the cycle is lost to stores
);

  wire arithmetic;
  wire full;
  wire busy;
  wire may_stall;

  assign arithmetic = raw_arithmetic_i | structural_arithmetic_i;
  assign full = mshr_full_i | lsq_full_i;

  // One issue is busy only if arithmetic, not memory, kept the second slot empty.
  assign busy = issued_i[1] | (issued_i[0] & arithmetic);

  // (A) Branches and bank conflicts are resolved at the speed of the pipeline.
  assign may_stall = !(busy | control_hazard_i | bank_conflict_i);

  // (B) Waiting for memory outranks arithmetic, which outranks full queues and fetch.
  assign load_stall_o = may_stall
      & load_outstanding_i
      & (raw_memory_i | (!arithmetic & (full | fetch_stall_i)));

  // (C) Without a load, full queues mean stores; (D) all else is computation.
  assign store_stall_o = may_stall
      & !load_outstanding_i
      & full
      & (store_outstanding_i | fetch_stall_i);

endmodule

`default_nettype wire
