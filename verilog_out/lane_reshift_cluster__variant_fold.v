// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_reshift_cluster__variant_fold: Returns the results of a four-lane cluster to the lanes
// their operands came from: the inverse of lane_shift_cluster in the same variant, from the
// same mask. Data outside temp_mask_i means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane re-shifting).
// Built with variant = fold, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_reshift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_reshift_cluster__variant_fold (
  input  wire   [3:0] temp_mask_i, // lanes that took part, before the shift
  input  wire [127:0] lanes_i,     // result of each lane that executed
  output reg  [127:0] restored_o   // results in the lanes of temp_mask
);

  // Lanes 0 and 1 are wires; lanes 2 and 3 choose between their own result and theirs.
  always @* begin
    restored_o[31:0] = lanes_i[31:0];
    restored_o[63:32] = lanes_i[63:32];
    if (temp_mask_i[0] | temp_mask_i[1] | !(temp_mask_i[2] | temp_mask_i[3])) begin
      restored_o[95:64] = lanes_i[95:64];
      restored_o[127:96] = lanes_i[127:96];
    end else begin
      restored_o[95:64] = lanes_i[31:0];
      restored_o[127:96] = lanes_i[63:32];
    end
  end

endmodule

`default_nettype wire
