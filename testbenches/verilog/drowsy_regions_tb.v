// Replays what a kernel gave drowsy_regions: 67 rows of drowsy_regions.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay drowsy_regions_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out drowsy_regions_tb.v && obj_dir/Vdrowsy_regions_tb
module drowsy_regions_tb;
  reg [279:0] vectors [0:66];
  reg [20:0] in;
  reg [128:0] expected, mask;
  wire [128:0] out;
  integer row, cycles, failures;
  reg clk, rst;

  drowsy_regions dut (
    .clk_i(clk),
    .rst_i(rst),
    .access_valid_i(in[20:20]),
    .access_block_i(in[19:13]),
    .early_valid_i(in[12:12]),
    .early_block_i(in[11:5]),
    .cfg_region_shift_i(in[4:2]),
    .cfg_wake_up_i(in[1:0]),
    .ready_o(out[128:128]),
    .drowsy_o(out[127:0])
  );

  initial begin
    $readmemh("drowsy_regions.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    clk = 0;
    rst = 1;
    #5 clk = 1;
    #5 clk = 0;
    for (row = 0; row < 67; row = row + 1) begin
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
