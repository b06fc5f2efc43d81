// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lead_model__slots_4__width_5: Counts the cycles that a leading load is outstanding: the
// memory time of the LEAD model. When the leader has returned, the next miss that starts leads.
// Reset it at the start of each kernel.
//
// Mechanism: The CRISP Performance Model for DVFS in a GPGPU (2.1 leading load (LEAD)).
// Built with slots = 4, ports = 2, width = 5.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/crisp/lead_model.rs by export-verilog; change it there.

`default_nettype none

module lead_model__slots_4__width_5 (
  input  wire       clk_i,         // clock
  input  wire       rst_i,         // synchronous reset, active high
  input  wire [1:0] start_valid_i, // a miss starts on port p
  input  wire [5:0] start_slot_i,  // its slot; ignored if there is no such slot
  input  wire [1:0] end_valid_i,   // a miss ends on port p; this is its last cycle
  input  wire [5:0] end_slot_i,    // its slot; only the leader's matters
  output wire [4:0] t_mem_o,       // cycles with a leading load outstanding
  // a leading load is outstanding in this cycle, its first and last included
  output wire       leading_o,
  output wire       overflow_o     // t_mem has wrapped since reset
);

  localparam [2:0] SLOTS = 3'd4;

  reg        candidate_valid;
  reg  [2:0] candidate;
  reg        returns;
  reg        led_d;
  reg        led_q;
  reg  [2:0] leader_d;
  reg  [2:0] leader_q;
  wire [4:0] time_d;
  reg  [4:0] time_q;
  wire       wrapped_d;
  reg        wrapped_q;

  // The miss that would lead: the first port's, if several start.
  always @* begin : comb_candidate_valid
    integer p;
    candidate_valid = 1'b0;
    candidate = 3'd0;
    for (p = 0; p < 2; p = p + 1) begin
      if (start_valid_i[p] & (start_slot_i[p*3 +: 3] < SLOTS) & !candidate_valid) begin
        candidate_valid = 1'b1;
        candidate = start_slot_i[p*3 +: 3];
      end
    end
  end

  always @* begin : comb_returns
    integer p;
    returns = 1'b0;
    for (p = 0; p < 2; p = p + 1) begin
      if (end_valid_i[p] & (end_slot_i[p*3 +: 3] == leader_q)) begin
        returns = 1'b1;
      end
    end
  end

  assign leading_o = led_q | candidate_valid;

  always @* begin
    led_d = led_q;
    leader_d = leader_q;
    if (led_q) begin
      led_d = !returns;
    end else begin
      led_d = candidate_valid;
      leader_d = candidate;
    end
  end

  assign time_d = time_q + {4'd0, leading_o};
  assign wrapped_d = wrapped_q | (leading_o & (&time_q));
  assign t_mem_o = time_q;
  assign overflow_o = wrapped_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      led_q <= 1'b0;
      time_q <= 5'd0;
      wrapped_q <= 1'b0;
    end else begin
      led_q <= led_d;
      time_q <= time_d;
      wrapped_q <= wrapped_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    leader_q <= leader_d; // valid_by led_q
  end

endmodule

`default_nettype wire
