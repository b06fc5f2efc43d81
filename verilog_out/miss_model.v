// SPDX-License-Identifier: MIT OR Apache-2.0
//
// miss_model: Charges a fixed latency for each miss that no earlier one hides: the memory time
// of the MISS model. A miss within cfg_latency cycles of an initial miss is ignored. Reset it
// at the start of each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (2.1 miss model (MISS)).
// Built with width = 32.
// Exported from hw/src/crisp/miss_model.rs by export-verilog; change it there.

`default_nettype none

module miss_model (
  input  wire        clk_i,         // clock
  input  wire        rst_i,         // synchronous reset, active high
  input  wire        miss_i,        // one or more misses start in this cycle
  // latency charged, taken at each initial miss; 0 hides nothing and charges nothing
  input  wire  [9:0] cfg_latency_i,
  output wire [31:0] t_mem_o,       // initial misses times latency
  output wire [31:0] misses_o,      // initial misses
  output wire        overflow_o     // t_mem or misses has wrapped since reset
);

  wire [31:0] longer;
  reg   [9:0] window_d;
  reg   [9:0] window_q;
  reg  [31:0] time_d;
  reg  [31:0] time_q;
  reg  [31:0] count_d;
  reg  [31:0] count_q;
  reg         wrapped_d;
  reg         wrapped_q;

  assign longer = time_q + {22'd0, cfg_latency_i};

  // The window holds the cycles after this one that the last initial miss still hides.
  always @* begin
    window_d = window_q;
    time_d = time_q;
    count_d = count_q;
    wrapped_d = wrapped_q;
    if (|window_q) begin
      window_d = window_q - 10'd1;
    end else if (miss_i) begin
      if (|cfg_latency_i) begin
        window_d = cfg_latency_i - 10'd1;
      end
      time_d = longer;
      count_d = count_q + 32'd1;
      // A sum that shrinks has wrapped.
      wrapped_d = wrapped_q | (longer < time_q) | (&count_q);
    end
  end

  assign t_mem_o = time_q;
  assign misses_o = count_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      window_q <= 10'd0;
      time_q <= 32'd0;
      count_q <= 32'd0;
      wrapped_q <= 1'b0;
    end else begin
      window_q <= window_d;
      time_q <= time_d;
      count_q <= count_d;
      wrapped_q <= wrapped_d;
    end
  end

endmodule

`default_nettype wire
