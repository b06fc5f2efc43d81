// In crisp_plus shares fit into the whole until overflow: stalls and cycles of computation under a load
// exclude each other and lie among the active cycles, as do blocked ones; computing warps are live.

module crisp_plus_shares (
  input wire       clk_i,
  input wire       rst_i,
  input wire       active_i,
  input wire [1:0] issued_i,
  input wire       load_outstanding_i,
  input wire       load_stall_i,
  input wire       store_stall_i,
  input wire       memory_blocked_i,
  input wire [3:0] live_i,
  input wire [3:0] computing_i
);

  wire [4:0] active_cycles;
  wire [4:0] stalls;
  wire [4:0] idle_under_loads;
  wire [4:0] single_under_loads;
  wire [4:0] blocked_cycles;
  wire [4:0] live_warps;
  wire [4:0] computing_warps;
  wire       overflow;

  crisp_plus__warps_4__width_5 u_plus (
    .clk_i                (clk_i),
    .rst_i                (rst_i),
    .active_i             (active_i),
    .issued_i             (issued_i),
    .load_outstanding_i   (load_outstanding_i),
    .load_stall_i         (load_stall_i),
    .store_stall_i        (store_stall_i),
    .memory_blocked_i     (memory_blocked_i),
    .live_i               (live_i),
    .computing_i          (computing_i),
    .active_cycles_o      (active_cycles),
    .stalls_o             (stalls),
    .idle_under_loads_o   (idle_under_loads),
    .single_under_loads_o (single_under_loads),
    .blocked_cycles_o     (blocked_cycles),
    .live_warps_o         (live_warps),
    .computing_warps_o    (computing_warps),
    .overflow_o           (overflow)
  );

  reg running = 1'b0;
  always @(posedge clk_i) running <= 1'b1;
  always @* if (!running) assume (rst_i);

  wire [6:0] shares = {2'd0, stalls} + {2'd0, idle_under_loads} + {2'd0, single_under_loads};

  always @* begin
    if (running && !overflow) begin
      assert (shares <= {2'd0, active_cycles});
      assert (blocked_cycles <= active_cycles);
      assert (computing_warps <= live_warps);
    end
  end

endmodule
