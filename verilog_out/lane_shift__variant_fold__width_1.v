// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_shift__variant_fold__width_1: Moves the active lanes of each of a warp's eight four-lane
// clusters to the left, their data with them. Variant compact takes the k-th active lane of a
// cluster to its lane k; variant fold takes lanes 2 and 3 to lanes 0 and 1 if those are idle
// and moves nothing else. Data outside lane_mask_o means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane shifting).
// Built with variant = fold, width = 1.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_shift.rs by export-verilog; change it there.

`default_nettype none

module lane_shift__variant_fold__width_1 (
  input  wire [31:0] temp_mask_i, // lanes that take part
  input  wire [31:0] data_i,      // operand of each lane
  output wire [31:0] lane_mask_o, // lanes that hold an operand after the shift
  output wire [31:0] shifted_o    // operands after the shift
);

  genvar g;

  generate
    for (g = 0; g < 8; g = g + 1) begin : g_cluster
      lane_shift_cluster__variant_fold__width_1 u_cluster (
        .temp_mask_i (temp_mask_i[g*4 +: 4]),
        .data_i      (data_i[g*4 +: 4]),
        .lane_mask_o (lane_mask_o[g*4 +: 4]),
        .shifted_o   (shifted_o[g*4 +: 4])
      );
    end
  endgenerate

endmodule

`default_nettype wire
