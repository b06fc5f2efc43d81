// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_reshift_cluster: Returns the results of a four-lane cluster to the lanes their operands
// came from: the inverse of lane_shift_cluster in the same variant, from the same mask. Data
// outside temp_mask_i means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane re-shifting).
// Built with variant = compact, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_reshift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_reshift_cluster (
  input  wire   [3:0] temp_mask_i, // lanes that took part, before the shift
  input  wire [127:0] lanes_i,     // result of each lane that executed
  output reg  [127:0] restored_o   // results in the lanes of temp_mask
);

  wire left_any;

  assign left_any = temp_mask_i[0] | temp_mask_i[1];

  // A lane went to the place that counts the active lanes on its left: 0 for lane 0.
  always @* begin
    restored_o[31:0] = lanes_i[31:0];
    if (temp_mask_i[1] & !temp_mask_i[0]) begin
      restored_o[63:32] = lanes_i[31:0];
    end else begin
      restored_o[63:32] = lanes_i[63:32];
    end
    // An idle lane keeps what is in its place.
    if (!temp_mask_i[2] | (temp_mask_i[0] & temp_mask_i[1])) begin
      restored_o[95:64] = lanes_i[95:64];
    end else if (left_any) begin
      restored_o[95:64] = lanes_i[63:32];
    end else begin
      restored_o[95:64] = lanes_i[31:0];
    end
    // Lane 3 has three, two, one or no active lanes on its left.
    if (!temp_mask_i[3] | (temp_mask_i[0] & temp_mask_i[1] & temp_mask_i[2])) begin
      restored_o[127:96] = lanes_i[127:96];
    end else if ((temp_mask_i[0] & temp_mask_i[1]) | (left_any & temp_mask_i[2])) begin
      restored_o[127:96] = lanes_i[95:64];
    end else if (left_any | temp_mask_i[2]) begin
      restored_o[127:96] = lanes_i[63:32];
    end else begin
      restored_o[127:96] = lanes_i[31:0];
    end
  end

endmodule

`default_nettype wire
