// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lane_roundtrip_tb: shifts the lanes of random warps and shifts them back; every active lane must
// come home with its own data. Prints PASS or FAIL.

`default_nettype none
`timescale 1ns / 1ps

module lane_roundtrip_tb;

  reg    [31:0] mask;
  reg  [1023:0] data;
  wire   [31:0] lane_mask;
  wire [1023:0] shifted;
  wire [1023:0] restored;

  lane_shift u_shift (
    .temp_mask_i (mask),
    .data_i      (data),
    .lane_mask_o (lane_mask),
    .shifted_o   (shifted)
  );

  lane_reshift u_reshift (
    .temp_mask_i (mask),
    .lanes_i     (shifted),
    .restored_o  (restored)
  );

  integer warp;
  integer lane;
  integer seed;
  integer wrong;

  initial begin
    seed = 1;
    wrong = 0;
    for (warp = 0; warp < 10000; warp = warp + 1) begin
      mask = $random(seed);
      for (lane = 0; lane < 32; lane = lane + 1) begin
        data[lane*32 +: 32] = $random(seed);
      end
      #1;
      for (lane = 0; lane < 32; lane = lane + 1) begin
        if (mask[lane] && restored[lane*32 +: 32] !== data[lane*32 +: 32]) begin
          wrong = wrong + 1;
        end
      end
      if (^lane_mask === 1'bx) begin
        wrong = wrong + 1;
      end
    end
    if (wrong == 0) begin
      $display("PASS: 10000 warps");
    end else begin
      $display("FAIL: %0d lanes differ", wrong);
    end
    $finish;
  end

endmodule

`default_nettype wire
