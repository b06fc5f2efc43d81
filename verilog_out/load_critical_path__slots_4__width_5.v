// SPDX-License-Identifier: MIT OR Apache-2.0
//
// load_critical_path__slots_4__width_5: Measures the longest chain of load misses that follow
// one another, with one timestamp a miss. A timestamp holds the path at the start of the miss
// minus the cycle number, so that adding the cycle number at the end adds the length of the
// miss. In one cycle advance comes first, then ends, then starts, and no cycle is counted
// twice.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (3.6 hardware mechanism; 2.1
// critical path).
// Built with slots = 4, ports = 2, width = 5.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/crisp/load_critical_path.rs by export-verilog; change it there.

`default_nettype none

module load_critical_path__slots_4__width_5 (
  input  wire       clk_i,         // clock
  input  wire       rst_i,         // synchronous reset, active high
  input  wire [1:0] start_valid_i, // a miss starts on port p
  // its slot, free or freed in this cycle; anything else is ignored
  input  wire [5:0] start_slot_i,
  input  wire [1:0] end_valid_i,   // a miss ends on port p; this is its last cycle
  input  wire [5:0] end_slot_i,    // its slot; ignored if no miss is in it
  // lengthen the path by this cycle; ignored with no miss outstanding
  input  wire       advance_i,
  output wire [4:0] t_lcp_o,       // length of the path in cycles
  output wire [4:0] cycles_o,      // cycles since reset
  // a miss is outstanding in this cycle, its first and last included
  output reg        outstanding_o,
  // cycles has wrapped since reset: the counters mean nothing any more
  output wire       overflow_o
);

  reg   [3:0] starts;
  reg   [3:0] ends;
  reg   [1:0] found;
  reg   [4:0] match_stamp;
  reg   [9:0] end_stamp;
  reg   [9:0] length;
  reg   [4:0] longest;
  wire  [4:0] first_cycle;
  wire  [4:0] new_stamp;
  reg   [3:0] busy_d;
  reg   [3:0] busy_q;
  reg  [19:0] stamp_d;
  reg  [19:0] stamp_q;
  wire  [4:0] path_d;
  reg   [4:0] path_q;
  wire  [4:0] cycle_d;
  reg   [4:0] cycle_q;
  wire        wrapped_d;
  reg         wrapped_q;

  // Slots that a port names in this cycle.
  always @* begin : comb_starts
    integer i;
    integer p;
    for (i = 0; i < 4; i = i + 1) begin
      starts[i] = 1'b0;
      for (p = 0; p < 2; p = p + 1) begin
        if (start_valid_i[p] & (start_slot_i[p*3 +: 3] == i[2:0])) begin
          starts[i] = 1'b1;
        end
      end
    end
  end

  always @* begin : comb_ends
    integer i;
    integer p;
    for (i = 0; i < 4; i = i + 1) begin
      ends[i] = 1'b0;
      for (p = 0; p < 2; p = p + 1) begin
        if (end_valid_i[p] & (end_slot_i[p*3 +: 3] == i[2:0])) begin
          ends[i] = 1'b1;
        end
      end
    end
  end

  // A named slot that is not free has a miss outstanding too, so legality can wait.
  always @* begin : comb_outstanding_o
    integer i;
    outstanding_o = 1'b0;
    for (i = 0; i < 4; i = i + 1) begin
      outstanding_o = outstanding_o | busy_q[i] | starts[i];
    end
  end

  // The timestamp of the miss that ends on each port: AND-OR, not a priority chain.
  always @* begin : comb_found
    integer i;
    integer p;
    for (p = 0; p < 2; p = p + 1) begin
      found[p] = 1'b0;
      end_stamp[p*5 +: 5] = 5'd0;
      for (i = 0; i < 4; i = i + 1) begin
        match_stamp = 5'd0;
        if (busy_q[i] & end_valid_i[p] & (end_slot_i[p*3 +: 3] == i[2:0])) begin
          found[p] = 1'b1;
          match_stamp = stamp_q[i*5 +: 5];
        end
        end_stamp[p*5 +: 5] = end_stamp[p*5 +: 5] | match_stamp;
      end
    end
  end

  // This cycle is the last of a miss that ends, hence the 1.
  always @* begin : comb_length
    integer p;
    for (p = 0; p < 2; p = p + 1) begin
      length[p*5 +: 5] = end_stamp[p*5 +: 5] + cycle_q + 5'd1;
    end
  end

  always @* begin : comb_longest
    integer p;
    longest = path_q + {4'd0, advance_i & outstanding_o};
    for (p = 0; p < 2; p = p + 1) begin
      if (found[p] & (length[p*5 +: 5] > longest)) begin
        longest = length[p*5 +: 5];
      end
    end
  end

  assign path_d = longest;

  // The first cycle that a new miss adds: this one, unless the path has it already.
  assign first_cycle = cycle_q + {4'd0, longest != path_q};
  assign new_stamp = longest - first_cycle;

  always @* begin : comb_busy_d
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      busy_d[i] = busy_q[i];
      stamp_d[i*5 +: 5] = stamp_q[i*5 +: 5];
      if (ends[i]) begin
        busy_d[i] = 1'b0;
      end
      if (starts[i] & (ends[i] | !busy_q[i])) begin
        busy_d[i] = 1'b1;
        stamp_d[i*5 +: 5] = new_stamp;
      end
    end
  end

  assign cycle_d = cycle_q + 5'd1;
  assign wrapped_d = wrapped_q | (&cycle_q);
  assign t_lcp_o = path_q;
  assign cycles_o = cycle_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 4'd0;
      path_q <= 5'd0;
      cycle_q <= 5'd0;
      wrapped_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      path_q <= path_d;
      cycle_q <= cycle_d;
      wrapped_q <= wrapped_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    stamp_q <= stamp_d; // valid_by busy_q
  end

endmodule

`default_nettype wire
