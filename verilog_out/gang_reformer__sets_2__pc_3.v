// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_reformer__sets_2__pc_3: Finds gangs and single warps of one original gang that have met
// again, and proposes to merge them. look_set names the set to be shown in this cycle; it moves
// on unless a proposal was not taken. The lowest slice that has company leads. Waiting warps
// are held at a reconvergence point until their time is over or their gang is whole; bit i of
// hold's element s is slice s of set i.
//
// Mechanism: A Variable Warp Size Architecture (sections 4.5 and 6.4: gang reformation).
// Built with sets = 2, pc = 3.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_reformer.rs by export-verilog; change it there.

`default_nettype none

module gang_reformer__sets_2__pc_3 (
  input  wire        clk_i,           // clock
  input  wire        rst_i,           // synchronous reset, active high
  input  wire [31:0] gang_mask_i,     // GangMask of each way of look_set
  input  wire [11:0] gang_pc_i,       // their program counters
  input  wire  [3:0] gang_open_i,     // the way's gang may be merged
  input  wire  [7:0] single_mask_i,   // warps of look_set on their own
  input  wire [23:0] single_pc_i,     // their program counters
  input  wire  [7:0] single_open_i,   // the warp may be merged
  input  wire        merge_taken_i,   // the gang table carries the proposal out
  input  wire        sync_valid_i,    // warps reach a reconvergence point
  input  wire        sync_set_i,      // their set
  input  wire  [7:0] sync_mask_i,     // their slices
  input  wire        cfg_reform_i,    // gangs are reformed at all
  input  wire        cfg_merge_all_i, // merge all that have met, not two
  input  wire  [7:0] cfg_sync_wait_i, // cycles to wait at a reconvergence point
  output wire        look_set_o,      // set to be shown
  output wire        merge_valid_o,   // there is a proposal
  output reg   [3:0] merge_ways_o,    // gangs to merge
  output wire  [7:0] merge_singles_o, // single warps to merge
  output reg   [2:0] merge_pc_o,      // program counter that they share, 0 without a proposal
  output wire [15:0] hold_o           // warps that wait for company
);

  reg   [7:0] open;
  reg  [23:0] pc;
  reg  [63:0] mates;
  reg  [63:0] same;
  reg   [7:0] strangers;
  reg         found;
  reg         paired;
  reg   [7:0] merged;
  reg   [3:0] live;
  wire  [1:0] one;
  reg   [1:0] arrived;
  reg   [1:0] busy;
  reg   [1:0] running;
  reg   [1:0] over;
  wire  [1:0] start;
  reg   [1:0] borrow;
  reg  [15:0] count;
  reg  [15:0] stay;
  reg         turn_d;
  reg         turn_q;
  wire [15:0] waiting_d;
  reg  [15:0] waiting_q;
  wire [15:0] timer_d;
  reg  [15:0] timer_q;

  assign look_set_o = turn_q;

  // Per slice: where its warp is, with whom, and whether it may merge.
  always @* begin : comb_open
    integer w;
    open = single_mask_i & single_open_i;
    for (w = 0; w < 4; w = w + 1) begin
      if (gang_open_i[w]) begin
        open = open | gang_mask_i[w*8 +: 8];
      end
    end
  end

  always @* begin : comb_mates
    integer s;
    integer w;
    for (s = 0; s < 8; s = s + 1) begin
      mates[s*8 +: 8] = 8'd0;
      mates[s*9] = 1'b1;
      pc[s*3 +: 3] = single_pc_i[s*3 +: 3];
      for (w = 0; w < 4; w = w + 1) begin
        if (gang_mask_i[s + w*8]) begin
          mates[s*8 +: 8] = gang_mask_i[w*8 +: 8];
          pc[s*3 +: 3] = gang_pc_i[w*3 +: 3];
        end
      end
    end
  end

  // Row s: the open warps at the program counter of slice s.
  always @* begin : comb_same
    integer s;
    integer t;
    for (s = 0; s < 8; s = s + 1) begin
      same[s*8 +: 8] = 8'd0;
      for (t = 0; t < 8; t = t + 1) begin
        if (open[s] & open[t] & (pc[s*3 +: 3] == pc[t*3 +: 3])) begin
          same[s*8 + t] = 1'b1;
        end
      end
    end
  end

  // The lowest slice that meets a warp which is not its mate, and the lowest of those.
  always @* begin : comb_found
    integer s;
    integer t;
    t = 0;
    found = 1'b0;
    paired = 1'b0;
    merged = 8'd0;
    merge_pc_o = 3'd0;
    for (s = 0; s < 8; s = s + 1) begin
      strangers = same[s*8 +: 8] & ~mates[s*8 +: 8];
      if (cfg_reform_i & (|strangers) & !found) begin
        found = 1'b1;
        merge_pc_o = pc[s*3 +: 3];
        merged = mates[s*8 +: 8];
        for (t = 0; t < 8; t = t + 1) begin
          if (strangers[t] & (cfg_merge_all_i | !paired)) begin
            paired = 1'b1;
            merged = merged | mates[t*8 +: 8];
          end
        end
      end
    end
  end

  assign merge_valid_o = found;
  assign merge_singles_o = merged & single_mask_i;

  always @* begin : comb_merge_ways_o
    integer w;
    merge_ways_o = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      merge_ways_o[w] = |(gang_mask_i[w*8 +: 8] & merged);
    end
  end

  always @* begin : comb_live
    integer w;
    live = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      live[w] = |gang_mask_i[w*8 +: 8];
    end
  end

  always @* begin
    turn_d = turn_q;
    if (!found | merge_taken_i) begin
      turn_d = turn_q + 1'b1;
    end
  end

  // Waiting ends when the time is over or the set in turn is one gang.
  assign one = 2'd1;

  always @* begin
    arrived = 2'd0;
    if (sync_valid_i & (|sync_mask_i) & (|cfg_sync_wait_i)) begin
      arrived = one << sync_set_i;
    end
  end

  always @* begin : comb_busy
    integer s;
    busy = 2'd0;
    for (s = 0; s < 8; s = s + 1) begin
      busy = busy | waiting_q[s*2 +: 2];
    end
  end

  always @* begin : comb_running
    integer k;
    running = 2'd0;
    for (k = 0; k < 7; k = k + 1) begin
      running = running | timer_q[k*2 + 2 +: 2];
    end
  end

  always @* begin
    over = busy & ~running;
    if ((|live) & !(|(live & (live - 4'd1))) & !(|single_mask_i)) begin
      over = over | (one << turn_q);
    end
  end

  always @* begin : comb_stay
    integer s;
    for (s = 0; s < 8; s = s + 1) begin
      stay[s*2 +: 2] = waiting_q[s*2 +: 2] & ~over;
      if (sync_mask_i[s]) begin
        stay[s*2 +: 2] = stay[s*2 +: 2] | arrived;
      end
    end
  end

  // The first to wait in a set starts its timer.
  assign start = arrived & (~busy | over);

  always @* begin : comb_borrow
    integer k;
    borrow = busy;
    for (k = 0; k < 8; k = k + 1) begin
      count[k*2 +: 2] = (timer_q[k*2 +: 2] ^ borrow) & ~over;
      if (cfg_sync_wait_i[k]) begin
        count[k*2 +: 2] = count[k*2 +: 2] | start;
      end
      borrow = borrow & ~timer_q[k*2 +: 2];
    end
  end

  assign hold_o = waiting_q;
  assign waiting_d = stay;
  assign timer_d = count;

  always @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= 1'b0;
      waiting_q <= 16'd0;
      timer_q <= 16'd0;
    end else begin
      turn_q <= turn_d;
      waiting_q <= waiting_d;
      timer_q <= timer_d;
    end
  end

endmodule

`default_nettype wire
