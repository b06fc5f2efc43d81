// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_reshift__variant_fold__width_1: Returns the results of each of a warp's eight four-lane
// clusters to the lanes their operands came from: the inverse of lane_shift in the same
// variant, from the same mask. Data outside temp_mask_i means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane re-shifting).
// Built with variant = fold, width = 1.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_reshift.rs by export-verilog; change it there.

`default_nettype none

module lane_reshift__variant_fold__width_1 (
  input  wire [31:0] temp_mask_i, // lanes that took part, before the shift
  input  wire [31:0] lanes_i,     // result of each lane that executed
  output wire [31:0] restored_o   // results in the lanes of temp_mask
);

  genvar g;

  generate
    for (g = 0; g < 8; g = g + 1) begin : g_cluster
      lane_reshift_cluster__variant_fold__width_1 u_cluster (
        .temp_mask_i (temp_mask_i[g*4 +: 4]),
        .lanes_i     (lanes_i[g*4 +: 4]),
        .restored_o  (restored_o[g*4 +: 4])
      );
    end
  endgenerate

endmodule

`default_nettype wire
