// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_issue__sets_2: Picks the gangs that issue together in a cycle, on disjoint slices, and
// leaves the free slices. Element w of a flag is way w, element 8*w + s of a mask slice s of
// way w, element 4*k + w of the program counters bit k of way w; bit i of an element is set i.
// Each pick is a tournament of the gangs on free slices: the better by the rules of the order
// wins, of equals the lower set, then way.
//
// Mechanism: A Variable Warp Size Architecture (sections 4.2 and 6.3: gang issue).
// Built with sets = 2, picks = 2.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_issue.rs by export-verilog; change it there.

`default_nettype none

module gang_issue__sets_2 (
  input  wire         clk_i,          // clock
  input  wire         rst_i,          // synchronous reset, active high
  input  wire         launch_valid_i, // an original gang is launched: it becomes the youngest
  input  wire         launch_set_i,   // its set
  input  wire   [7:0] issuable_i,     // gangs that may issue
  input  wire  [63:0] gang_mask_i,    // their slices
  input  wire [255:0] gang_pc_i,      // their program counters
  // 0 largest, greedy, oldest; 1 greedy, oldest; 2 round robin; 3 lowest PC, oldest; 4 smallest,
  // greedy, oldest; else as 0
  input  wire   [2:0] cfg_order_i,
  output reg    [7:0] issue_o,        // gangs that issue
  output reg    [1:0] pick_set_o,     // set of the n-th gang, 0 if there is none
  output reg    [3:0] pick_way_o,     // its way, 0 if there is none
  output reg   [15:0] pick_mask_o,    // its slices, none if there is none
  output reg    [7:0] free_slices_o   // slices left for warps on their own
);

  wire   [1:0] one;
  reg    [1:0] launched;
  reg    [9:0] level;
  reg    [1:0] younger;
  reg    [1:0] carry;
  reg   [31:0] pair_low;
  reg   [31:0] pair_high;
  reg   [15:0] quad_low;
  reg   [15:0] quad_middle;
  reg   [15:0] quad_high;
  reg    [7:0] carry_low;
  reg    [7:0] carry_middle;
  reg   [31:0] size;
  reg    [7:0] fit;
  reg    [7:0] greedy;
  wire   [1:0] last_at;
  reg    [7:0] later;
  wire         by_pc;
  wire         by_size;
  wire         small_first;
  wire         in_turn;
  reg    [4:0] stride;
  reg   [39:0] rank;
  reg    [3:0] behind;
  reg  [125:0] pc_less;
  reg  [125:0] pc_same;
  reg    [7:0] left;
  reg    [3:0] upper;
  reg    [1:0] ready;
  reg   [19:0] key;
  reg   [63:0] pc;
  reg   [15:0] slices;
  reg   [13:0] at;
  reg    [1:0] rival_ready;
  reg   [19:0] rival_key;
  reg   [63:0] rival_pc;
  reg   [15:0] rival_slices;
  reg   [13:0] rival_at;
  reg   [37:0] less;
  reg   [37:0] same;
  reg    [1:0] takes;
  reg    [1:0] picked;
  reg    [7:0] mask;
  reg    [1:0] set_at;
  reg    [9:0] age_d;
  reg    [9:0] age_q;
  reg    [1:0] last_valid_d;
  reg    [1:0] last_valid_q;
  reg    [1:0] last_set_d;
  reg    [1:0] last_set_q;
  reg    [3:0] last_way_d;
  reg    [3:0] last_way_q;

  assign one = 2'd1;

  // Ages in launches: those not older than the launched set grow older, it becomes 0.
  always @* begin
    launched = 2'd0;
    if (launch_valid_i) begin
      launched = one << launch_set_i;
    end
  end

  always @* begin : comb_level
    integer k;
    for (k = 0; k < 5; k = k + 1) begin
      level[k*2 +: 2] = 2'd0;
      if (|(age_q[k*2 +: 2] & launched)) begin
        level[k*2 +: 2] = ~level[k*2 +: 2];
      end
    end
  end

  always @* begin : comb_younger
    integer k;
    younger = 2'd0;
    younger = ~younger;
    for (k = 0; k < 5; k = k + 1) begin
      younger = (level[k*2 +: 2] & ~age_q[k*2 +: 2])
          | (~(level[k*2 +: 2] ^ age_q[k*2 +: 2]) & younger);
    end
  end

  always @* begin : comb_carry
    integer k;
    carry = 2'd0;
    if (launch_valid_i) begin
      carry = younger;
    end
    for (k = 0; k < 5; k = k + 1) begin
      age_d[k*2 +: 2] = (age_q[k*2 +: 2] ^ carry) & ~launched;
      carry = age_q[k*2 +: 2] & carry;
    end
  end

  // Warps of each gang, by a tree of adders: bit k of the count of way w is size 4*k + w.
  always @* begin : comb_pair_low
    integer j;
    for (j = 0; j < 16; j = j + 1) begin
      pair_low[j*2 +: 2] = gang_mask_i[j*4 +: 2] ^ gang_mask_i[j*4 + 2 +: 2];
    end
  end

  always @* begin : comb_pair_high
    integer j;
    for (j = 0; j < 16; j = j + 1) begin
      pair_high[j*2 +: 2] = gang_mask_i[j*4 +: 2] & gang_mask_i[j*4 + 2 +: 2];
    end
  end

  always @* begin : comb_quad_low
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_low[j*2 +: 2] = pair_low[j*4 +: 2] ^ pair_low[j*4 + 2 +: 2];
    end
  end

  always @* begin : comb_quad_middle
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_middle[j*2 +: 2] = pair_high[j*4 +: 2]
          ^ pair_high[j*4 + 2 +: 2]
          ^ (pair_low[j*4 +: 2] & pair_low[j*4 + 2 +: 2]);
    end
  end

  always @* begin : comb_quad_high
    integer j;
    for (j = 0; j < 8; j = j + 1) begin
      quad_high[j*2 +: 2] = pair_high[j*4 +: 2] & pair_high[j*4 + 2 +: 2];
    end
  end

  always @* begin : comb_carry_low
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      carry_low[w*2 +: 2] = quad_low[w*4 +: 2] & quad_low[w*4 + 2 +: 2];
      carry_middle[w*2 +: 2] = (quad_middle[w*4 +: 2] & quad_middle[w*4 + 2 +: 2])
          | (carry_low[w*2 +: 2] & (quad_middle[w*4 +: 2] | quad_middle[w*4 + 2 +: 2]));
      size[w*2 +: 2] = quad_low[w*4 +: 2] ^ quad_low[w*4 + 2 +: 2];
      size[w*2 + 8 +: 2] = quad_middle[w*4 +: 2] ^ quad_middle[w*4 + 2 +: 2] ^ carry_low[w*2 +: 2];
      size[w*2 + 16 +: 2] = quad_high[w*4 +: 2] ^ quad_high[w*4 + 2 +: 2] ^ carry_middle[w*2 +: 2];
      size[w*2 + 24 +: 2] = quad_high[w*4 +: 2] & quad_high[w*4 + 2 +: 2];
    end
  end

  // A gang of fewer than two warps is none.
  always @* begin : comb_fit
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      fit[w*2 +: 2] = issuable_i[w*2 +: 2]
          & (size[w*2 + 8 +: 2] | size[w*2 + 16 +: 2] | size[w*2 + 24 +: 2]);
    end
  end

  // Greedy: the gangs that issued last. Later: those behind the first of them.
  always @* begin : comb_greedy
    integer p;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      greedy[w*2 +: 2] = 2'd0;
      for (p = 0; p < 2; p = p + 1) begin
        if (last_valid_q[p] & (last_way_q[p*2 +: 2] == w[1:0])) begin
          greedy[w*2 +: 2] = greedy[w*2 +: 2] | (one << last_set_q[p]);
        end
      end
    end
  end

  assign last_at = one << last_set_q[0];

  always @* begin : comb_later
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      // Minus twice a bit: all bits above it. Minus the bit: those and itself.
      later[w*2 +: 2] = ~(last_at + last_at) + 2'd1;
      if (last_way_q[1:0] < w[1:0]) begin
        later[w*2 +: 2] = ~last_at + 2'd1;
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
        rank[k*8 + w*2 + 8 +: 2] = 2'd0;
        if (by_size) begin
          rank[k*8 + w*2 + 8 +: 2] = ~size[k*8 + w*2 +: 2];
          if (small_first) begin
            rank[k*8 + w*2 + 8 +: 2] = size[k*8 + w*2 +: 2];
          end
        end
      end
      rank[w*2 +: 2] = 2'd0;
      if (in_turn) begin
        rank[w*2 +: 2] = ~later[w*2 +: 2];
      end else if (!by_pc) begin
        rank[w*2 +: 2] = ~greedy[w*2 +: 2];
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
      behind[j*2 +: 2] = 2'd0;
      for (k = 0; k < 5; k = k + 1) begin
        behind[j*2 +: 2] = (rank[j*4 + k*8 +: 2] & ~rank[j*4 + k*8 + 2 +: 2])
            | (~(rank[j*4 + k*8 +: 2] ^ rank[j*4 + k*8 + 2 +: 2]) & behind[j*2 +: 2]);
      end
      for (k = 0; k < 63; k = k + 1) begin
        pc_less[k*2 +: 2] = 2'd0;
      end
      for (k = 0; k < 63; k = k + 1) begin
        pc_same[k*2 +: 2] = 2'd0;
      end
      // Node n of a comparison joins node 2*n + 1 with node 2*n + 2, whose bits count less.
      if (by_pc) begin
        for (k = 0; k < 32; k = k + 1) begin
          pc_less[-k*2 + 124 +: 2] = gang_pc_i[j*4 + k*8 +: 2] & ~gang_pc_i[j*4 + k*8 + 2 +: 2];
          pc_same[-k*2 + 124 +: 2] = ~(gang_pc_i[j*4 + k*8 +: 2] ^ gang_pc_i[j*4 + k*8 + 2 +: 2]);
        end
        for (n = 0; n < 31; n = n + 1) begin
          pc_less[-n*2 + 60 +: 2] = pc_less[-n*4 + 122 +: 2]
              | (pc_same[-n*4 + 122 +: 2] & pc_less[-n*4 + 124 +: 2]);
          pc_same[-n*2 + 60 +: 2] = pc_same[-n*4 + 122 +: 2] & pc_same[-n*4 + 124 +: 2];
        end
      end
      behind[j*2 +: 2] = behind[j*2 +: 2] | pc_less[1:0];
    end
    // One pick after the other, each among the gangs on slices that are still free.
    free_slices_o = 8'hff;
    picked = 2'd0;
    for (w = 0; w < 4; w = w + 1) begin
      issue_o[w*2 +: 2] = 2'd0;
    end
    for (p = 0; p < 2; p = p + 1) begin
      for (w = 0; w < 4; w = w + 1) begin
        left[w*2 +: 2] = fit[w*2 +: 2];
        for (s = 0; s < 8; s = s + 1) begin
          if (!free_slices_o[s]) begin
            left[w*2 +: 2] = left[w*2 +: 2] & ~gang_mask_i[s*2 + w*16 +: 2];
          end
        end
      end
      // Way 1 against way 0, and way 3 against way 2; the winners are rivals.
      for (j = 0; j < 2; j = j + 1) begin
        upper[j*2 +: 2] = left[j*4 + 2 +: 2] & (~left[j*4 +: 2] | behind[j*2 +: 2]);
      end
      ready = left[1:0] | left[3:2];
      rival_ready = left[5:4] | left[7:6];
      for (k = 0; k < 5; k = k + 1) begin
        key[k*2 + 10 +: 2] = (rank[k*8 +: 2] & ~upper[1:0]) | (rank[k*8 + 2 +: 2] & upper[1:0]);
        rival_key[k*2 + 10 +: 2] = (rank[k*8 + 4 +: 2] & ~upper[3:2])
            | (rank[k*8 + 6 +: 2] & upper[3:2]);
        // The older first, but not in turn.
        key[k*2 +: 2] = 2'd0;
        if (!in_turn) begin
          key[k*2 +: 2] = ~age_q[k*2 +: 2];
        end
        rival_key[k*2 +: 2] = key[k*2 +: 2];
      end
      for (k = 0; k < 32; k = k + 1) begin
        pc[k*2 +: 2] = 2'd0;
      end
      for (k = 0; k < 32; k = k + 1) begin
        rival_pc[k*2 +: 2] = 2'd0;
      end
      if (by_pc) begin
        for (k = 0; k < 32; k = k + 1) begin
          pc[k*2 +: 2] = (gang_pc_i[k*8 +: 2] & ~upper[1:0])
              | (gang_pc_i[k*8 + 2 +: 2] & upper[1:0]);
          rival_pc[k*2 +: 2] = (gang_pc_i[k*8 + 4 +: 2] & ~upper[3:2])
              | (gang_pc_i[k*8 + 6 +: 2] & upper[3:2]);
        end
      end
      for (s = 0; s < 8; s = s + 1) begin
        slices[s*2 +: 2] = (gang_mask_i[s*2 +: 2] & left[1:0] & ~upper[1:0])
            | (gang_mask_i[s*2 + 16 +: 2] & upper[1:0]);
      end
      for (s = 0; s < 8; s = s + 1) begin
        rival_slices[s*2 +: 2] = (gang_mask_i[s*2 + 32 +: 2] & left[5:4] & ~upper[3:2])
            | (gang_mask_i[s*2 + 48 +: 2] & upper[3:2]);
      end
      // Where the winner comes from: two bits of way, then the set's.
      for (k = 0; k < 7; k = k + 1) begin
        at[k*2 +: 2] = 2'd0;
      end
      for (k = 0; k < 7; k = k + 1) begin
        rival_at[k*2 +: 2] = 2'd0;
      end
      at[1:0] = upper[1:0];
      rival_at[1:0] = upper[3:2];
      // The first round is among ways, the others are among sets, ever further apart.
      stride = 5'd1;
      for (r = 0; r < 6; r = r + 1) begin
        // Nodes 15 to 18 are the bits of size, 9 is the next rule, 10 to 14 age.
        for (k = 0; k < 4; k = k + 1) begin
          less[-k*2 + 36 +: 2] = key[k*2 + 12 +: 2] & ~rival_key[k*2 + 12 +: 2];
        end
        for (k = 0; k < 4; k = k + 1) begin
          same[-k*2 + 36 +: 2] = ~(key[k*2 + 12 +: 2] ^ rival_key[k*2 + 12 +: 2]);
        end
        for (k = 0; k < 6; k = k + 1) begin
          less[-k*2 + 28 +: 2] = key[k*2 +: 2] & ~rival_key[k*2 +: 2];
        end
        for (k = 0; k < 6; k = k + 1) begin
          same[-k*2 + 28 +: 2] = ~(key[k*2 +: 2] ^ rival_key[k*2 +: 2]);
        end
        for (n = 0; n < 9; n = n + 1) begin
          less[-n*2 + 16 +: 2] = less[-n*4 + 34 +: 2]
              | (same[-n*4 + 34 +: 2] & less[-n*4 + 36 +: 2]);
          same[-n*2 + 16 +: 2] = same[-n*4 + 34 +: 2] & same[-n*4 + 36 +: 2];
        end
        takes = less[1:0];
        if (by_pc) begin
          for (k = 0; k < 32; k = k + 1) begin
            pc_less[-k*2 + 124 +: 2] = pc[k*2 +: 2] & ~rival_pc[k*2 +: 2];
            pc_same[-k*2 + 124 +: 2] = ~(pc[k*2 +: 2] ^ rival_pc[k*2 +: 2]);
          end
          for (n = 0; n < 31; n = n + 1) begin
            pc_less[-n*2 + 60 +: 2] = pc_less[-n*4 + 122 +: 2]
                | (pc_same[-n*4 + 122 +: 2] & pc_less[-n*4 + 124 +: 2]);
            pc_same[-n*2 + 60 +: 2] = pc_same[-n*4 + 122 +: 2] & pc_same[-n*4 + 124 +: 2];
          end
          takes = pc_less[1:0] | (pc_same[1:0] & less[1:0]);
        end
        takes = rival_ready & (~ready | takes);
        ready = ready | rival_ready;
        rival_ready = ready >> stride;
        for (k = 0; k < 10; k = k + 1) begin
          key[k*2 +: 2] = (key[k*2 +: 2] & ~takes) | (rival_key[k*2 +: 2] & takes);
          rival_key[k*2 +: 2] = key[k*2 +: 2] >> stride;
        end
        if (by_pc) begin
          for (k = 0; k < 32; k = k + 1) begin
            pc[k*2 +: 2] = (pc[k*2 +: 2] & ~takes) | (rival_pc[k*2 +: 2] & takes);
            rival_pc[k*2 +: 2] = pc[k*2 +: 2] >> stride;
          end
        end
        for (s = 0; s < 8; s = s + 1) begin
          slices[s*2 +: 2] = (slices[s*2 +: 2] & ~takes) | (rival_slices[s*2 +: 2] & takes);
          rival_slices[s*2 +: 2] = slices[s*2 +: 2] >> stride;
        end
        for (k = 0; k < 7; k = k + 1) begin
          at[k*2 +: 2] = (at[k*2 +: 2] & ~takes) | (rival_at[k*2 +: 2] & takes);
        end
        at[r*2 + 2 +: 2] = takes;
        for (k = 0; k < 7; k = k + 1) begin
          rival_at[k*2 +: 2] = at[k*2 +: 2] >> stride;
        end
        stride = stride + stride;
      end
      // The champion stands at bit 0.
      picked[p] = ready[0];
      pick_way_o[p*2 +: 2] = 2'd0;
      for (k = 0; k < 2; k = k + 1) begin
        pick_way_o[k + p*2] = at[k*2];
      end
      pick_set_o[p] = 1'b0;
      for (k = 0; k < 1; k = k + 1) begin
        pick_set_o[k + p] = at[k*2 + 4];
      end
      mask = 8'd0;
      for (s = 0; s < 8; s = s + 1) begin
        mask[s] = slices[s*2];
      end
      pick_mask_o[p*8 +: 8] = mask;
      free_slices_o = free_slices_o & ~mask;
      set_at = one << pick_set_o[p];
      for (w = 0; w < 4; w = w + 1) begin
        if (ready[0] & (pick_way_o[p*2 +: 2] == w[1:0])) begin
          issue_o[w*2 +: 2] = issue_o[w*2 +: 2] | set_at;
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
    for (p = 0; p < 2; p = p + 1) begin
      last_set_d[p] = last_set_q[p];
      if (picked[0]) begin
        last_set_d[p] = pick_set_o[p];
      end
    end
  end

  always @* begin : comb_last_way_d
    integer p;
    for (p = 0; p < 2; p = p + 1) begin
      last_way_d[p*2 +: 2] = last_way_q[p*2 +: 2];
      if (picked[0]) begin
        last_way_d[p*2 +: 2] = pick_way_o[p*2 +: 2];
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      age_q <= 10'd0;
      last_valid_q <= 2'd0;
      last_set_q <= 2'd0;
      last_way_q <= 4'd0;
    end else begin
      age_q <= age_d;
      last_valid_q <= last_valid_d;
      last_set_q <= last_set_d;
      last_way_q <= last_way_d;
    end
  end

endmodule

`default_nettype wire
