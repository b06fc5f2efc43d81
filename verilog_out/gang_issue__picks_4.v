// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_issue__picks_4: Picks the gangs that issue together in a cycle, on disjoint slices, and
// leaves the free slices. Element w of a flag is way w, element 8*w + s of a mask slice s of
// way w, element 4*k + w of the program counters bit k of way w; bit i of an element is set i.
// Each pick is a tournament of the gangs on free slices: the better by the rules of the order
// wins, of equals the lower set, then way.
//
// Mechanism: A Variable Warp Size Architecture (sections 4.2 and 6.3: gang issue).
// Built with sets = 32, picks = 4.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_issue.rs by export-verilog; change it there.

`default_nettype none

module gang_issue__picks_4 (
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
  output reg    [19:0] pick_set_o,     // set of the n-th gang, 0 if there is none
  output reg     [7:0] pick_way_o,     // its way, 0 if there is none
  output reg    [31:0] pick_mask_o,    // its slices, none if there is none
  output reg     [7:0] free_slices_o   // slices left for warps on their own
);

  wire   [31:0] one;
  reg    [31:0] launched;
  reg   [159:0] level;
  reg    [31:0] younger;
  reg    [31:0] carry;
  reg   [511:0] pair_low;
  reg   [511:0] pair_high;
  reg   [255:0] quad_low;
  reg   [255:0] quad_middle;
  reg   [255:0] quad_high;
  reg   [127:0] carry_low;
  reg   [127:0] carry_middle;
  reg   [511:0] size;
  reg   [127:0] fit;
  reg   [127:0] greedy;
  wire   [31:0] last_at;
  reg   [127:0] later;
  wire          by_pc;
  wire          by_size;
  wire          small_first;
  wire          in_turn;
  reg     [4:0] stride;
  reg   [639:0] rank;
  reg    [63:0] behind;
  reg  [2015:0] pc_less;
  reg  [2015:0] pc_same;
  reg   [127:0] left;
  reg    [63:0] upper;
  reg    [31:0] ready;
  reg   [319:0] key;
  reg  [1023:0] pc;
  reg   [255:0] slices;
  reg   [223:0] at;
  reg    [31:0] rival_ready;
  reg   [319:0] rival_key;
  reg  [1023:0] rival_pc;
  reg   [255:0] rival_slices;
  reg   [223:0] rival_at;
  reg   [607:0] less;
  reg   [607:0] same;
  reg    [31:0] takes;
  reg     [3:0] picked;
  reg     [7:0] mask;
  reg    [31:0] set_at;
  reg   [159:0] age_d;
  reg   [159:0] age_q;
  reg     [3:0] last_valid_d;
  reg     [3:0] last_valid_q;
  reg    [19:0] last_set_d;
  reg    [19:0] last_set_q;
  reg     [7:0] last_way_d;
  reg     [7:0] last_way_q;

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

  // Warps of each gang, by a tree of adders: bit k of the count of way w is size 4*k + w.
  always @* begin : comb_pair_low
    integer j;
    for (j = 0; j < 16; j = j + 1) begin
      pair_low[j*32 +: 32] = gang_mask_i[j*64 +: 32] ^ gang_mask_i[j*64 + 32 +: 32];
    end
  end

  always @* begin : comb_pair_high
    integer j;
    for (j = 0; j < 16; j = j + 1) begin
      pair_high[j*32 +: 32] = gang_mask_i[j*64 +: 32] & gang_mask_i[j*64 + 32 +: 32];
    end
  end

  always @* begin : comb_quad_low
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_low[j*32 +: 32] = pair_low[j*64 +: 32] ^ pair_low[j*64 + 32 +: 32];
    end
  end

  always @* begin : comb_quad_middle
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_middle[j*32 +: 32] = pair_high[j*64 +: 32]
          ^ pair_high[j*64 + 32 +: 32]
          ^ (pair_low[j*64 +: 32] & pair_low[j*64 + 32 +: 32]);
    end
  end

  always @* begin : comb_quad_high
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_high[j*32 +: 32] = pair_high[j*64 +: 32] & pair_high[j*64 + 32 +: 32];
    end
  end

  always @* begin : comb_carry_low
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      carry_low[w*32 +: 32] = quad_low[w*64 +: 32] & quad_low[w*64 + 32 +: 32];
      carry_middle[w*32 +: 32] = (quad_middle[w*64 +: 32] & quad_middle[w*64 + 32 +: 32])
          | (carry_low[w*32 +: 32] & (quad_middle[w*64 +: 32] | quad_middle[w*64 + 32 +: 32]));
      size[w*32 +: 32] = quad_low[w*64 +: 32] ^ quad_low[w*64 + 32 +: 32];
      size[w*32 + 128 +: 32] = quad_middle[w*64 +: 32]
          ^ quad_middle[w*64 + 32 +: 32]
          ^ carry_low[w*32 +: 32];
      size[w*32 + 256 +: 32] = quad_high[w*64 +: 32]
          ^ quad_high[w*64 + 32 +: 32]
          ^ carry_middle[w*32 +: 32];
      size[w*32 + 384 +: 32] = quad_high[w*64 +: 32] & quad_high[w*64 + 32 +: 32];
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
      for (p = 0; p < 4; p = p + 1) begin
        if (last_valid_q[p] & (last_way_q[p*2 +: 2] == w[1:0])) begin
          greedy[w*32 +: 32] = greedy[w*32 +: 32] | (one << last_set_q[p*5 +: 5]);
        end
      end
    end
  end

  assign last_at = one << last_set_q[4:0];

  always @* begin : comb_later
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      // Minus twice a bit: all bits above it. Minus the bit: those and itself.
      later[w*32 +: 32] = ~(last_at + last_at) + 32'd1;
      if (last_way_q[1:0] < w[1:0]) begin
        later[w*32 +: 32] = ~last_at + 32'd1;
      end
    end
  end

  assign by_pc = cfg_order_i == 3'd3;
  assign in_turn = cfg_order_i == 3'd2;
  assign small_first = cfg_order_i == 3'd4;
  assign by_size = !((cfg_order_i == 3'd1) | in_turn | by_pc);

  // The rank, low is better: 4 bits of size, then greedy or in turn. Element 4*k + w is bit k.
  always @* begin : comb_rank
    integer k;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      for (k = 0; k < 4; k = k + 1) begin
        rank[k*128 + w*32 + 128 +: 32] = 32'd0;
        if (by_size) begin
          rank[k*128 + w*32 + 128 +: 32] = ~size[k*128 + w*32 +: 32];
          if (small_first) begin
            rank[k*128 + w*32 + 128 +: 32] = size[k*128 + w*32 +: 32];
          end
        end
      end
      rank[w*32 +: 32] = 32'd0;
      if (in_turn) begin
        rank[w*32 +: 32] = ~later[w*32 +: 32];
      end else if (!by_pc) begin
        rank[w*32 +: 32] = ~greedy[w*32 +: 32];
      end
    end
  end

  // Of ways 2*j and 2*j + 1, which are equally old, whether the first stands behind.
  always @* begin : comb_behind
    integer j;
    integer k;
    integer n;
    integer p;
    integer r;
    integer s;
    integer w;
    for (j = 0; j < 2; j = j + 1) begin
      behind[j*32 +: 32] = 32'd0;
      for (k = 0; k < 5; k = k + 1) begin
        behind[j*32 +: 32] = (rank[j*64 + k*128 +: 32] & ~rank[j*64 + k*128 + 32 +: 32])
            | (~(rank[j*64 + k*128 +: 32] ^ rank[j*64 + k*128 + 32 +: 32]) & behind[j*32 +: 32]);
      end
      for (k = 0; k < 63; k = k + 1) begin
        pc_less[k*32 +: 32] = 32'd0;
      end
      for (k = 0; k < 63; k = k + 1) begin
        pc_same[k*32 +: 32] = 32'd0;
      end
      // Node n of a comparison joins node 2*n + 1 with node 2*n + 2, whose bits count less.
      if (by_pc) begin
        for (k = 0; k < 32; k = k + 1) begin
          pc_less[-k*32 + 1984 +: 32] = gang_pc_i[j*64 + k*128 +: 32]
              & ~gang_pc_i[j*64 + k*128 + 32 +: 32];
          pc_same[-k*32 + 1984 +: 32] = ~(gang_pc_i[j*64 + k*128 +: 32]
                ^ gang_pc_i[j*64 + k*128 + 32 +: 32]);
        end
        for (n = 0; n < 31; n = n + 1) begin
          pc_less[-n*32 + 960 +: 32] = pc_less[-n*64 + 1952 +: 32]
              | (pc_same[-n*64 + 1952 +: 32] & pc_less[-n*64 + 1984 +: 32]);
          pc_same[-n*32 + 960 +: 32] = pc_same[-n*64 + 1952 +: 32] & pc_same[-n*64 + 1984 +: 32];
        end
      end
      behind[j*32 +: 32] = behind[j*32 +: 32] | pc_less[31:0];
    end
    // One pick after the other, each among the gangs on slices that are still free.
    free_slices_o = 8'hff;
    picked = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      issue_o[w*32 +: 32] = 32'd0;
    end
    for (p = 0; p < 4; p = p + 1) begin
      for (w = 0; w < 4; w = w + 1) begin
        left[w*32 +: 32] = fit[w*32 +: 32];
        for (s = 0; s < 8; s = s + 1) begin
          if (!free_slices_o[s]) begin
            left[w*32 +: 32] = left[w*32 +: 32] & ~gang_mask_i[s*32 + w*256 +: 32];
          end
        end
      end
      // Way 1 against way 0, and way 3 against way 2; the winners are rivals.
      for (j = 0; j < 2; j = j + 1) begin
        upper[j*32 +: 32] = left[j*64 + 32 +: 32] & (~left[j*64 +: 32] | behind[j*32 +: 32]);
      end
      ready = left[31:0] | left[63:32];
      rival_ready = left[95:64] | left[127:96];
      for (k = 0; k < 5; k = k + 1) begin
        key[k*32 + 160 +: 32] = (rank[k*128 +: 32] & ~upper[31:0])
            | (rank[k*128 + 32 +: 32] & upper[31:0]);
        rival_key[k*32 + 160 +: 32] = (rank[k*128 + 64 +: 32] & ~upper[63:32])
            | (rank[k*128 + 96 +: 32] & upper[63:32]);
        // The older first, but not in turn.
        key[k*32 +: 32] = 32'd0;
        if (!in_turn) begin
          key[k*32 +: 32] = ~age_q[k*32 +: 32];
        end
        rival_key[k*32 +: 32] = key[k*32 +: 32];
      end
      for (k = 0; k < 32; k = k + 1) begin
        pc[k*32 +: 32] = 32'd0;
      end
      for (k = 0; k < 32; k = k + 1) begin
        rival_pc[k*32 +: 32] = 32'd0;
      end
      if (by_pc) begin
        for (k = 0; k < 32; k = k + 1) begin
          pc[k*32 +: 32] = (gang_pc_i[k*128 +: 32] & ~upper[31:0])
              | (gang_pc_i[k*128 + 32 +: 32] & upper[31:0]);
          rival_pc[k*32 +: 32] = (gang_pc_i[k*128 + 64 +: 32] & ~upper[63:32])
              | (gang_pc_i[k*128 + 96 +: 32] & upper[63:32]);
        end
      end
      for (s = 0; s < 8; s = s + 1) begin
        slices[s*32 +: 32] = (gang_mask_i[s*32 +: 32] & left[31:0] & ~upper[31:0])
            | (gang_mask_i[s*32 + 256 +: 32] & upper[31:0]);
      end
      for (s = 0; s < 8; s = s + 1) begin
        rival_slices[s*32 +: 32] = (gang_mask_i[s*32 + 512 +: 32] & left[95:64] & ~upper[63:32])
            | (gang_mask_i[s*32 + 768 +: 32] & upper[63:32]);
      end
      // Where the winner comes from: two bits of way, then the set's.
      for (k = 0; k < 7; k = k + 1) begin
        at[k*32 +: 32] = 32'd0;
      end
      for (k = 0; k < 7; k = k + 1) begin
        rival_at[k*32 +: 32] = 32'd0;
      end
      at[31:0] = upper[31:0];
      rival_at[31:0] = upper[63:32];
      // The first round is among ways, the others are among sets, ever further apart.
      stride = 5'd1;
      for (r = 0; r < 6; r = r + 1) begin
        // Nodes 15 to 18 are the bits of size, 9 is the next rule, 10 to 14 age.
        for (k = 0; k < 4; k = k + 1) begin
          less[-k*32 + 576 +: 32] = key[k*32 + 192 +: 32] & ~rival_key[k*32 + 192 +: 32];
        end
        for (k = 0; k < 4; k = k + 1) begin
          same[-k*32 + 576 +: 32] = ~(key[k*32 + 192 +: 32] ^ rival_key[k*32 + 192 +: 32]);
        end
        for (k = 0; k < 6; k = k + 1) begin
          less[-k*32 + 448 +: 32] = key[k*32 +: 32] & ~rival_key[k*32 +: 32];
        end
        for (k = 0; k < 6; k = k + 1) begin
          same[-k*32 + 448 +: 32] = ~(key[k*32 +: 32] ^ rival_key[k*32 +: 32]);
        end
        for (n = 0; n < 9; n = n + 1) begin
          less[-n*32 + 256 +: 32] = less[-n*64 + 544 +: 32]
              | (same[-n*64 + 544 +: 32] & less[-n*64 + 576 +: 32]);
          same[-n*32 + 256 +: 32] = same[-n*64 + 544 +: 32] & same[-n*64 + 576 +: 32];
        end
        takes = less[31:0];
        if (by_pc) begin
          for (k = 0; k < 32; k = k + 1) begin
            pc_less[-k*32 + 1984 +: 32] = pc[k*32 +: 32] & ~rival_pc[k*32 +: 32];
            pc_same[-k*32 + 1984 +: 32] = ~(pc[k*32 +: 32] ^ rival_pc[k*32 +: 32]);
          end
          for (n = 0; n < 31; n = n + 1) begin
            pc_less[-n*32 + 960 +: 32] = pc_less[-n*64 + 1952 +: 32]
                | (pc_same[-n*64 + 1952 +: 32] & pc_less[-n*64 + 1984 +: 32]);
            pc_same[-n*32 + 960 +: 32] = pc_same[-n*64 + 1952 +: 32] & pc_same[-n*64 + 1984 +: 32];
          end
          takes = pc_less[31:0] | (pc_same[31:0] & less[31:0]);
        end
        takes = rival_ready & (~ready | takes);
        ready = ready | rival_ready;
        rival_ready = ready >> stride;
        for (k = 0; k < 10; k = k + 1) begin
          key[k*32 +: 32] = (key[k*32 +: 32] & ~takes) | (rival_key[k*32 +: 32] & takes);
          rival_key[k*32 +: 32] = key[k*32 +: 32] >> stride;
        end
        if (by_pc) begin
          for (k = 0; k < 32; k = k + 1) begin
            pc[k*32 +: 32] = (pc[k*32 +: 32] & ~takes) | (rival_pc[k*32 +: 32] & takes);
            rival_pc[k*32 +: 32] = pc[k*32 +: 32] >> stride;
          end
        end
        for (s = 0; s < 8; s = s + 1) begin
          slices[s*32 +: 32] = (slices[s*32 +: 32] & ~takes) | (rival_slices[s*32 +: 32] & takes);
          rival_slices[s*32 +: 32] = slices[s*32 +: 32] >> stride;
        end
        for (k = 0; k < 7; k = k + 1) begin
          at[k*32 +: 32] = (at[k*32 +: 32] & ~takes) | (rival_at[k*32 +: 32] & takes);
        end
        at[r*32 + 32 +: 32] = takes;
        for (k = 0; k < 7; k = k + 1) begin
          rival_at[k*32 +: 32] = at[k*32 +: 32] >> stride;
        end
        stride = stride + stride;
      end
      // The champion stands at bit 0.
      picked[p] = ready[0];
      pick_way_o[p*2 +: 2] = 2'd0;
      for (k = 0; k < 2; k = k + 1) begin
        pick_way_o[k + p*2] = at[k*32];
      end
      pick_set_o[p*5 +: 5] = 5'd0;
      for (k = 0; k < 5; k = k + 1) begin
        pick_set_o[k + p*5] = at[k*32 + 64];
      end
      mask = 8'd0;
      for (s = 0; s < 8; s = s + 1) begin
        mask[s] = slices[s*32];
      end
      pick_mask_o[p*8 +: 8] = mask;
      free_slices_o = free_slices_o & ~mask;
      set_at = one << pick_set_o[p*5 +: 5];
      for (w = 0; w < 4; w = w + 1) begin
        if (ready[0] & (pick_way_o[p*2 +: 2] == w[1:0])) begin
          issue_o[w*32 +: 32] = issue_o[w*32 +: 32] | set_at;
        end
      end
    end
  end

  // The gangs of the last cycle in which any issued.
  always @* begin
    last_valid_d = last_valid_q;
    if (picked[0]) begin
      last_valid_d = picked;
    end
  end

  always @* begin : comb_last_set_d
    integer p;
    for (p = 0; p < 4; p = p + 1) begin
      last_set_d[p*5 +: 5] = last_set_q[p*5 +: 5];
      if (picked[0]) begin
        last_set_d[p*5 +: 5] = pick_set_o[p*5 +: 5];
      end
    end
  end

  always @* begin : comb_last_way_d
    integer p;
    for (p = 0; p < 4; p = p + 1) begin
      last_way_d[p*2 +: 2] = last_way_q[p*2 +: 2];
      if (picked[0]) begin
        last_way_d[p*2 +: 2] = pick_way_o[p*2 +: 2];
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      age_q <= 160'd0;
      last_valid_q <= 4'd0;
      last_set_q <= 20'd0;
      last_way_q <= 8'd0;
    end else begin
      age_q <= age_d;
      last_valid_q <= last_valid_d;
      last_set_q <= last_set_d;
      last_way_q <= last_way_d;
    end
  end

endmodule

`default_nettype wire
