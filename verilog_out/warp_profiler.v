// SPDX-License-Identifier: MIT OR Apache-2.0
//
// warp_profiler: Tells which warps of a scope lag more than r standard deviations behind the
// mean, exactly and without a root or a divider. Completed loads are counted for a window of
// cycles; then, with n members, counts C, S = sum C and Q = sum C^2, a warp is critical if n C
// < S and (S - n C)^2 > r^2 (n Q - S^2). One warp a cycle passes the multiplier.
//
// Mechanism: Predicting Critical Warps in Near-Threshold GPGPU Applications using a Dynamic
// Choke Point Analysis (3.3 profiling phase, algorithm 1).
// Built with warps = 16, count = 10.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/booster/warp_profiler.rs by export-verilog; change it there.

`default_nettype none

module warp_profiler (
  input  wire         clk_i,           // clock
  input  wire         rst_i,           // synchronous reset, active high
  input  wire         start_i,         // a barrier interval starts; what is under way is dropped
  // with start: warps of the scope; ignored with error if there is none
  input  wire  [15:0] member_i,
  input  wire   [9:0] window_i,        // with start: cycles of the window; 0 acts as 1
  input  wire         finish_i,        // the barrier interval ends
  input  wire  [15:0] issued_i,        // warp i is issued in this cycle
  input  wire  [15:0] load_done_i,     // warp i completes a load in this cycle
  input  wire  [15:0] exited_i,        // warp i ends; within the window it leaves the scope
  input  wire   [7:0] cfg_r_squared_i, // with start: r^2 in sixteenths
  output wire         profiling_o,     // the window is open: members have equal priority
  output reg   [15:0] hold_o,          // warp i was issued in this window: do not schedule it again
  output wire         valid_o,         // the result stands
  output wire  [15:0] critical_o,      // warp i lags
  output wire [159:0] count_o,         // loads that warp i completed within the window
  output wire         error_o          // start without a member
);

  localparam [3:0] IDLE = 4'd0;
  localparam [3:0] OPEN = 4'd1;
  localparam [3:0] ADD = 4'd2;
  localparam [3:0] MEMBERS_LOW = 4'd3;
  localparam [3:0] MEMBERS_HIGH = 4'd4;
  localparam [3:0] SQUARE = 4'd5;
  localparam [3:0] SETTLE = 4'd6;
  localparam [3:0] RATIO_LOW = 4'd7;
  localparam [3:0] RATIO_HIGH = 4'd8;
  localparam [3:0] TEST = 4'd9;
  localparam [3:0] REPORT = 4'd10;
  localparam [4:0] NO_WARP = 5'd16;

  wire         accepted;
  reg          in_scope;
  reg    [9:0] progress;
  wire  [31:0] share;
  reg   [13:0] gap;
  wire  [31:0] spread;
  wire  [31:0] product;
  wire  [33:0] high_part;
  wire  [33:0] gap_squared;
  reg   [15:0] verdict;
  reg    [3:0] state_d;
  reg    [3:0] state_q;
  reg   [15:0] scope_d;
  reg   [15:0] scope_q;
  reg   [15:0] held_d;
  reg   [15:0] held_q;
  reg    [9:0] cycles_left_d;
  reg    [9:0] cycles_left_q;
  reg    [7:0] ratio_d;
  reg    [7:0] ratio_q;
  reg  [159:0] loads_d;
  reg  [159:0] loads_q;
  reg    [4:0] warp_d;
  reg    [4:0] warp_q;
  reg    [4:0] members_d;
  reg    [4:0] members_q;
  reg   [13:0] sum_d;
  reg   [13:0] sum_q;
  reg   [27:0] squares_d;
  reg   [27:0] squares_q;
  reg   [33:0] limit_d;
  reg   [33:0] limit_q;
  reg   [13:0] left_d;
  reg   [13:0] left_q;
  reg   [15:0] right_d;
  reg   [15:0] right_q;
  wire  [15:0] lagging_d;
  reg   [15:0] lagging_q;

  assign accepted = start_i & (|member_i);
  assign error_o = start_i & !(|member_i);

  // The steps in order; a pass ends one cycle after its last warp.
  always @* begin
    state_d = state_q;
    if (state_q == OPEN) begin
      if (cycles_left_q <= 10'd1) begin
        state_d = ADD;
      end
    end else if ((state_q == ADD) | (state_q == TEST)) begin
      if (warp_q == NO_WARP) begin
        state_d = state_q + 4'd1;
      end
    end else if ((state_q != IDLE) & (state_q != REPORT)) begin
      state_d = state_q + 4'd1;
    end
    if (accepted) begin
      state_d = OPEN;
    end else if (finish_i) begin
      state_d = IDLE;
    end
  end

  // The window: no more loads than cycles, so that a count cannot overflow.
  always @* begin
    scope_d = scope_q;
    held_d = held_q;
    cycles_left_d = cycles_left_q;
    ratio_d = ratio_q;
    if (state_q == OPEN) begin
      cycles_left_d = cycles_left_q - 10'd1;
      scope_d = scope_q & ~exited_i;
      held_d = held_q | (issued_i & scope_q);
    end
    if (accepted) begin
      cycles_left_d = window_i;
      scope_d = member_i;
      held_d = 16'd0;
      ratio_d = cfg_r_squared_i;
    end
  end

  always @* begin : comb_loads_d
    integer i;
    for (i = 0; i < 16; i = i + 1) begin
      loads_d[i*10 +: 10] = loads_q[i*10 +: 10];
      if (accepted) begin
        loads_d[i*10 +: 10] = 10'd0;
      end else if ((state_q == OPEN) & scope_q[i] & load_done_i[i]) begin
        loads_d[i*10 +: 10] = loads_q[i*10 +: 10] + 10'd1;
      end
    end
  end

  // The warp whose turn it is; nothing once all have had theirs.
  always @* begin : comb_in_scope
    integer i;
    in_scope = 1'b0;
    progress = 10'd0;
    for (i = 0; i < 16; i = i + 1) begin
      if ((warp_q == i[4:0]) & scope_q[i]) begin
        in_scope = 1'b1;
        progress = progress | loads_q[i*10 +: 10];
      end
    end
  end

  always @* begin
    warp_d = 5'd0;
    if (((state_q == ADD) | (state_q == TEST)) & (warp_q != NO_WARP)) begin
      warp_d = warp_q + 5'd1;
    end
  end

  // First stage: the operands. A warp not below the mean has no gap and cannot lag.
  assign share = {27'd0, members_q} * {22'd0, progress};

  always @* begin
    gap = 14'd0;
    if (in_scope & (share < {18'd0, sum_q})) begin
      gap = sum_q - share[13:0];
    end
  end

  assign spread = {4'd0, squares_q};

  always @* begin
    members_d = members_q;
    sum_d = sum_q;
    left_d = left_q;
    right_d = right_q;
    if (state_q == OPEN) begin
      left_d = 14'd0;
      members_d = 5'd0;
      sum_d = 14'd0;
    end else if (state_q == ADD) begin
      left_d = {4'd0, progress};
      right_d = {6'd0, progress};
      members_d = members_q + {4'd0, in_scope};
      sum_d = sum_q + {4'd0, progress};
    end else if (state_q == MEMBERS_LOW) begin
      left_d = {9'd0, members_q};
      right_d = spread[15:0];
    end else if (state_q == RATIO_LOW) begin
      left_d = {6'd0, ratio_q};
      right_d = spread[15:0];
    end else if ((state_q == MEMBERS_HIGH) | (state_q == RATIO_HIGH)) begin
      right_d = spread[31:16];
    end else if (state_q == SQUARE) begin
      left_d = sum_q;
      right_d = {2'd0, sum_q};
    end else if (state_q == TEST) begin
      left_d = gap;
      right_d = {2'd0, gap};
    end
  end

  // Second stage: what became of the operands of the cycle before.
  assign product = {18'd0, left_q} * {16'd0, right_q};
  assign high_part = {2'd0, product} << 6'd16;
  assign gap_squared = {2'd0, product} << 6'd4;

  always @* begin
    squares_d = squares_q;
    if (state_q == OPEN) begin
      squares_d = 28'd0;
    end else if (state_q == ADD) begin
      squares_d = squares_q + product[27:0];
    end else if (state_q == SETTLE) begin
      squares_d = limit_q[27:0] - product[27:0];
    end
  end

  always @* begin
    limit_d = limit_q;
    if ((state_q == MEMBERS_HIGH) | (state_q == RATIO_HIGH)) begin
      limit_d = {2'd0, product};
    end else if ((state_q == SQUARE) | ((state_q == TEST) & (warp_q == 5'd0))) begin
      limit_d = limit_q + high_part;
    end
  end

  always @* begin : comb_verdict
    integer i;
    verdict = lagging_q;
    for (i = 0; i < 16; i = i + 1) begin
      if ((state_q == TEST) & (warp_q == (i[4:0] + 5'd1))) begin
        verdict[i] = gap_squared > limit_q;
      end
    end
  end

  assign lagging_d = verdict;
  assign profiling_o = state_q == OPEN;

  always @* begin
    hold_o = 16'd0;
    if (profiling_o) begin
      hold_o = held_q;
    end
  end

  assign valid_o = state_q == REPORT;
  assign critical_o = lagging_q;
  assign count_o = loads_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= 4'd0;
    end else begin
      state_q <= state_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    scope_q <= scope_d; // valid_by state_q
    held_q <= held_d; // valid_by state_q
    cycles_left_q <= cycles_left_d; // valid_by state_q
    ratio_q <= ratio_d; // valid_by state_q
    loads_q <= loads_d; // valid_by state_q
    warp_q <= warp_d; // valid_by state_q
    members_q <= members_d; // valid_by state_q
    sum_q <= sum_d; // valid_by state_q
    squares_q <= squares_d; // valid_by state_q
    limit_q <= limit_d; // valid_by state_q
    left_q <= left_d; // valid_by state_q
    right_q <= right_d; // valid_by state_q
    lagging_q <= lagging_d; // valid_by state_q
  end

endmodule

`default_nettype wire
