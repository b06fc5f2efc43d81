// Four warps, any profile: no warp has two levels; only warps that were critical are boosted, each at
// most once an interval; the slower half of them, rounded up, gets 3x and the rest 2x; no boost outlives
// its limit or the barrier; every switch is counted. Counts are held as the profiler holds them.

module boost_controller_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire        profile_valid_i,
  input wire  [3:0] critical_i,
  input wire [11:0] count_i,
  input wire        finish_i,
  input wire  [3:0] progress_i,
  input wire  [2:0] cfg_time_limit_i
);

  wire       ranking;
  wire [3:0] boost_2x;
  wire [3:0] boost_3x;
  wire [7:0] switches;
  wire       error;
  wire [3:0] boosted = boost_2x | boost_3x;

  boost_controller__warps_4__count_3 dut (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .profile_valid_i  (profile_valid_i),
    .critical_i       (critical_i),
    .count_i          (count_i),
    .finish_i         (finish_i),
    .progress_i       (progress_i),
    .cfg_time_limit_i (cfg_time_limit_i),
    .ranking_o        (ranking),
    .boost_2x_o       (boost_2x),
    .boost_3x_o       (boost_3x),
    .switches_o       (switches),
    .error_o          (error)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (started || rst_i);

  // The cycle before this one.
  reg        was_reset;
  reg        was_valid;
  reg        was_over;
  reg        was_ranking;
  reg  [3:0] was_boosted;
  reg  [3:0] was_critical;
  reg [11:0] was_count;
  reg  [7:0] was_switches;
  reg  [2:0] was_limit;
  always @(posedge clk_i) begin
    was_reset <= rst_i;
    was_valid <= profile_valid_i;
    was_over <= rst_i || finish_i || !profile_valid_i;
    was_ranking <= ranking && !rst_i;
    was_boosted <= boosted;
    was_critical <= critical_i;
    was_count <= count_i;
    was_switches <= switches;
    was_limit <= cfg_time_limit_i;
  end
  always @* if (started) begin
    assume (!(profile_valid_i && was_valid) || (count_i == was_count));
    assume ((boosted == 4'd0) || (cfg_time_limit_i == was_limit));
  end

  // The profile in use, the levels that warps have had under it, and how long it has been ranked.
  wire       first = ranking && !was_ranking;
  reg  [3:0] critical;
  reg [11:0] counts;
  reg  [3:0] had_2x;
  reg  [3:0] had_3x;
  reg  [3:0] had_cycles;
  wire [3:0] profile = first ? was_critical : critical;
  wire [11:0] count = first ? was_count : counts;
  wire [3:0] earlier = first ? 4'd0 : (had_2x | had_3x);
  wire [3:0] ever_2x = (first ? 4'd0 : had_2x) | boost_2x;
  wire [3:0] ever_3x = (first ? 4'd0 : had_3x) | boost_3x;
  wire [3:0] cycles = first ? 4'd0 : had_cycles;
  always @(posedge clk_i) begin
    critical <= profile;
    counts <= count;
    had_2x <= ever_2x;
    had_3x <= ever_3x;
    had_cycles <= cycles + {3'd0, cycles != 4'd15};
  end

  // The slower half: fewer than half of the critical warps come before.
  wire [2:0] c0 = count[2:0];
  wire [2:0] c1 = count[5:3];
  wire [2:0] c2 = count[8:6];
  wire [2:0] c3 = count[11:9];
  wire [3:0] before_0 = profile & {c3 < c0, c2 < c0, c1 < c0, 1'b0};
  wire [3:0] before_1 = profile & {c3 < c1, c2 < c1, 1'b0, c0 <= c1};
  wire [3:0] before_2 = profile & {c3 < c2, 1'b0, c1 <= c2, c0 <= c2};
  wire [3:0] before_3 = profile & {1'b0, c2 <= c3, c1 <= c3, c0 <= c3};
  wire [2:0] half = (profile[0] + profile[1] + profile[2] + profile[3] + 3'd1) >> 1;
  wire [3:0] slower_half;
  assign slower_half[0] = profile[0]
      && ((before_0[1] + before_0[2] + before_0[3] + 3'd0) < half);
  assign slower_half[1] = profile[1]
      && ((before_1[0] + before_1[2] + before_1[3] + 3'd0) < half);
  assign slower_half[2] = profile[2]
      && ((before_2[0] + before_2[1] + before_2[3] + 3'd0) < half);
  assign slower_half[3] = profile[3]
      && ((before_3[0] + before_3[1] + before_3[2] + 3'd0) < half);
  wire [3:0] moved = boosted ^ was_boosted;

  always @* if (started) begin
    assert ((boost_2x & boost_3x) == 4'd0);
    if (was_over) assert (boosted == 4'd0);
    if (first) assert (boosted == 4'd0);
    if (ranking) assert (cycles < 4'd10);
    if (ranking) assert (error == (!profile_valid_i && !finish_i));
    if (ranking || (boosted != 4'd0)) begin
      assert (((ever_2x | ever_3x) & ~profile) == 4'd0);
      assert ((ever_2x & ever_3x) == 4'd0);
      assert ((ever_3x & ~slower_half) == 4'd0);
      assert ((ever_2x & slower_half) == 4'd0);
      assert ((boosted & ~was_boosted & earlier) == 4'd0);
      if (!ranking) assert ((ever_2x | ever_3x) == profile);
    end
    if (!was_reset) assert (switches == was_switches + (moved[0] + moved[1] + moved[2] + moved[3] + 8'd0));
  end

  // Cycles without progress that a boosted warp has behind it.
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_warp
      reg [3:0] time_q;
      always @(posedge clk_i) begin
        if (!boosted[g] || progress_i[g]) time_q <= 4'd0;
        else if (time_q != 4'd15) time_q <= time_q + 4'd1;
      end
      always @* if (started && boosted[g]) assert (time_q <= {1'b0, was_limit});
    end
  endgenerate

endmodule
