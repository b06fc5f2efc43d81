// Replays what a kernel gave dwl_gate: 47 rows of dwl_gate.hex, which is read from the directory in which
// the simulation runs. Prints PASS or FAIL. The block and its modules are in verilog_out:
//
// $ iverilog -g2005 -o replay dwl_gate_tb.v -y verilog_out -Y .v && ./replay
// $ verilator --binary --timing -y verilog_out dwl_gate_tb.v && obj_dir/Vdwl_gate_tb
module dwl_gate_tb;
  reg [8385:0] vectors [0:46];
  reg [193:0] in;
  reg [4095:0] expected, mask;
  wire [4095:0] out;
  integer row, cycles, failures;

  dwl_gate dut (
    .row_select_i(in[193:66]),
    .lane_mask_i(in[65:34]),
    .word_mask_i(in[33:2]),
    .full_enable_i(in[1:1]),
    .cfg_lane_enable_i(in[0:0]),
    .word_line_o(out[4095:0])
  );

  initial begin
    $readmemh("dwl_gate.hex", vectors);
    cycles = 0;
    failures = 0;
    in = 0;
    for (row = 0; row < 47; row = row + 1) begin
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
