// SPDX-License-Identifier: MIT OR Apache-2.0
//
// stall_model__width_10: Counts the cycles that the core waits for loads: the memory time of
// the STALL model. Reset it at the start of each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (2.1 stall time (STALL)).
// Built with width = 10.
// Exported from hw/src/crisp/stall_model.rs by export-verilog; change it there.

`default_nettype none

module stall_model__width_10 (
  input  wire       clk_i,        // clock
  input  wire       rst_i,        // synchronous reset, active high
  input  wire       load_stall_i, // the cycle is lost to a load
  output wire [9:0] t_mem_o,      // cycles lost to loads
  output wire       overflow_o    // t_mem has wrapped since reset
);

  wire [9:0] count_d;
  reg  [9:0] count_q;
  wire       wrapped_d;
  reg        wrapped_q;

  assign count_d = count_q + {9'd0, load_stall_i};
  assign wrapped_d = wrapped_q | (load_stall_i & (&count_q));
  assign t_mem_o = count_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 10'd0;
      wrapped_q <= 1'b0;
    end else begin
      count_q <= count_d;
      wrapped_q <= wrapped_d;
    end
  end

endmodule

`default_nettype wire
