// Replays what a kernel gave fold_controller: 816 rows of fold_controller.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay fold_controller_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out fold_controller_tb.v && obj_dir/Vfold_controller_tb
module fold_controller_tb;
  reg [90:0] vectors [0:815];
  reg [77:0] in;
  reg [5:0] expected, mask;
  wire [5:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  fold_controller dut (
    .clk_i(clk),
    .rst_i(rst),
    .issued_i(in[77:76]),
    .int_count_i(in[75:70]),
    .fp_count_i(in[69:64]),
    .full_count_i(in[63:54]),
    .partial_count_i(in[53:44]),
    .cfg_phase_length_i(in[43:34]),
    .cfg_fold_aggressive_i(in[33:24]),
    .cfg_fold_conservative_i(in[23:14]),
    .cfg_adaptive_off_i(in[13:3]),
    .cfg_max_phases_i(in[2:0]),
    .phase_start_o(out[5:5]),
    .fold_int_o(out[4:4]),
    .fold_fp_o(out[3:3]),
    .majority_fp_o(out[2:2]),
    .group_full_o(out[1:0])
  );

  initial begin
    $readmemh("fold_controller.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 816; row = row + 1) begin
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
