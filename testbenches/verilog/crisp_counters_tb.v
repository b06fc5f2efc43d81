// Replays what a kernel gave crisp_counters: 817 rows of crisp_counters.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay crisp_counters_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out crisp_counters_tb.v && obj_dir/Vcrisp_counters_tb
module crisp_counters_tb;
  reg [298:0] vectors [0:816];
  reg [37:0] in;
  reg [129:0] expected, mask;
  wire [129:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  crisp_counters dut (
    .clk_i(clk),
    .rst_i(rst),
    .start_valid_i(in[37:36]),
    .start_slot_i(in[35:20]),
    .end_valid_i(in[19:18]),
    .end_slot_i(in[17:2]),
    .load_stall_i(in[1:1]),
    .store_stall_i(in[0:0]),
    .t_lcp_o(out[129:98]),
    .load_stalls_o(out[97:66]),
    .store_stalls_o(out[65:34]),
    .cycles_o(out[33:2]),
    .outstanding_o(out[1:1]),
    .overflow_o(out[0:0])
  );

  initial begin
    $readmemh("crisp_counters.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 817; row = row + 1) begin
      {rst, in, expected, mask} = vectors[row];
      #5;
      if (!rst) cycles = cycles + 1;
      if (((out ^ expected) & mask) !== 0) begin
        if (failures < 10)
          $display("row %0d: in %h out %h expected %h", row, in, out, expected);
        failures = failures + 1;
      end
      clk = 1;
      #5 clk = 0;
    end
    if (cycles == 0) $display("FAIL: there are no vectors");
    else if (failures == 0) $display("PASS: %0d cycles", cycles);
    else $display("FAIL: %0d of %0d cycles differ", failures, cycles);
    $finish;
  end
endmodule
