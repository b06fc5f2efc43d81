// SPDX-License-Identifier: MIT OR Apache-2.0
//
// all_ones_detector: Tells for each of two warps whether all of its 32 threads are active.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (section 3.4: warp
// classification).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/folding/all_ones_detector.rs by export-verilog; change it there.

`default_nettype none

module all_ones_detector (
  input  wire [63:0] mask_i, // active mask of each warp
  output reg   [1:0] full_o  // mask i is all ones
);

  always @* begin : comb_full_o
    integer i;
    full_o = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      full_o[i] = &mask_i[i*32 +: 32];
    end
  end

endmodule

`default_nettype wire
