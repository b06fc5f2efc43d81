// SPDX-License-Identifier: MIT OR Apache-2.0
//
// load_critical_path__ports_4: Measures the longest chain of load misses that follow one
// another, with one timestamp a miss. A timestamp holds the path at the start of the miss minus
// the cycle number, so that adding the cycle number at the end adds the length of the miss. In
// one cycle advance comes first, then ends, then starts, and no cycle is counted twice.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (3.6 hardware mechanism; 2.1
// critical path).
// Built with slots = 164, ports = 4, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/crisp/load_critical_path.rs by export-verilog; change it there.

`default_nettype none

module load_critical_path__ports_4 (
  input  wire        clk_i,         // clock
  input  wire        rst_i,         // synchronous reset, active high
  input  wire  [3:0] start_valid_i, // a miss starts on port p
  // its slot, free or freed in this cycle; anything else is ignored
  input  wire [31:0] start_slot_i,
  input  wire  [3:0] end_valid_i,   // a miss ends on port p; this is its last cycle
  input  wire [31:0] end_slot_i,    // its slot; ignored if no miss is in it
  // lengthen the path by this cycle; ignored with no miss outstanding
  input  wire        advance_i,
  output wire [31:0] t_lcp_o,       // length of the path in cycles
  output wire [31:0] cycles_o,      // cycles since reset
  // a miss is outstanding in this cycle, its first and last included
  output wire        outstanding_o,
  // cycles has wrapped since reset: the counters mean nothing any more
  output wire        overflow_o
);

  wire  [163:0] one;
  reg   [163:0] starts;
  reg   [163:0] ends;
  reg   [163:0] end_at;
  reg     [3:0] found;
  reg    [31:0] match_stamp;
  reg   [127:0] end_stamp;
  reg   [127:0] length;
  reg    [31:0] longest;
  wire   [31:0] first_cycle;
  wire   [31:0] new_stamp;
  wire  [163:0] busy_d;
  reg   [163:0] busy_q;
  wire  [163:0] stamp_write;
  wire   [31:0] stamp_d;
  reg  [5247:0] stamp_q;
  wire   [31:0] path_d;
  reg    [31:0] path_q;
  wire   [31:0] cycle_d;
  reg    [31:0] cycle_q;
  wire          wrapped_d;
  reg           wrapped_q;

  // Slots that a port names in this cycle, a bit each; beyond the last there is none.
  assign one = 164'd1;

  always @* begin : comb_starts
    integer p;
    starts = 164'd0;
    for (p = 0; p < 4; p = p + 1) begin
      if (start_valid_i[p]) begin
        starts = starts | (one << start_slot_i[p*8 +: 8]);
      end
    end
  end

  always @* begin : comb_ends
    integer p;
    ends = 164'd0;
    for (p = 0; p < 4; p = p + 1) begin
      end_at = 164'd0;
      if (end_valid_i[p]) begin
        end_at = one << end_slot_i[p*8 +: 8];
      end
      ends = ends | end_at;
      found[p] = |(end_at & busy_q);
    end
  end

  // A named slot that is not free has a miss outstanding too, so legality can wait.
  assign outstanding_o = |(busy_q | starts);

  // The timestamp of the miss that ends on each port: AND-OR, not a priority chain.
  always @* begin : comb_end_stamp
    integer i;
    integer p;
    i = 0;
    for (p = 0; p < 4; p = p + 1) begin
      end_stamp[p*32 +: 32] = 32'd0;
      match_stamp = 32'd0;
      // The test spares simulators the search in a cycle in which nothing ends.
      if (found[p]) begin
        for (i = 0; i < 164; i = i + 1) begin
          match_stamp = 32'd0;
          if (end_slot_i[p*8 +: 8] == i[7:0]) begin
            match_stamp = stamp_q[i*32 +: 32];
          end
          end_stamp[p*32 +: 32] = end_stamp[p*32 +: 32] | match_stamp;
        end
      end
    end
  end

  // This cycle is the last of a miss that ends, hence the 1.
  always @* begin : comb_length
    integer p;
    for (p = 0; p < 4; p = p + 1) begin
      length[p*32 +: 32] = end_stamp[p*32 +: 32] + cycle_q + 32'd1;
    end
  end

  always @* begin : comb_longest
    integer p;
    longest = path_q + {31'd0, advance_i & outstanding_o};
    for (p = 0; p < 4; p = p + 1) begin
      if (found[p] & (length[p*32 +: 32] > longest)) begin
        longest = length[p*32 +: 32];
      end
    end
  end

  assign path_d = longest;

  // The first cycle that a new miss adds: this one, unless the path has it already.
  assign first_cycle = cycle_q + {31'd0, longest != path_q};
  assign new_stamp = longest - first_cycle;
  assign busy_d = (busy_q & ~ends) | starts;
  assign stamp_write = starts & (ends | ~busy_q);
  assign stamp_d = new_stamp;
  assign cycle_d = cycle_q + 32'd1;
  assign wrapped_d = wrapped_q | (&cycle_q);
  assign t_lcp_o = path_q;
  assign cycles_o = cycle_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 164'd0;
      path_q <= 32'd0;
      cycle_q <= 32'd0;
      wrapped_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      path_q <= path_d;
      cycle_q <= cycle_d;
      wrapped_q <= wrapped_d;
    end
  end

  // Data without reset, written one by one: each means something only under its valid bit.
  always @(posedge clk_i) begin : write_stamp_q
    integer i;
    if (|stamp_write) begin
      for (i = 0; i < 164; i = i + 1) begin
        if (stamp_write[i]) begin
          stamp_q[i*32 +: 32] <= stamp_d; // valid_by busy_q
        end
      end
    end
  end

endmodule

`default_nettype wire
