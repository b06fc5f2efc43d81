// SPDX-License-Identifier: MIT OR Apache-2.0
//
// dwl_gate__rows_96: Opens only those segments of the selected cache row that an access needs.
// A segment is 4 bytes of the row. Rows are independent: whatever row the decoder selects
// opens.
//
// Mechanism: Power-Aware Caches for GPGPUs (section 3.3.2: divided word line).
// Built with rows = 96, segments = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/cache/dwl_gate.rs by export-verilog; change it there.

`default_nettype none

module dwl_gate__rows_96 (
  input  wire   [95:0] row_select_i,      // word lines from the row decoder, at most one high
  input  wire   [31:0] lane_mask_i,       // active threads of the access
  input  wire   [31:0] word_mask_i,       // words that an active thread touches
  input  wire          full_enable_i,     // open the whole row: refill or instruction fetch
  input  wire          cfg_lane_enable_i, // enable by active thread (1) or by touched word (0)
  output reg  [3071:0] word_line_o        // small word lines of each row, segment 0 first
);

  reg  [31:0] lane_segments;
  reg  [31:0] open;

  // Thread i reads segment i; where a line has 16 segments, threads j and j + 16 share one.
  always @* begin : comb_lane_segments
    integer i;
    integer share;
    lane_segments = 32'd0;
    for (share = 0; share < 1; share = share + 1) begin
      for (i = 0; i < 32; i = i + 1) begin
        lane_segments[i] = lane_segments[i] | lane_mask_i[i + share*16];
      end
    end
  end

  always @* begin
    open = word_mask_i;
    if (cfg_lane_enable_i) begin
      open = lane_segments;
    end
    if (full_enable_i) begin
      open = ~32'd0;
    end
  end

  always @* begin : comb_word_line_o
    integer row;
    for (row = 0; row < 96; row = row + 1) begin
      word_line_o[row*32 +: 32] = 32'd0;
      if (row_select_i[row]) begin
        word_line_o[row*32 +: 32] = open;
      end
    end
  end

endmodule

`default_nettype wire
