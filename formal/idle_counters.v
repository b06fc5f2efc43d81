// An idle flag is high exactly when its lane has idled for at least cfg_threshold cycles.

module idle_counters_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire [31:0] active_i,
  input wire  [2:0] cfg_threshold_i
);

  wire [31:0] idle;

  idle_counters dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .active_i        (active_i),
    .cfg_threshold_i (cfg_threshold_i),
    .idle_o          (idle)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (started || rst_i);

  // The number of idle cycles before this one, per lane, up to the largest threshold.
  genvar g;
  generate
    for (g = 0; g < 32; g = g + 1) begin : g_lane
      reg [2:0] run;
      always @(posedge clk_i) begin
        if (rst_i || active_i[g]) run <= 3'd0;
        else if (run != 3'd7) run <= run + 3'd1;
      end
      always @* if (started) assert (idle[g] == (run >= cfg_threshold_i));
    end
  endgenerate

endmodule
