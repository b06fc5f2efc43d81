// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_shift_cluster__variant_fold: Moves the active lanes of a four-lane cluster to the left,
// their data with them. Variant compact takes the k-th active lane to lane k; variant fold
// takes lanes 2 and 3 to lanes 0 and 1 if those are idle and moves nothing else. Data outside
// lane_mask_o means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane shifting).
// Built with variant = fold, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_shift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_shift_cluster__variant_fold (
  input  wire   [3:0] temp_mask_i, // lanes that take part
  input  wire [127:0] data_i,      // operand of each lane
  output reg    [3:0] lane_mask_o, // lanes that hold an operand after the shift
  output reg  [127:0] shifted_o    // operands after the shift
);

  wire left_any;
  wire right_any;

  assign left_any = temp_mask_i[0] | temp_mask_i[1];
  assign right_any = temp_mask_i[2] | temp_mask_i[3];

  // The cluster moves if lanes 0 and 1 are idle and lane 2 or 3 is not.
  always @* begin
    if (left_any | !right_any) begin
      lane_mask_o = temp_mask_i;
    end else begin
      lane_mask_o = temp_mask_i >> 2'd2;
    end
  end

  // Lanes 2 and 3 are wires; lanes 0 and 1 choose between their own data and theirs.
  always @* begin
    if (left_any | !right_any) begin
      shifted_o[31:0] = data_i[31:0];
      shifted_o[63:32] = data_i[63:32];
    end else begin
      shifted_o[31:0] = data_i[95:64];
      shifted_o[63:32] = data_i[127:96];
    end
    shifted_o[95:64] = data_i[95:64];
    shifted_o[127:96] = data_i[127:96];
  end

endmodule

`default_nettype wire
