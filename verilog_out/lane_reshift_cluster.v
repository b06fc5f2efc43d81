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

  // The k-th active lane takes from lane k; an idle lane keeps what is there. 10 is lanes 1 and
  // 3.
  always @* begin : comb_restored_o
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      restored_o[i*32 +: 32] = lanes_i[i*32 +: 32];
    end
    case (temp_mask_i)
      4'd2: restored_o[63:32] = lanes_i[31:0];
      4'd4: restored_o[95:64] = lanes_i[31:0];
      4'd5: restored_o[95:64] = lanes_i[63:32];
      4'd6: begin
        restored_o[63:32] = lanes_i[31:0];
        restored_o[95:64] = lanes_i[63:32];
      end
      4'd8: restored_o[127:96] = lanes_i[31:0];
      4'd9: restored_o[127:96] = lanes_i[63:32];
      4'd10: begin
        restored_o[63:32] = lanes_i[31:0];
        restored_o[127:96] = lanes_i[63:32];
      end
      4'd11: restored_o[127:96] = lanes_i[95:64];
      4'd12: begin
        restored_o[95:64] = lanes_i[31:0];
        restored_o[127:96] = lanes_i[63:32];
      end
      4'd13: begin
        restored_o[95:64] = lanes_i[63:32];
        restored_o[127:96] = lanes_i[95:64];
      end
      4'd14: begin
        restored_o[63:32] = lanes_i[31:0];
        restored_o[95:64] = lanes_i[63:32];
        restored_o[127:96] = lanes_i[95:64];
      end
      default: begin
      end
    endcase
  end

endmodule

`default_nettype wire
