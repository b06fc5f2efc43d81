// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_reshift_cluster__width_1: Returns the results of a four-lane cluster to the lanes their
// operands came from: the inverse of lane_shift_cluster in the same variant, from the same
// mask. Data outside temp_mask_i means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane re-shifting).
// Built with variant = compact, width = 1.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_reshift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_reshift_cluster__width_1 (
  input  wire [3:0] temp_mask_i, // lanes that took part, before the shift
  input  wire [3:0] lanes_i,     // result of each lane that executed
  output reg  [3:0] restored_o   // results in the lanes of temp_mask
);

  // The k-th active lane takes from lane k; an idle lane keeps what is there. 10 is lanes 1 and
  // 3.
  always @* begin : comb_restored_o
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      restored_o[i] = lanes_i[i];
    end
    case (temp_mask_i)
      4'd2: restored_o[1] = lanes_i[0];
      4'd4: restored_o[2] = lanes_i[0];
      4'd5: restored_o[2] = lanes_i[1];
      4'd6: begin
        restored_o[1] = lanes_i[0];
        restored_o[2] = lanes_i[1];
      end
      4'd8: restored_o[3] = lanes_i[0];
      4'd9: restored_o[3] = lanes_i[1];
      4'd10: begin
        restored_o[1] = lanes_i[0];
        restored_o[3] = lanes_i[1];
      end
      4'd11: restored_o[3] = lanes_i[2];
      4'd12: begin
        restored_o[2] = lanes_i[0];
        restored_o[3] = lanes_i[1];
      end
      4'd13: begin
        restored_o[2] = lanes_i[1];
        restored_o[3] = lanes_i[2];
      end
      4'd14: begin
        restored_o[1] = lanes_i[0];
        restored_o[2] = lanes_i[1];
        restored_o[3] = lanes_i[2];
      end
      default: begin
      end
    endcase
  end

endmodule

`default_nettype wire
