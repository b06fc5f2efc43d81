// Replays what a kernel gave result_collector: 25 rows of result_collector.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay result_collector_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out result_collector_tb.v && obj_dir/Vresult_collector_tb
module result_collector_tb;
  reg [3303:0] vectors [0:24];
  reg [1098:0] in;
  reg [1101:0] expected, mask;
  wire [1101:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  result_collector dut (
    .clk_i(clk),
    .rst_i(rst),
    .half_valid_i(in[1098:1098]),
    .half_tag_i(in[1097:1090]),
    .half_folded_i(in[1089:1089]),
    .half_last_i(in[1088:1088]),
    .half_mask_i(in[1087:1056]),
    .half_result_i(in[1055:32]),
    .half_flag_i(in[31:0]),
    .valid_o(out[1101:1101]),
    .tag_o(out[1100:1093]),
    .mask_o(out[1092:1061]),
    .result_o(out[1060:37]),
    .flag_o(out[36:5]),
    .busy_o(out[4:1]),
    .error_o(out[0:0])
  );

  initial begin
    $readmemh("result_collector.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 25; row = row + 1) begin
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
