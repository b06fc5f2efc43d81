// SPDX-License-Identifier: MIT OR Apache-2.0
//
// boost_controller: Runs the more critical half of the critical warps at 3x and the rest at 2x
// until the barrier. Lower counts are more critical, then lower warps; of an odd number the
// middle one gets 3x. A boosted warp that makes no progress for longer than cfg_time_limit
// cycles is stalled, not slow, and returns to nominal speed for the rest of the interval.
//
// Mechanism: Predicting Critical Warps in Near-Threshold GPGPU Applications using a Dynamic
// Choke Point Analysis (3.4 boosting phase).
// Built with warps = 16, count = 10.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/booster/boost_controller.rs by export-verilog; change it there.

`default_nettype none

module boost_controller (
  input  wire         clk_i,            // clock
  input  wire         rst_i,            // synchronous reset, active high
  input  wire         profile_valid_i,  // critical and count stand; each profile is used once
  input  wire  [15:0] critical_i,       // warps that lag, sampled as ranking starts
  input  wire [159:0] count_i,          // progress of warp i, held while it is ranked
  input  wire         finish_i,         // the barrier interval ends
  input  wire  [15:0] progress_i,       // warp i gets on: its execution time starts again
  input  wire   [9:0] cfg_time_limit_i, // longest execution time of a boosted warp, in cycles
  output wire         ranking_o,        // levels are being given out
  output wire  [15:0] boost_2x_o,       // warp i runs at twice its nominal speed
  output wire  [15:0] boost_3x_o,       // warp i runs at three times its nominal speed
  output wire  [31:0] switches_o,       // level switches of all warps since reset; wraps
  output reg          error_o           // the profile was withdrawn before the interval ended
);

  localparam [1:0] IDLE = 2'd0;
  localparam [1:0] RANK = 2'd1;
  localparam [1:0] BOOST = 2'd2;
  localparam [1:0] SPENT = 2'd3;
  localparam [4:0] NO_WARP = 5'd16;

  reg   [15:0] here;
  reg    [9:0] here_count;
  wire         candidate;
  wire         pick;
  wire         last_pick;
  reg   [15:0] chosen;
  reg   [15:0] stalled;
  reg   [15:0] boosted_next;
  wire  [15:0] changed;
  reg    [4:0] changes;
  reg    [1:0] state_d;
  reg    [1:0] state_q;
  wire  [15:0] boosted_d;
  reg   [15:0] boosted_q;
  wire  [31:0] switched_d;
  reg   [31:0] switched_q;
  reg   [15:0] triple_d;
  reg   [15:0] triple_q;
  reg  [159:0] time_d;
  reg  [159:0] time_q;
  reg   [15:0] waiting_d;
  reg   [15:0] waiting_q;
  reg    [4:0] warp_d;
  reg    [4:0] warp_q;
  reg    [4:0] seen_d;
  reg    [4:0] seen_q;
  reg    [4:0] picked_d;
  reg    [4:0] picked_q;
  reg   [15:0] slowest_d;
  reg   [15:0] slowest_q;
  reg    [9:0] slowest_count_d;
  reg    [9:0] slowest_count_q;

  // The warp whose turn it is; none in the last cycle of a pass.
  always @* begin : comb_here
    integer i;
    here = 16'd0;
    for (i = 0; i < 16; i = i + 1) begin
      here[i] = warp_q == i[4:0];
    end
  end

  always @* begin : comb_here_count
    integer i;
    here_count = 10'd0;
    for (i = 0; i < 16; i = i + 1) begin
      if (here[i]) begin
        here_count = here_count | count_i[i*10 +: 10];
      end
    end
  end

  assign candidate = |(here & waiting_q);

  // The slowest warp that still waits; the first one looked at wins a tie.
  always @* begin
    waiting_d = waiting_q;
    warp_d = warp_q;
    seen_d = seen_q;
    picked_d = picked_q;
    slowest_d = slowest_q;
    slowest_count_d = slowest_count_q;
    if (state_q == RANK) begin
      warp_d = warp_q + 5'd1;
      seen_d = seen_q + {4'd0, candidate};
      if (candidate & (!(|seen_q) | (here_count < slowest_count_q))) begin
        slowest_d = here;
        slowest_count_d = here_count;
      end
    end
    if (pick) begin
      warp_d = 5'd0;
      seen_d = 5'd0;
      picked_d = picked_q + 5'd1;
      waiting_d = waiting_q & ~chosen;
    end
    if (state_q == IDLE) begin
      waiting_d = critical_i;
      warp_d = 5'd0;
      seen_d = 5'd0;
      picked_d = 5'd0;
    end
  end

  // A pass ends with a pick for 3x; once no more are left than were picked, the rest go to 2x.
  assign pick = (state_q == RANK) & (warp_q == NO_WARP);
  assign last_pick = pick & (seen_q <= (picked_q + 5'd2));

  always @* begin
    chosen = 16'd0;
    if (pick & (|seen_q)) begin
      chosen = slowest_q;
    end
  end

  // A boosted warp without progress runs its time, then its boost is undone.
  always @* begin : comb_stalled
    integer i;
    stalled = 16'd0;
    for (i = 0; i < 16; i = i + 1) begin
      stalled[i] = boosted_q[i] & !progress_i[i] & (time_q[i*10 +: 10] >= cfg_time_limit_i);
    end
  end

  always @* begin : comb_time_d
    integer i;
    for (i = 0; i < 16; i = i + 1) begin
      time_d[i*10 +: 10] = 10'd0;
      if (boosted_q[i] & !progress_i[i] & !stalled[i]) begin
        time_d[i*10 +: 10] = time_q[i*10 +: 10] + 10'd1;
      end
    end
  end

  // A warp is boosted or not, at 3x or not: it cannot have two levels.
  always @* begin
    boosted_next = (boosted_q & ~stalled) | chosen;
    if (last_pick) begin
      boosted_next = boosted_next | waiting_q;
    end
    // Without a profile there is nothing to boost, whatever became of the barrier.
    if (finish_i | !profile_valid_i) begin
      boosted_next = 16'd0;
    end
  end

  assign boosted_d = boosted_next;

  always @* begin
    triple_d = triple_q | chosen;
    if (state_q == IDLE) begin
      triple_d = 16'd0;
    end
  end

  // While it is boosted a warp keeps its level, so only going up and down counts.
  assign changed = boosted_next ^ boosted_q;

  always @* begin : comb_changes
    integer i;
    changes = 5'd0;
    for (i = 0; i < 16; i = i + 1) begin
      changes = changes + {4'd0, changed[i]};
    end
  end

  assign switched_d = switched_q + {27'd0, changes};

  always @* begin
    error_o = 1'b0;
    if ((state_q == RANK) | (state_q == BOOST)) begin
      error_o = !profile_valid_i & !finish_i;
    end
  end

  always @* begin
    state_d = state_q;
    if (!profile_valid_i) begin
      state_d = IDLE;
    end else if (finish_i) begin
      state_d = SPENT;
    end else if (last_pick) begin
      state_d = BOOST;
    end else if (state_q == IDLE) begin
      state_d = RANK;
    end
  end

  assign ranking_o = state_q == RANK;
  assign boost_2x_o = boosted_q & ~triple_q;
  assign boost_3x_o = boosted_q & triple_q;
  assign switches_o = switched_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= 2'd0;
      boosted_q <= 16'd0;
      switched_q <= 32'd0;
    end else begin
      state_q <= state_d;
      boosted_q <= boosted_d;
      switched_q <= switched_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    triple_q <= triple_d; // valid_by boosted_q
    time_q <= time_d; // valid_by boosted_q
    waiting_q <= waiting_d; // valid_by state_q
    warp_q <= warp_d; // valid_by state_q
    seen_q <= seen_d; // valid_by state_q
    picked_q <= picked_d; // valid_by state_q
    slowest_q <= slowest_d; // valid_by seen_q
    slowest_count_q <= slowest_count_d; // valid_by seen_q
  end

endmodule

`default_nettype wire
