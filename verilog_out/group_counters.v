// SPDX-License-Identifier: MIT OR Apache-2.0
//
// group_counters: Counts the warps of each mask group that wait in one scheduler's instruction
// buffer. Up to two enter and two leave in a cycle; the net change is applied, then held within
// 0 and 31. Counter 0 is the partial-mask group and counter 1 the full-mask group.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (section 3.4: warp
// classification).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/folding/group_counters.rs by export-verilog; change it there.

`default_nettype none

module group_counters (
  input  wire       clk_i,           // clock
  input  wire       rst_i,           // synchronous reset, active high
  input  wire [1:0] enter_valid_i,   // entry i is filled in this cycle
  input  wire [1:0] enter_full_i,    // its mask is all ones
  input  wire [1:0] leave_valid_i,   // a warp leaves through issue port i in this cycle
  input  wire [1:0] leave_full_i,    // its mask is all ones
  output wire [4:0] full_count_o,    // waiting warps with a full mask
  output wire [4:0] partial_count_o  // waiting warps with a partial mask
);

  reg   [3:0] enter;
  reg   [3:0] leave;
  reg  [11:0] wide;
  reg  [11:0] gain;
  reg  [11:0] loss;
  reg  [11:0] net;
  reg   [9:0] count_d;
  reg   [9:0] count_q;

  always @* begin
    enter[1:0] = enter_valid_i & ~enter_full_i;
    enter[3:2] = enter_valid_i & enter_full_i;
  end

  always @* begin
    leave[1:0] = leave_valid_i & ~leave_full_i;
    leave[3:2] = leave_valid_i & leave_full_i;
  end

  // Six bits hold 31 and two more.
  always @* begin
    wide[5:0] = {1'b0, count_q[4:0]};
    wide[11:6] = {1'b0, count_q[9:5]};
  end

  always @* begin : comb_gain
    integer g;
    for (g = 0; g < 2; g = g + 1) begin
      gain[g*6 +: 6] = wide[g*6 +: 6] + {5'd0, enter[g*2]} + {5'd0, enter[g*2 + 1]};
    end
  end

  always @* begin : comb_loss
    integer g;
    for (g = 0; g < 2; g = g + 1) begin
      loss[g*6 +: 6] = 6'd0 + {5'd0, leave[g*2]} + {5'd0, leave[g*2 + 1]};
    end
  end

  always @* begin : comb_net
    integer g;
    for (g = 0; g < 2; g = g + 1) begin
      net[g*6 +: 6] = gain[g*6 +: 6] - loss[g*6 +: 6];
    end
  end

  always @* begin : comb_count_d
    integer g;
    for (g = 0; g < 2; g = g + 1) begin
      count_d[g*5 +: 5] = net[g*6 +: 5];
      if (gain[g*6 +: 6] < loss[g*6 +: 6]) begin
        count_d[g*5 +: 5] = 5'd0;
      end else if (net[g*6 + 5]) begin
        count_d[g*5 +: 5] = 5'd31;
      end
    end
  end

  assign partial_count_o = count_q[4:0];
  assign full_count_o = count_q[9:5];

  always @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 10'd0;
    end else begin
      count_q <= count_d;
    end
  end

endmodule

`default_nettype wire
