// When the profiler of four warps reports, its verdict is the definition, computed here in one go and
// so wide that nothing can overflow; no count exceeds the cycles of the window. Nothing is said about
// the registers inside: an interval, from its start to its report, reloads them all.

module warp_profiler_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire        start_i,
  input wire  [3:0] member_i,
  input wire  [2:0] window_i,
  input wire        finish_i,
  input wire  [3:0] issued_i,
  input wire  [3:0] load_done_i,
  input wire  [3:0] exited_i,
  input wire  [5:0] cfg_r_squared_i
);

  wire        profiling;
  wire  [3:0] hold;
  wire        valid;
  wire  [3:0] critical;
  wire [11:0] count;
  wire        error;

  warp_profiler__warps_4__count_3 dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .start_i         (start_i),
    .member_i        (member_i),
    .window_i        (window_i),
    .finish_i        (finish_i),
    .issued_i        (issued_i),
    .load_done_i     (load_done_i),
    .exited_i        (exited_i),
    .cfg_r_squared_i (cfg_r_squared_i),
    .profiling_o     (profiling),
    .hold_o          (hold),
    .valid_o         (valid),
    .critical_o      (critical),
    .count_o         (count),
    .error_o         (error)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (started || rst_i);

  // What the interval was started with, the scope that is left of it, and its age in cycles.
  reg [3:0] scope;
  reg [5:0] r_squared;
  reg [2:0] window;
  reg [4:0] age;
  reg       running;
  always @(posedge clk_i) begin
    if (rst_i) running <= 1'b0;
    else if (start_i && (member_i != 4'd0)) begin
      running <= 1'b1;
      scope <= member_i;
      r_squared <= cfg_r_squared_i;
      window <= (window_i == 3'd0) ? 3'd1 : window_i;
      age <= 5'd0;
    end else begin
      if (finish_i) running <= 1'b0;
      if (profiling) scope <= scope & ~exited_i;
      if (age != 5'd31) age <= age + 5'd1;
    end
  end

  wire [15:0] c0 = scope[0] ? {13'd0, count[2:0]} : 16'd0;
  wire [15:0] c1 = scope[1] ? {13'd0, count[5:3]} : 16'd0;
  wire [15:0] c2 = scope[2] ? {13'd0, count[8:6]} : 16'd0;
  wire [15:0] c3 = scope[3] ? {13'd0, count[11:9]} : 16'd0;
  wire [15:0] n = {15'd0, scope[0]} + {15'd0, scope[1]} + {15'd0, scope[2]} + {15'd0, scope[3]};
  wire [15:0] s = c0 + c1 + c2 + c3;
  wire [15:0] v = n * (c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3) - s * s;
  wire [15:0] limit = {10'd0, r_squared} * v;
  wire [15:0] g0 = s - n * c0;
  wire [15:0] g1 = s - n * c1;
  wire [15:0] g2 = s - n * c2;
  wire [15:0] g3 = s - n * c3;
  wire [3:0] lags;
  assign lags[0] = scope[0] && (n * c0 < s) && (16'd16 * g0 * g0 > limit);
  assign lags[1] = scope[1] && (n * c1 < s) && (16'd16 * g1 * g1 > limit);
  assign lags[2] = scope[2] && (n * c2 < s) && (16'd16 * g2 * g2 > limit);
  assign lags[3] = scope[3] && (n * c3 < s) && (16'd16 * g3 * g3 > limit);

  always @* if (started) begin
    // 16 cycles after the window, and no sooner or later.
    assert (profiling == (running && (age < {2'd0, window})));
    assert (valid == (running && (age >= {2'd0, window} + 5'd16)));
    if (valid) assert (critical == lags);
    if (profiling) begin
      assert (count[2:0] <= age[2:0]);
      assert (count[5:3] <= age[2:0]);
      assert (count[8:6] <= age[2:0]);
      assert (count[11:9] <= age[2:0]);
    end else assert (hold == 4'd0);
    assert (error == (start_i && (member_i == 4'd0)));
  end

endmodule
