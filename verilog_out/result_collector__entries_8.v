// SPDX-License-Identifier: MIT OR Apache-2.0
//
// result_collector__entries_8: Joins the two halves of a folded warp by tag and puts all its
// results on the bus together. A warp that is not folded passes within the cycle. A first half
// waits in the lowest free entry. A first half that finds no entry free or its tag already
// held, and a second half without its first, change nothing and raise error_o.
//
// Mechanism: Origami: Folding Warps for Energy Efficient GPUs (result collection buffer).
// Built with entries = 8.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/lanes/result_collector.rs by export-verilog; change it there.

`default_nettype none

module result_collector__entries_8 (
  input  wire          clk_i,         // clock
  input  wire          rst_i,         // synchronous reset, active high
  input  wire          half_valid_i,  // a warp or half-warp arrives
  input  wire    [7:0] half_tag_i,    // tag of its operation
  input  wire          half_folded_i, // it is one half of a folded warp
  input  wire          half_last_i,   // it is the second half
  input  wire   [31:0] half_mask_i,   // lanes that have a result
  input  wire [1023:0] half_result_i, // result of each lane
  input  wire   [31:0] half_flag_i,   // flag result of each lane
  output wire          valid_o,       // a whole warp's results are on the bus
  output wire    [7:0] tag_o,         // tag of its operation
  output wire   [31:0] mask_o,        // lanes that have a result
  output reg  [1023:0] result_o,      // result of each lane; one outside mask means nothing
  output wire   [31:0] flag_o,        // flag result of each lane; one outside mask means nothing
  output wire    [7:0] busy_o,        // entries that hold a first half
  output wire          error_o        // the half that arrives cannot be right and is ignored
);

  reg     [7:0] hit;
  wire    [7:0] free;
  wire          first;
  wire          second;
  wire          store;
  wire          merge;
  reg    [31:0] met_mask;
  reg    [31:0] met_flag;
  reg  [1023:0] met_result;
  reg    [31:0] from_held;
  reg     [7:0] held_d;
  reg     [7:0] held_q;
  reg    [63:0] held_tag_d;
  reg    [63:0] held_tag_q;
  reg   [255:0] held_mask_d;
  reg   [255:0] held_mask_q;
  reg   [255:0] held_flag_d;
  reg   [255:0] held_flag_q;
  reg  [8191:0] held_result_d;
  reg  [8191:0] held_result_q;

  // The entry that holds this tag, and the lowest free entry, one bit each.
  always @* begin : comb_hit
    integer e;
    hit = 8'd0;
    for (e = 0; e < 8; e = e + 1) begin
      hit[e] = held_q[e] & (held_tag_q[e*8 +: 8] == half_tag_i);
    end
  end

  assign free = ~held_q & (held_q + 8'd1);
  assign first = half_valid_i & half_folded_i & !half_last_i;
  assign second = half_valid_i & half_folded_i & half_last_i;
  assign store = first & !(|hit) & (|free);
  assign merge = second & (|hit);
  assign error_o = (first & !store) | (second & !merge);
  assign valid_o = (half_valid_i & !half_folded_i) | merge;

  always @* begin
    held_d = held_q;
    if (store) begin
      held_d = held_q | free;
    end else if (merge) begin
      held_d = held_q & ~hit;
    end
  end

  always @* begin : comb_held_tag_d
    integer e;
    integer i;
    for (e = 0; e < 8; e = e + 1) begin
      held_tag_d[e*8 +: 8] = held_tag_q[e*8 +: 8];
      held_mask_d[e*32 +: 32] = held_mask_q[e*32 +: 32];
      held_flag_d[e*32 +: 32] = held_flag_q[e*32 +: 32];
      for (i = 0; i < 32; i = i + 1) begin
        held_result_d[e*1024 + i*32 +: 32] = held_result_q[e*1024 + i*32 +: 32];
      end
      if (store & free[e]) begin
        held_tag_d[e*8 +: 8] = half_tag_i;
        held_mask_d[e*32 +: 32] = half_mask_i;
        held_flag_d[e*32 +: 32] = half_flag_i;
        for (i = 0; i < 32; i = i + 1) begin
          held_result_d[e*1024 + i*32 +: 32] = half_result_i[i*32 +: 32];
        end
      end
    end
  end

  // The first half that was waiting; without a hit it is entry 0 and not used.
  always @* begin : comb_met_mask
    integer e;
    integer i;
    met_mask = held_mask_q[31:0];
    met_flag = held_flag_q[31:0];
    for (i = 0; i < 32; i = i + 1) begin
      met_result[i*32 +: 32] = held_result_q[i*32 +: 32];
    end
    for (e = 1; e < 8; e = e + 1) begin
      if (hit[e]) begin
        met_mask = held_mask_q[e*32 +: 32];
        met_flag = held_flag_q[e*32 +: 32];
        for (i = 0; i < 32; i = i + 1) begin
          met_result[i*32 +: 32] = held_result_q[e*1024 + i*32 +: 32];
        end
      end
    end
  end

  always @* begin
    from_held = 32'd0;
    if (merge) begin
      from_held = met_mask;
    end
  end

  assign tag_o = half_tag_i;
  assign mask_o = half_mask_i | from_held;

  always @* begin : comb_result_o
    integer i;
    for (i = 0; i < 32; i = i + 1) begin
      result_o[i*32 +: 32] = half_result_i[i*32 +: 32];
      if (from_held[i]) begin
        result_o[i*32 +: 32] = met_result[i*32 +: 32];
      end
    end
  end

  assign flag_o = (half_flag_i & ~from_held) | (met_flag & from_held);
  assign busy_o = held_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      held_q <= 8'd0;
    end else begin
      held_q <= held_d;
    end
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    held_tag_q <= held_tag_d; // valid_by held_q
    held_mask_q <= held_mask_d; // valid_by held_q
    held_flag_q <= held_flag_d; // valid_by held_q
    held_result_q <= held_result_d; // valid_by held_q
  end

endmodule

`default_nettype wire
