// Replays what a kernel gave lane_power_gate: 170 rows of lane_power_gate.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay lane_power_gate_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out lane_power_gate_tb.v && obj_dir/Vlane_power_gate_tb
module lane_power_gate_tb;
  reg [334:0] vectors [0:169];
  reg [77:0] in;
  reg [127:0] expected, mask;
  wire [127:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  lane_power_gate dut (
    .clk_i(clk),
    .rst_i(rst),
    .busy_i(in[77:46]),
    .request_i(in[45:14]),
    .eager_i(in[13:13]),
    .cfg_idle_detect_i(in[12:10]),
    .cfg_break_even_i(in[9:5]),
    .cfg_wake_up_i(in[4:1]),
    .cfg_blackout_i(in[0:0]),
    .ready_o(out[127:96]),
    .uncompensated_o(out[95:64]),
    .compensated_o(out[63:32]),
    .waking_o(out[31:0])
  );

  initial begin
    $readmemh("lane_power_gate.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 170; row = row + 1) begin
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
