// Re-shift after shift is the identity on the active lanes of a cluster (variant compact); the shift keeps the
// number of active lanes, and the mask is left-packed.

`default_nettype none

module cluster_round_trip_compact (
  input wire   [3:0] mask,
  input wire [127:0] data,
  input wire [127:0] noise
);

  wire   [3:0] lane_mask;
  wire [127:0] shifted;
  wire [127:0] executed;
  wire [127:0] restored;

  lane_shift_cluster u_shift (
    .temp_mask_i (mask),
    .data_i      (data),
    .lane_mask_o (lane_mask),
    .shifted_o   (shifted)
  );

  genvar g;

  generate
    for (g = 0; g < 4; g = g + 1) begin : g_lane
      // Execution may leave anything in a lane that is not active.
      assign executed[g*32 +: 32] = lane_mask[g] ? shifted[g*32 +: 32] : noise[g*32 +: 32];
    end
  endgenerate

  lane_reshift_cluster u_reshift (
    .temp_mask_i (mask),
    .lanes_i     (executed),
    .restored_o  (restored)
  );

  function [2:0] count(input [3:0] lanes);
    count = {2'd0, lanes[0]} + {2'd0, lanes[1]} + {2'd0, lanes[2]} + {2'd0, lanes[3]};
  endfunction

  always @* begin : check
    integer lane;
    for (lane = 0; lane < 4; lane = lane + 1) begin
      if (mask[lane]) begin
        assert (restored[lane*32 +: 32] == data[lane*32 +: 32]);
      end
    end
    assert (count(lane_mask) == count(mask));
    // Left-packed: no active lane has an idle one on its left.
    assert ((lane_mask & ~{lane_mask[2:0], 1'b1}) == 4'd0);
  end

endmodule

`default_nettype wire
