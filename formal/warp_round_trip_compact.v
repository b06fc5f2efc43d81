// Re-shift after shift is the identity on the active lanes of a warp, for all masks and all data
// (variant compact); the shift keeps the number of active lanes of every cluster, and each cluster's mask is left-packed.
// `bad` is never 1.

`default_nettype none

module warp_round_trip_compact (
  input  wire   [31:0] mask,
  input  wire [1023:0] data,
  input  wire [1023:0] noise,
  output wire          bad
);

  wire   [31:0] lane_mask;
  wire [1023:0] shifted;
  wire [1023:0] executed;
  wire [1023:0] restored;
  wire   [31:0] wrong;
  wire    [7:0] wrong_mask;

  lane_shift u_shift (
    .temp_mask_i (mask),
    .data_i      (data),
    .lane_mask_o (lane_mask),
    .shifted_o   (shifted)
  );

  lane_reshift u_reshift (
    .temp_mask_i (mask),
    .lanes_i     (executed),
    .restored_o  (restored)
  );

  function [2:0] count(input [3:0] lanes);
    count = {2'd0, lanes[0]} + {2'd0, lanes[1]} + {2'd0, lanes[2]} + {2'd0, lanes[3]};
  endfunction

  genvar g;

  generate
    for (g = 0; g < 32; g = g + 1) begin : g_lane
      // Execution may leave anything in a lane that is not active.
      assign executed[g*32 +: 32] = lane_mask[g] ? shifted[g*32 +: 32] : noise[g*32 +: 32];
      assign wrong[g] = mask[g] & (restored[g*32 +: 32] != data[g*32 +: 32]);
    end
    for (g = 0; g < 8; g = g + 1) begin : g_cluster
      // Left-packed: no active lane has an idle one on its left.
      assign wrong_mask[g] = (count(lane_mask[g*4 +: 4]) != count(mask[g*4 +: 4]))
          | (|(lane_mask[g*4 +: 4] & ~{lane_mask[g*4 +: 3], 1'b1}));
    end
  endgenerate

  assign bad = (|wrong) | (|wrong_mask);

endmodule

`default_nettype wire
