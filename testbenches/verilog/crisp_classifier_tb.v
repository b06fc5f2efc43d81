// Replays what a kernel gave crisp_classifier: 181 rows of crisp_classifier.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay crisp_classifier_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out crisp_classifier_tb.v && obj_dir/Vcrisp_classifier_tb
module crisp_classifier_tb;
  reg [15:0] vectors [0:180];
  reg [11:0] in;
  reg [1:0] expected, mask;
  wire [1:0] out;
  integer row, cycles, failures;

  crisp_classifier dut (
    .issued_i(in[11:10]),
    .control_hazard_i(in[9:9]),
    .bank_conflict_i(in[8:8]),
    .load_outstanding_i(in[7:7]),
    .store_outstanding_i(in[6:6]),
    .fetch_stall_i(in[5:5]),
    .mshr_full_i(in[4:4]),
    .lsq_full_i(in[3:3]),
    .raw_memory_i(in[2:2]),
    .raw_arithmetic_i(in[1:1]),
    .structural_arithmetic_i(in[0:0]),
    .load_stall_o(out[1:1]),
    .store_stall_o(out[0:0])
  );

  initial begin
    $readmemh("crisp_classifier.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    for (row = 0; row < 181; row = row + 1) begin
      {in, expected, mask} = vectors[row];
      #5;
      cycles = cycles + 1;
      if (((out ^ expected) & mask) !== 0) begin
        if (failures < 10)
          $display("row %0d: in %h out %h expected %h", row, in, out, expected);
        failures = failures + 1;
      end
    end
    if (cycles == 0) $display("FAIL: there are no vectors");
    else if (failures == 0) $display("PASS: %0d cycles", cycles);
    else $display("FAIL: %0d of %0d cycles differ", failures, cycles);
    $finish;
  end
endmodule
