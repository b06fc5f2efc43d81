// No request is granted before the wake-up delay, and a blackout never ends early.
//
// One lane is watched, any of the 32: `lane` is chosen freely and then kept. All inputs are free in every
// cycle, the configuration too: a lane goes by the settings it found when its wait began.

module lane_power_gate_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire [31:0] busy_i,
  input wire [31:0] request_i,
  input wire        eager_i,
  input wire  [2:0] cfg_idle_detect_i,
  input wire  [4:0] cfg_break_even_i,
  input wire  [3:0] cfg_wake_up_i,
  input wire        cfg_blackout_i
);

  wire [31:0] ready_o;
  wire [31:0] uncompensated_o;
  wire [31:0] compensated_o;
  wire [31:0] waking_o;

  lane_power_gate dut (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .busy_i            (busy_i),
    .request_i         (request_i),
    .eager_i           (eager_i),
    .cfg_idle_detect_i (cfg_idle_detect_i),
    .cfg_break_even_i  (cfg_break_even_i),
    .cfg_wake_up_i     (cfg_wake_up_i),
    .cfg_blackout_i    (cfg_blackout_i),
    .ready_o           (ready_o),
    .uncompensated_o   (uncompensated_o),
    .compensated_o     (compensated_o),
    .waking_o          (waking_o)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (started || rst_i);

  // The timers of the block, element k being bit k of every lane's: flattening joins the two wires.
  (* hierconn *)
  wire [159:0] \dut.timer_q ;
  wire [31:0] timer_0, timer_1, timer_2, timer_3, timer_4;
  assign {timer_4, timer_3, timer_2, timer_1, timer_0} = \dut.timer_q ;

  reg [4:0] lane;
  always @(posedge clk_i) lane <= lane;

  wire ready = ready_o[lane];
  wire uncompensated = uncompensated_o[lane];
  wire compensated = compensated_o[lane];
  wire waking = waking_o[lane];
  wire request = request_i[lane];
  wire gated = uncompensated | compensated;
  wire [5:0] timer = {
    1'b0, timer_4[lane], timer_3[lane], timer_2[lane], timer_1[lane], timer_0[lane]
  };

  // The cycle before this one.
  reg was_ready, was_gated, was_waking, was_requested, was_blackout;
  always @(posedge clk_i) begin
    was_ready <= rst_i | ready;
    was_gated <= ~rst_i & gated;
    was_waking <= ~rst_i & waking;
    was_requested <= request;
    was_blackout <= cfg_blackout_i;
  end

  // Gated cycles so far, this one included, and the break-even time found when the lane was gated.
  reg [5:0] gated_before;
  reg [5:0] break_even;
  wire [5:0] gated_for = gated_before + {5'd0, gated};
  always @(posedge clk_i) begin
    if (rst_i || ready) begin
      gated_before <= 6'd0;
      break_even <= (cfg_break_even_i == 5'd0) ? 6'd1 : {1'b0, cfg_break_even_i};
    end else if (gated_for != 6'd63) begin
      gated_before <= gated_for;
    end
  end

  // Waking cycles before this one, and the delay found when the request was taken.
  reg [4:0] waking_before;
  reg [4:0] wake_up;
  always @(posedge clk_i) begin
    if (rst_i || !waking) waking_before <= 5'd0;
    else if (waking_before != 5'd31) waking_before <= waking_before + 5'd1;
    if (rst_i || gated) wake_up <= {1'b0, cfg_wake_up_i};
  end

  always @* begin
    if (started) begin
      // A lane is in one state.
      assert ({2'd0, ready} + {2'd0, uncompensated} + {2'd0, compensated} + {2'd0, waking} == 3'd1);
      // It is gated only from On, and leaves only for a request.
      if (gated && !was_gated) assert (was_ready && !was_requested);
      if (was_gated && !gated) assert (was_requested);
      // The request is granted after the whole delay, and then at once.
      if (ready && was_gated) assert (wake_up == 5'd0);
      if (waking) assert (waking_before < wake_up);
      if (ready && was_waking) assert (waking_before == wake_up);
      // A blackout lasts for the break-even time.
      if (was_gated && !gated && was_blackout) assert (gated_before >= break_even);
      // Compensated begins when the break-even time is over.
      if (uncompensated) assert (gated_for <= break_even);
      if (compensated) assert (gated_for > break_even);
      // What holds in between: the timer knows how much of the wait is left.
      if (uncompensated) assert (gated_for + timer == break_even);
      else if (waking) assert (waking_before + timer[4:0] + 5'd1 == wake_up);
      else assert (timer == 6'd0);
      assert (break_even >= 6'd1 && break_even <= 6'd31 && wake_up <= 5'd15);
      assert (gated_before <= 6'd62);
    end
  end

endmodule
