// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_shift_cluster: Packs the active lanes of a four-lane cluster to the left.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane shifting).
// Built with width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_shift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_shift_cluster (
  input  wire   [3:0] temp_mask_i, // lanes that take part
  input  wire [127:0] data_i,      // operand of each lane
  output reg    [3:0] lane_mask_o, // lanes that hold an operand after the shift
  output reg  [127:0] shifted_o    // operands after the shift
);

  always @* begin : comb_lane_mask_o
    integer i;
    lane_mask_o = temp_mask_i;
    for (i = 0; i < 4; i = i + 1) begin
      shifted_o[i*32 +: 32] = data_i[i*32 +: 32];
    end
    case (temp_mask_i)
      4'd2: begin
        lane_mask_o = 4'd1;
        shifted_o[31:0] = data_i[63:32];
      end
      default: shifted_o[63:32] = data_i[95:64];
    endcase
  end

endmodule

`default_nettype wire
