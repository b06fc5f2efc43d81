// Replays what a kernel gave reshift_stage: 33 rows of reshift_stage.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay reshift_stage_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out reshift_stage_tb.v && obj_dir/Vreshift_stage_tb
module reshift_stage_tb;
  reg [3297:0] vectors [0:32];
  reg [1098:0] in;
  reg [1098:0] expected, mask;
  wire [1098:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  reshift_stage dut (
    .clk_i(clk),
    .rst_i(rst),
    .execute_valid_i(in[1098:1098]),
    .execute_tag_i(in[1097:1090]),
    .execute_folded_i(in[1089:1089]),
    .execute_last_i(in[1088:1088]),
    .temp_mask_i(in[1087:1056]),
    .result_i(in[1055:32]),
    .result_flag_i(in[31:0]),
    .valid_o(out[1098:1098]),
    .tag_o(out[1097:1090]),
    .folded_o(out[1089:1089]),
    .last_o(out[1088:1088]),
    .mask_o(out[1087:1056]),
    .restored_o(out[1055:32]),
    .restored_flag_o(out[31:0])
  );

  initial begin
    $readmemh("reshift_stage.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 33; row = row + 1) begin
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
