// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_shift_cluster: Moves the active lanes of a four-lane cluster to the left, their data
// with them. Variant compact takes the k-th active lane to lane k; variant fold takes lanes 2
// and 3 to lanes 0 and 1 if those are idle and moves nothing else. Data outside lane_mask_o
// means nothing.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (lane shifting).
// Built with variant = compact, width = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/lane_shift_cluster.rs by export-verilog; change it there.

`default_nettype none

module lane_shift_cluster (
  input  wire   [3:0] temp_mask_i, // lanes that take part
  input  wire [127:0] data_i,      // operand of each lane
  output reg    [3:0] lane_mask_o, // lanes that hold an operand after the shift
  output reg  [127:0] shifted_o    // operands after the shift
);

  wire left_any;
  wire right_any;

  assign left_any = temp_mask_i[0] | temp_mask_i[1];
  assign right_any = temp_mask_i[2] | temp_mask_i[3];

  // Lane k is taken if more than k lanes are active.
  always @* begin
    lane_mask_o = 4'd0;
    lane_mask_o[0] = left_any | right_any;
    lane_mask_o[1] = (left_any & right_any)
        | (temp_mask_i[0] & temp_mask_i[1])
        | (temp_mask_i[2] & temp_mask_i[3]);
    lane_mask_o[2] = (temp_mask_i[0] & temp_mask_i[1] & right_any)
        | (left_any & temp_mask_i[2] & temp_mask_i[3]);
    lane_mask_o[3] = &temp_mask_i;
  end

  // The k-th active lane goes to lane k; a packed mask moves nothing. 10 is lanes 1 and 3.
  always @* begin : comb_shifted_o
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      shifted_o[i*32 +: 32] = data_i[i*32 +: 32];
    end
    case (temp_mask_i)
      4'd2: shifted_o[31:0] = data_i[63:32];
      4'd4: shifted_o[31:0] = data_i[95:64];
      4'd5: shifted_o[63:32] = data_i[95:64];
      4'd6: begin
        shifted_o[31:0] = data_i[63:32];
        shifted_o[63:32] = data_i[95:64];
      end
      4'd8: shifted_o[31:0] = data_i[127:96];
      4'd9: shifted_o[63:32] = data_i[127:96];
      4'd10: begin
        shifted_o[31:0] = data_i[63:32];
        shifted_o[63:32] = data_i[127:96];
      end
      4'd11: shifted_o[95:64] = data_i[127:96];
      4'd12: begin
        shifted_o[31:0] = data_i[95:64];
        shifted_o[63:32] = data_i[127:96];
      end
      4'd13: begin
        shifted_o[63:32] = data_i[95:64];
        shifted_o[95:64] = data_i[127:96];
      end
      4'd14: begin
        shifted_o[31:0] = data_i[63:32];
        shifted_o[63:32] = data_i[95:64];
        shifted_o[95:64] = data_i[127:96];
      end
      default: begin
      end
    endcase
  end

endmodule

`default_nettype wire
