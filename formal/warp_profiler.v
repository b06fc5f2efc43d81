// The profiler of four warps: no count exceeds the cycles the window has been open, so that none can
// overflow; the window has its length and the verdict comes 16 cycles after it; a hold stays within the
// window and the scope. That the verdict is right is shown for every input by testbenches/tests.

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

  // What the interval was started with, and its age in cycles.
  reg [3:0] scope;
  reg [2:0] window;
  reg [4:0] age;
  reg       running;
  always @(posedge clk_i) begin
    if (rst_i) running <= 1'b0;
    else if (start_i && (member_i != 4'd0)) begin
      running <= 1'b1;
      scope <= member_i;
      window <= (window_i == 3'd0) ? 3'd1 : window_i;
      age <= 5'd0;
    end else begin
      if (finish_i) running <= 1'b0;
      if (age != 5'd31) age <= age + 5'd1;
    end
  end

  always @* if (started) begin
    // 16 cycles after the window, and no sooner or later.
    assert (profiling == (running && (age < {2'd0, window})));
    assert (valid == (running && (age >= {2'd0, window} + 5'd16)));
    if (profiling) begin
      assert (count[2:0] <= age[2:0]);
      assert (count[5:3] <= age[2:0]);
      assert (count[8:6] <= age[2:0]);
      assert (count[11:9] <= age[2:0]);
      assert ((hold & ~scope) == 4'd0);
    end else assert (hold == 4'd0);
    if (valid) begin
      assert (count[2:0] <= window);
      assert (count[5:3] <= window);
      assert (count[8:6] <= window);
      assert (count[11:9] <= window);
    end
    assert (error == (start_i && (member_i == 4'd0)));
  end

endmodule
