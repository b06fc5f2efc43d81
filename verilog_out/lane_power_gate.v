// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_power_gate: Cuts the supply of each idle lane and gives it back a wake-up delay after it
// is wanted. A lane is On, Uncompensated (gated, switching energy not yet earned back),
// Compensated or Waking; gated_q and late_q hold 00, 10, 11 and 01. A request to a gated lane
// in cycle t makes it ready in cycle t + 1 + cfg_wake_up. With cfg_blackout a lane stays gated
// for at least cfg_break_even cycles.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (sections 2.2 and 3.3: power
// gating, eager power gating).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gating/lane_power_gate.rs by export-verilog; change it there.

`default_nettype none

module lane_power_gate (
  input  wire        clk_i,             // clock
  input  wire        rst_i,             // synchronous reset, active high
  // an instruction is in the pipe of lane i; ignored unless the lane is ready
  input  wire [31:0] busy_i,
  input  wire [31:0] request_i,         // lane i is wanted
  // folding is on: lanes 2 and 3 of a cluster gate without the idle-detect wait
  input  wire        eager_i,
  input  wire  [2:0] cfg_idle_detect_i, // idle cycles to wait before gating
  input  wire  [4:0] cfg_break_even_i,  // cycles a lane stays Uncompensated; 0 acts as 1
  input  wire  [3:0] cfg_wake_up_i,     // cycles a lane stays Waking; 0 skips the state
  input  wire        cfg_blackout_i,    // a request does not end Uncompensated early
  output wire [31:0] ready_o,           // lane i is On
  // lane i is gated and the switching energy is not yet earned back
  output wire [31:0] uncompensated_o,
  output wire [31:0] compensated_o,     // lane i is gated and saves energy
  output wire [31:0] waking_o           // the supply of lane i is coming back
);

  reg  [191:0] borrow;
  wire  [31:0] expired;
  wire  [31:0] unused;
  reg   [31:0] eager_lanes;
  reg   [31:0] held;
  wire  [31:0] gate;
  wire  [31:0] wake;
  reg   [31:0] slow_wake;
  reg    [4:0] gate_length;
  reg    [4:0] wake_length;
  reg  [159:0] start;
  wire  [31:0] counters_active;
  wire  [31:0] counters_idle;
  wire  [31:0] gated_d;
  reg   [31:0] gated_q;
  wire  [31:0] late_d;
  reg   [31:0] late_q;
  reg  [159:0] timer_d;
  reg  [159:0] timer_q;

  idle_counters u_counters (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .active_i        (counters_active),
    .cfg_threshold_i (cfg_idle_detect_i),
    .idle_o          (counters_idle)
  );

  assign ready_o = ~gated_q & ~late_q;
  assign uncompensated_o = gated_q & ~late_q;
  assign compensated_o = gated_q & late_q;
  assign waking_o = ~gated_q & late_q;

  // A lane that is not On counts as active, so that it wakes with a clear idle counter.
  assign unused = ready_o & ~busy_i & ~request_i;
  assign counters_active = ~unused;

  // Folding leaves lanes 2 and 3 of each cluster unused for long: no need to observe first.
  always @* begin
    eager_lanes = 32'd0;
    if (eager_i) begin
      eager_lanes = 32'hcccccccc;
    end
  end

  assign gate = unused & (counters_idle | eager_lanes);

  // Borrow out of the planes below plane k, were one taken away; out of all: the timer is zero.
  always @* begin : comb_borrow
    integer k;
    borrow[31:0] = 32'hffffffff;
    for (k = 0; k < 5; k = k + 1) begin
      borrow[k*32 + 32 +: 32] = borrow[k*32 +: 32] & ~timer_q[k*32 +: 32];
    end
  end

  assign expired = borrow[191:160];

  // Blackout holds a lane until its break-even time is over.
  always @* begin
    held = 32'd0;
    if (cfg_blackout_i) begin
      held = uncompensated_o & ~expired;
    end
  end

  assign wake = request_i & gated_q & ~held;

  // A wake-up of no cycles goes straight to On.
  always @* begin
    slow_wake = 32'd0;
    if (|cfg_wake_up_i) begin
      slow_wake = wake;
    end
  end

  assign gated_d = gate | (gated_q & ~wake);
  assign late_d = slow_wake
      | (compensated_o & ~wake)
      | (uncompensated_o & expired & ~wake)
      | (waking_o & ~expired);

  // The timer counts a state's last cycle as zero.
  always @* begin
    gate_length = 5'd0;
    if (|cfg_break_even_i) begin
      gate_length = cfg_break_even_i - 5'd1;
    end
  end

  always @* begin
    wake_length = 5'd0;
    if (|cfg_wake_up_i) begin
      wake_length = {1'b0, cfg_wake_up_i} - 5'd1;
    end
  end

  always @* begin : comb_start
    integer k;
    for (k = 0; k < 5; k = k + 1) begin
      start[k*32 +: 32] = 32'd0;
      if (gate_length[k]) begin
        start[k*32 +: 32] = gate;
      end
      if (wake_length[k]) begin
        start[k*32 +: 32] = start[k*32 +: 32] | wake;
      end
    end
  end

  // Lanes that enter a timed state load its length, the others count down and stop at zero.
  always @* begin : comb_timer_d
    integer k;
    for (k = 0; k < 5; k = k + 1) begin
      timer_d[k*32 +: 32] = start[k*32 +: 32]
          | ((timer_q[k*32 +: 32] ^ (borrow[k*32 +: 32] & ~expired)) & ~(gate | wake));
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      gated_q <= 32'd0;
      late_q <= 32'd0;
      timer_q <= 160'd0;
    end else begin
      gated_q <= gated_d;
      late_q <= late_d;
      timer_q <= timer_d;
    end
  end

endmodule

`default_nettype wire
