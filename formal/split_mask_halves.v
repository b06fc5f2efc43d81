// The two halves of a split share no lane and add up to the warp, whatever the elision; a warp that is
// not folded goes whole, and a cancelled fold leaves nothing for sub-warp 1.

`default_nettype none

module split_mask_halves (
  input wire [31:0] active_mask,
  input wire        split,
  input wire  [1:0] elision
);

  wire [31:0] half_0;
  wire [31:0] half_1;
  wire        folded_0;
  wire        folded_1;

  split_mask u_half_0 (
    .active_mask_i (active_mask),
    .split_i       (split),
    .sub_warp_i    (1'b0),
    .cfg_elision_i (elision),
    .temp_mask_o   (half_0),
    .folded_o      (folded_0)
  );

  split_mask u_half_1 (
    .active_mask_i (active_mask),
    .split_i       (split),
    .sub_warp_i    (1'b1),
    .cfg_elision_i (elision),
    .temp_mask_o   (half_1),
    .folded_o      (folded_1)
  );

  always @* begin
    assert (folded_0 == folded_1);
    if (split) begin
      assert ((half_0 & half_1) == 32'd0);
      assert ((half_0 | half_1) == active_mask);
    end else begin
      assert (!folded_0);
      assert (half_0 == active_mask);
      assert (half_1 == active_mask);
    end
    if (folded_0) begin
      assert ((half_0 & 32'hcccccccc) == 32'd0);
      assert ((half_1 & 32'h33333333) == 32'd0);
    end
    // Each elision cancels the folds it is for, and those only.
    if (split) begin
      case (elision)
        2'd0: assert (folded_0);
        2'd1: assert (folded_0
            == ((active_mask & 32'h33333333) != 0 && (active_mask & 32'hcccccccc) != 0));
        2'd2: assert (folded_0 == (active_mask[15:0] != 0 && active_mask[31:16] != 0));
        default: assert (folded_0 == crowded);
      endcase
    end
  end

  // Some cluster has more than two active lanes, by counting.
  reg crowded;

  always @* begin : count
    integer c;
    crowded = 1'b0;
    for (c = 0; c < 8; c = c + 1) begin
      if ({2'd0, active_mask[c*4]} + {2'd0, active_mask[c*4 + 1]}
          + {2'd0, active_mask[c*4 + 2]} + {2'd0, active_mask[c*4 + 3]} > 3'd2) begin
        crowded = 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
