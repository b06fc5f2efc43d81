// SPDX-License-Identifier: MIT OR Apache-2.0
//
// drowsy_regions__blocks_96: Keeps the most recently accessed region of a cache awake and every
// other one drowsy. An access to a drowsy region wakes it, is held until it is ready,
// cfg_wake_up cycles after it began, and sends the region that was awake to sleep. A look-ahead
// does the same for an access to come, unless an access is waiting.
//
// Mechanism: Power-Aware Caches for GPGPUs (section 3.3.1: coarse-grained drowsy mode).
// Built with blocks = 96.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/cache/drowsy_regions.rs by export-verilog; change it there.

`default_nettype none

module drowsy_regions__blocks_96 (
  input  wire        clk_i,              // clock
  input  wire        rst_i,              // synchronous reset, active high
  input  wire        access_valid_i,     // an access wants its block; held until ready
  // its block; an access to a block that is not there is ignored
  input  wire  [6:0] access_block_i,
  input  wire        early_valid_i,      // an access is to come
  input  wire  [6:0] early_block_i,      // its block; ignored if it is not there
  input  wire  [2:0] cfg_region_shift_i, // log2 of the blocks of a region, 0 to 5; 6 and 7 act as 5
  // cycles from access to ready of a drowsy region; 0 acts as 1
  input  wire  [1:0] cfg_wake_up_i,
  output wire        ready_o,            // the word line of the access may open in this cycle
  // region i is drowsy; regions that are not there always are
  output reg  [95:0] drowsy_o
);

  reg   [2:0] new_shift;
  wire        resized;
  wire  [6:0] access_region;
  wire  [6:0] early_region;
  reg   [6:0] target;
  wire  [6:0] access_row;
  wire  [6:0] early_row;
  wire  [6:0] target_row;
  wire  [7:0] access_bit;
  wire  [7:0] early_bit;
  wire  [7:0] target_bit;
  reg         access_exists;
  reg         early_exists;
  reg         access_awake;
  reg         early_awake;
  wire        access;
  wire        wake_access;
  wire        wake_early;
  wire        wake;
  reg  [95:0] awake_d;
  reg  [95:0] awake_q;
  reg   [1:0] timer_d;
  reg   [1:0] timer_q;
  wire  [2:0] shift_d;
  reg   [2:0] shift_q;

  // A new region size gives the bits a new meaning: until one is set again, all are drowsy.
  always @* begin
    new_shift = cfg_region_shift_i;
    if (cfg_region_shift_i > 3'd5) begin
      new_shift = 3'd5;
    end
  end

  assign shift_d = new_shift;
  assign resized = new_shift != shift_q;
  assign access_region = access_block_i >> new_shift;
  assign early_region = early_block_i >> new_shift;
  assign access_row = access_region >> 3'd3;
  assign early_row = early_region >> 3'd3;
  assign access_bit = 8'd1 << access_region[2:0];
  assign early_bit = 8'd1 << early_region[2:0];

  // The region bit is read while the tags are: a check costs no time.
  always @* begin : comb_access_exists
    integer row;
    access_exists = 1'b0;
    access_awake = 1'b0;
    for (row = 0; row < 12; row = row + 1) begin
      if ((access_block_i >> 3'd3) == row[6:0]) begin
        access_exists = 1'b1;
      end
      if ((access_row == row[6:0]) & !resized) begin
        access_awake = |(awake_q[row*8 +: 8] & access_bit);
      end
    end
  end

  always @* begin : comb_early_exists
    integer row;
    early_exists = 1'b0;
    early_awake = 1'b0;
    for (row = 0; row < 12; row = row + 1) begin
      if ((early_block_i >> 3'd3) == row[6:0]) begin
        early_exists = 1'b1;
      end
      if ((early_row == row[6:0]) & !resized) begin
        early_awake = |(awake_q[row*8 +: 8] & early_bit);
      end
    end
  end

  // The word line stays shut until the region is awake and its supply has settled.
  assign access = access_valid_i & access_exists;
  assign ready_o = access & access_awake & (timer_q == 2'd0);

  // An access that waits is never overtaken by a look-ahead; one that is served has no more need.
  assign wake_access = access & !access_awake;
  assign wake_early = early_valid_i & early_exists & !early_awake & (!access | ready_o);
  assign wake = wake_access | wake_early;

  always @* begin
    target = early_region;
    if (wake_access) begin
      target = access_region;
    end
  end

  assign target_row = target >> 3'd3;
  assign target_bit = 8'd1 << target[2:0];

  // To wake one region is to send every other to sleep.
  always @* begin : comb_awake_d
    integer row;
    for (row = 0; row < 12; row = row + 1) begin
      awake_d[row*8 +: 8] = awake_q[row*8 +: 8];
      if (wake | resized) begin
        awake_d[row*8 +: 8] = 8'd0;
      end
      if (wake & (target_row == row[6:0])) begin
        awake_d[row*8 +: 8] = target_bit;
      end
    end
  end

  always @* begin
    timer_d = timer_q;
    if (wake) begin
      timer_d = 2'd0;
      if (cfg_wake_up_i != 2'd0) begin
        timer_d = cfg_wake_up_i - 2'd1;
      end
    end else if (timer_q != 2'd0) begin
      timer_d = timer_q - 2'd1;
    end
  end

  always @* begin : comb_drowsy_o
    integer row;
    for (row = 0; row < 12; row = row + 1) begin
      drowsy_o[row*8 +: 8] = ~awake_q[row*8 +: 8];
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      awake_q <= 96'd0;
      timer_q <= 2'd0;
      shift_q <= 3'd0;
    end else begin
      awake_q <= awake_d;
      timer_q <= timer_d;
      shift_q <= shift_d;
    end
  end

endmodule

`default_nettype wire
