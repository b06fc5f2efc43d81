// SPDX-License-Identifier: MIT OR Apache-2.0
//
// split_mask: Chooses the lanes of a warp that go down the pipe together. Lane i is bit i and a
// cluster is four lanes; a folded warp sends lanes 0 and 1 of every cluster as sub-warp 0 and
// lanes 2 and 3 as sub-warp 1. A fold that gains nothing is cancelled: sub-warp 0 is then the
// whole warp and sub-warp 1 is empty.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (warp folding: split mask).
// Exported from hw/src/lanes/split_mask.rs by export-verilog; change it there.

`default_nettype none

module split_mask (
  input  wire [31:0] active_mask_i, // lanes with an active thread
  input  wire        split_i,       // folding is on for this warp
  input  wire        sub_warp_i,    // which half is asked for
  // cancel: 0 never, 1 a half is empty, 2 threads 0-15 or 16-31 idle, 3 all clusters <= 2
  input  wire  [1:0] cfg_elision_i,
  output reg  [31:0] temp_mask_o,   // lanes of this half
  output wire        folded_o       // the warp takes two passes
);

  wire [31:0] lower;
  wire [31:0] upper;
  wire [31:0] pairs;
  wire [31:0] crowded;
  reg         needless;

  assign lower = active_mask_i & 32'h33333333;
  assign upper = active_mask_i & 32'hcccccccc;

  // A cluster has more than two active lanes if one pair is full and the other is not empty.
  assign pairs = active_mask_i & (active_mask_i >> 5'd1) & 32'h55555555;
  assign crowded = (pairs & ((active_mask_i >> 5'd2) | (active_mask_i >> 5'd3)) & 32'h11111111)
      | ((pairs >> 5'd2) & (active_mask_i | (active_mask_i >> 5'd1)) & 32'h11111111);

  always @* begin
    needless = 1'b0;
    case (cfg_elision_i)
      2'd1: needless = !(|lower) | !(|upper);
      2'd2: needless = !(|active_mask_i[15:0]) | !(|active_mask_i[31:16]);
      2'd3: needless = !(|crowded);
      default: needless = 1'b0;
    endcase
  end

  assign folded_o = split_i & !needless;

  always @* begin
    temp_mask_o = active_mask_i;
    if (folded_o) begin
      if (sub_warp_i) begin
        temp_mask_o = upper;
      end else begin
        temp_mask_o = lower;
      end
    end else if (split_i & sub_warp_i) begin
      temp_mask_o = 32'd0;
    end
  end

endmodule

`default_nettype wire
