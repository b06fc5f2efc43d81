// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_issue__picks_1: Picks the gangs that issue together in a cycle, on disjoint slices, and
// leaves the free slices. Element w of a flag is way w, element 8*w + s of a mask slice s of
// way w, element 4*k + w of the program counters bit k of way w; bit i of an element is set i.
// Each pick narrows the candidates by one rule after the other; the last is the lowest set,
// then the lowest way.
//
// Mechanism: A Variable Warp Size Architecture (sections 4.2 and 6.3: gang issue).
// Built with sets = 32, picks = 1.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_issue.rs by export-verilog; change it there.

`default_nettype none

module gang_issue__picks_1 (
  input  wire          clk_i,          // clock
  input  wire          rst_i,          // synchronous reset, active high
  input  wire          launch_valid_i, // an original gang is launched: it becomes the youngest
  input  wire    [4:0] launch_set_i,   // its set
  input  wire  [127:0] issuable_i,     // gangs that may issue
  input  wire [1023:0] gang_mask_i,    // their slices
  input  wire [4095:0] gang_pc_i,      // their program counters
  // 0 largest, greedy, oldest; 1 greedy, oldest; 2 round robin; 3 lowest PC, oldest; 4 smallest,
  // greedy, oldest; else as 0
  input  wire    [2:0] cfg_order_i,
  output reg   [127:0] issue_o,        // gangs that issue
  output reg     [4:0] pick_set_o,     // set of the n-th gang, 0 if there is none
  output reg     [1:0] pick_way_o,     // its way, 0 if there is none
  output reg     [7:0] pick_mask_o,    // its slices, none if there is none
  output reg     [7:0] free_slices_o   // slices left for warps on their own
);

  wire  [31:0] one;
  reg   [31:0] launched;
  reg  [159:0] level;
  reg   [31:0] younger;
  reg   [31:0] carry;
  reg  [511:0] size;
  reg   [31:0] overflow;
  reg   [31:0] shift;
  reg  [127:0] fit;
  reg  [127:0] greedy;
  wire  [31:0] last_at;
  reg  [127:0] later;
  wire         by_pc;
  wire         by_size;
  wire         small_first;
  wire         in_turn;
  reg  [127:0] left;
  reg  [127:0] best;
  reg   [31:0] sets;
  reg          any;
  reg          picked;
  reg    [7:0] mask;
  reg  [159:0] age_d;
  reg  [159:0] age_q;
  reg          last_valid_d;
  reg          last_valid_q;
  reg    [4:0] last_set_d;
  reg    [4:0] last_set_q;
  reg    [1:0] last_way_d;
  reg    [1:0] last_way_q;

  assign one = 32'd1;

  // Ages in launches: those not older than the launched set grow older, it becomes 0.
  always @* begin
    launched = 32'd0;
    if (launch_valid_i) begin
      launched = one << launch_set_i;
    end
  end

  always @* begin : comb_level
    integer k;
    for (k = 0; k < 5; k = k + 1) begin
      level[k*32 +: 32] = 32'd0;
      if (|(age_q[k*32 +: 32] & launched)) begin
        level[k*32 +: 32] = ~level[k*32 +: 32];
      end
    end
  end

  always @* begin : comb_younger
    integer k;
    younger = 32'd0;
    younger = ~younger;
    for (k = 0; k < 5; k = k + 1) begin
      younger = (level[k*32 +: 32] & ~age_q[k*32 +: 32])
          | (~(level[k*32 +: 32] ^ age_q[k*32 +: 32]) & younger);
    end
  end

  always @* begin : comb_carry
    integer k;
    carry = 32'd0;
    if (launch_valid_i) begin
      carry = younger;
    end
    for (k = 0; k < 5; k = k + 1) begin
      age_d[k*32 +: 32] = (age_q[k*32 +: 32] ^ carry) & ~launched;
      carry = age_q[k*32 +: 32] & carry;
    end
  end

  // Warps of each gang: element 4*k + w is bit k of the count of way w.
  always @* begin : comb_size
    integer j;
    integer k;
    integer s;
    integer w;
    for (j = 0; j < 16; j = j + 1) begin
      size[j*32 +: 32] = 32'd0;
    end
    for (w = 0; w < 4; w = w + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        overflow = gang_mask_i[s*32 + w*256 +: 32];
        for (k = 0; k < 4; k = k + 1) begin
          shift = size[k*128 + w*32 +: 32] & overflow;
          size[k*128 + w*32 +: 32] = size[k*128 + w*32 +: 32] ^ overflow;
          overflow = shift;
        end
      end
    end
  end

  // A gang of fewer than two warps is none.
  always @* begin : comb_fit
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      fit[w*32 +: 32] = issuable_i[w*32 +: 32]
          & (size[w*32 + 128 +: 32] | size[w*32 + 256 +: 32] | size[w*32 + 384 +: 32]);
    end
  end

  // Greedy: the gangs that issued last. Later: those behind the first of them.
  always @* begin : comb_greedy
    integer p;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      greedy[w*32 +: 32] = 32'd0;
      for (p = 0; p < 1; p = p + 1) begin
        if (last_valid_q & (last_way_q[p*2 +: 2] == w[1:0])) begin
          greedy[w*32 +: 32] = greedy[w*32 +: 32] | (one << last_set_q[p*5 +: 5]);
        end
      end
    end
  end

  assign last_at = one << last_set_q;

  always @* begin : comb_later
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      // Minus twice a bit: all bits above it. Minus the bit: those and itself.
      later[w*32 +: 32] = ~(last_at + last_at) + 32'd1;
      if (last_way_q < w[1:0]) begin
        later[w*32 +: 32] = ~last_at + 32'd1;
      end
    end
  end

  assign by_pc = cfg_order_i == 3'd3;
  assign in_turn = cfg_order_i == 3'd2;
  assign small_first = cfg_order_i == 3'd4;
  assign by_size = !((cfg_order_i == 3'd1) | in_turn | by_pc);

  // One pick after the other, each among the gangs on slices that are still free.
  always @* begin : comb_free_slices_o
    integer i;
    integer k;
    integer p;
    integer s;
    integer w;
    k = 0;
    free_slices_o = 8'hff;
    picked = 1'b0;
    for (w = 0; w < 4; w = w + 1) begin
      issue_o[w*32 +: 32] = 32'd0;
    end
    for (p = 0; p < 1; p = p + 1) begin
      for (w = 0; w < 4; w = w + 1) begin
        left[w*32 +: 32] = fit[w*32 +: 32];
        for (s = 0; s < 8; s = s + 1) begin
          if (!free_slices_o[s]) begin
            left[w*32 +: 32] = left[w*32 +: 32] & ~gang_mask_i[s*32 + w*256 +: 32];
          end
        end
      end
      // The lowest program counter, from its top bit down.
      if (by_pc) begin
        for (k = 0; k < 32; k = k + 1) begin
          for (w = 0; w < 4; w = w + 1) begin
            best[w*32 +: 32] = left[w*32 +: 32] & ~gang_pc_i[-k*128 + w*32 + 3968 +: 32];
          end
          if (|(best[31:0] | best[63:32] | best[95:64] | best[127:96])) begin
            for (w = 0; w < 4; w = w + 1) begin
              left[w*32 +: 32] = best[w*32 +: 32];
            end
          end
        end
      end
      // The largest gang, or the smallest, from the top bit of the count down.
      if (by_size) begin
        for (k = 0; k < 4; k = k + 1) begin
          for (w = 0; w < 4; w = w + 1) begin
            best[w*32 +: 32] = left[w*32 +: 32] & size[-k*128 + w*32 + 384 +: 32];
            if (small_first) begin
              best[w*32 +: 32] = left[w*32 +: 32] & ~size[-k*128 + w*32 + 384 +: 32];
            end
          end
          if (|(best[31:0] | best[63:32] | best[95:64] | best[127:96])) begin
            for (w = 0; w < 4; w = w + 1) begin
              left[w*32 +: 32] = best[w*32 +: 32];
            end
          end
        end
      end
      // Greedy, or in turn; with the lowest program counter neither.
      for (w = 0; w < 4; w = w + 1) begin
        best[w*32 +: 32] = 32'd0;
        if (in_turn) begin
          best[w*32 +: 32] = left[w*32 +: 32] & later[w*32 +: 32];
        end else if (!by_pc) begin
          best[w*32 +: 32] = left[w*32 +: 32] & greedy[w*32 +: 32];
        end
      end
      if (|(best[31:0] | best[63:32] | best[95:64] | best[127:96])) begin
        for (w = 0; w < 4; w = w + 1) begin
          left[w*32 +: 32] = best[w*32 +: 32];
        end
      end
      // The oldest set, from the top bit of the age down; of equals the lowest.
      sets = left[31:0] | left[63:32] | left[95:64] | left[127:96];
      if (!in_turn) begin
        for (k = 0; k < 5; k = k + 1) begin
          if (|(sets & age_q[-k*32 + 128 +: 32])) begin
            sets = sets & age_q[-k*32 + 128 +: 32];
          end
        end
      end
      sets = sets & (~sets + 32'd1);
      // Its lowest way is picked.
      any = 1'b0;
      mask = 8'd0;
      pick_set_o[p*5 +: 5] = 5'd0;
      pick_way_o[p*2 +: 2] = 2'd0;
      for (w = 0; w < 4; w = w + 1) begin
        if ((|(left[w*32 +: 32] & sets)) & !any) begin
          any = 1'b1;
          issue_o[w*32 +: 32] = issue_o[w*32 +: 32] | sets;
          pick_way_o[p*2 +: 2] = w[1:0];
          for (s = 0; s < 8; s = s + 1) begin
            mask[s] = |(gang_mask_i[s*32 + w*256 +: 32] & sets);
          end
        end
      end
      for (i = 0; i < 32; i = i + 1) begin
        if (sets[i]) begin
          pick_set_o[p*5 +: 5] = i[4:0];
        end
      end
      picked = any;
      pick_mask_o[p*8 +: 8] = mask;
      free_slices_o = free_slices_o & ~mask;
    end
  end

  // The gangs of the last cycle in which any issued.
  always @* begin
    last_valid_d = last_valid_q;
    if (picked) begin
      last_valid_d = picked;
    end
  end

  always @* begin : comb_last_set_d
    integer p;
    for (p = 0; p < 1; p = p + 1) begin
      last_set_d[p*5 +: 5] = last_set_q[p*5 +: 5];
      if (picked) begin
        last_set_d[p*5 +: 5] = pick_set_o[p*5 +: 5];
      end
    end
  end

  always @* begin : comb_last_way_d
    integer p;
    for (p = 0; p < 1; p = p + 1) begin
      last_way_d[p*2 +: 2] = last_way_q[p*2 +: 2];
      if (picked) begin
        last_way_d[p*2 +: 2] = pick_way_o[p*2 +: 2];
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      age_q <= 160'd0;
      last_valid_q <= 1'b0;
      last_set_q <= 5'd0;
      last_way_q <= 2'd0;
    end else begin
      age_q <= age_d;
      last_valid_q <= last_valid_d;
      last_set_q <= last_set_d;
      last_way_q <= last_way_d;
    end
  end

endmodule

`default_nettype wire
