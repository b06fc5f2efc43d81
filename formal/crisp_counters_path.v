// t_lcp + store_stalls <= cycles in crisp_counters, until cycles wraps.
//
// The helper invariant says the same of every outstanding miss: if it ended before this cycle, the path
// would still fit. stamp + cycle is then the path with the miss, its cycles up to now included.

module crisp_counters_path (
  input wire       clk_i,
  input wire       rst_i,
  input wire [1:0] start_valid_i,
  input wire [5:0] start_slot_i,
  input wire [1:0] end_valid_i,
  input wire [5:0] end_slot_i,
  input wire       load_stall_i,
  input wire       store_stall_i
);

  wire [4:0] t_lcp;
  wire [4:0] store_stalls;
  wire [4:0] cycles;
  wire       overflow;

  crisp_counters__slots_4__width_5 u_counters (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .start_valid_i  (start_valid_i),
    .start_slot_i   (start_slot_i),
    .end_valid_i    (end_valid_i),
    .end_slot_i     (end_slot_i),
    .load_stall_i   (load_stall_i),
    .store_stall_i  (store_stall_i),
    .t_lcp_o        (t_lcp),
    .load_stalls_o  (),
    .store_stalls_o (store_stalls),
    .cycles_o       (cycles),
    .outstanding_o  (),
    .overflow_o     (overflow)
  );

  reg running = 1'b0;
  always @(posedge clk_i) running <= 1'b1;
  always @* if (!running) assume (rst_i);

  // Six bits: a sum that wraps is not a small one.
  always @* begin
    if (running && !overflow) begin
      assert ({1'b0, t_lcp} + {1'b0, store_stalls} <= {1'b0, cycles});
    end
  end

  // Yosys joins these wires to the registers of that path when it flattens the hierarchy.
  (* hierconn *) wire  [3:0] \u_counters.u_path.busy_q ;
  (* hierconn *) wire [19:0] \u_counters.u_path.stamp_q ;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_miss
      wire [4:0] path = \u_counters.u_path.stamp_q [i*5 +: 5] + cycles;
      always @* begin
        if (running && !overflow && \u_counters.u_path.busy_q [i]) begin
          assert ({1'b0, path} + {1'b0, store_stalls} <= {1'b0, cycles});
        end
      end
    end
  endgenerate

endmodule
