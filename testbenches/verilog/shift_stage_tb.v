// Replays what a kernel gave shift_stage: 32 rows of shift_stage.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay shift_stage_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out shift_stage_tb.v && obj_dir/Vshift_stage_tb
module shift_stage_tb;
  reg [9509:0] vectors [0:31];
  reg [3148:0] in;
  reg [3179:0] expected, mask;
  wire [3179:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  shift_stage dut (
    .clk_i(clk),
    .rst_i(rst),
    .issue_valid_i(in[3148:3148]),
    .issue_tag_i(in[3147:3140]),
    .active_mask_i(in[3139:3108]),
    .split_i(in[3107:3107]),
    .sub_warp_i(in[3106:3106]),
    .operand_a_i(in[3105:2082]),
    .operand_b_i(in[2081:1058]),
    .operand_c_i(in[1057:34]),
    .operand_flag_i(in[33:2]),
    .cfg_elision_i(in[1:0]),
    .takes_two_o(out[3179:3179]),
    .valid_o(out[3178:3178]),
    .tag_o(out[3177:3170]),
    .folded_o(out[3169:3169]),
    .last_o(out[3168:3168]),
    .temp_mask_o(out[3167:3136]),
    .lane_mask_o(out[3135:3104]),
    .shifted_a_o(out[3103:2080]),
    .shifted_b_o(out[2079:1056]),
    .shifted_c_o(out[1055:32]),
    .shifted_flag_o(out[31:0])
  );

  initial begin
    $readmemh("shift_stage.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 32; row = row + 1) begin
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
