// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_splitter__pc_3: Parts the warps of a gang into those that go on together and those that
// go on alone. Bit s of a mask is the warp of slice s. Every member is in exactly one group or
// single; groups have two warps or more and come in the order of their lowest slice, empty ones
// last.
//
// Mechanism: A Variable Warp Size Architecture (section 4.4: gang splitting).
// Built with pc = 3.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_splitter.rs by export-verilog; change it there.

`default_nettype none

module gang_splitter__pc_3 (
  input  wire  [7:0] member_i,           // warps of the gang
  input  wire [23:0] pc_i,               // program counter each warp wants next
  input  wire        memory_i,           // the cause is memory divergence, not the program counters
  input  wire  [7:0] ready_i,            // members that were ready before
  // members made ready in this cycle by a completing memory instruction
  input  wire  [7:0] woken_i,
  // on memory divergence: 1 impatient, 2 group, else do not split
  input  wire  [1:0] cfg_memory_split_i,
  output wire        split_o,            // the gang does not stay whole
  output reg  [31:0] group_mask_o,       // warps of each new gang
  output reg  [11:0] group_pc_o,         // program counter of each new gang
  output reg   [7:0] single_mask_o       // warps that go on alone
);

  wire  [7:0] fresh;
  wire  [7:0] late;
  reg   [1:0] parting;
  reg   [7:0] alone;
  reg  [63:0] same;
  reg  [63:0] mates;
  reg   [7:0] leader;
  reg   [7:0] below;
  reg   [7:0] others;
  reg   [2:0] groups;

  // Memory divergence: some members wake in this cycle while others still wait.
  assign fresh = woken_i & member_i;
  assign late = member_i & ~ready_i & ~woken_i;

  always @* begin
    parting = 2'd0;
    if ((|fresh) & (|late)) begin
      parting = cfg_memory_split_i;
    end
  end

  // Row s: the members that share the program counter of slice s.
  always @* begin : comb_same
    integer s;
    integer t;
    for (s = 0; s < 8; s = s + 1) begin
      same[s*8 +: 8] = 8'd0;
      for (t = 0; t < 8; t = t + 1) begin
        if (pc_i[s*3 +: 3] == pc_i[t*3 +: 3]) begin
          same[s*8 + t] = 1'b1;
        end
      end
    end
  end

  // Row s: the members that go on with slice s, itself included.
  always @* begin : comb_alone
    integer s;
    for (s = 0; s < 8; s = s + 1) begin
      alone = 8'd0;
      alone[s] = 1'b1;
      mates[s*8 +: 8] = same[s*8 +: 8] & member_i;
      if (memory_i) begin
        mates[s*8 +: 8] = member_i;
        if (parting == 2'd1) begin
          mates[s*8 +: 8] = alone;
        end else if (parting == 2'd2) begin
          if (fresh[s]) begin
            mates[s*8 +: 8] = fresh;
          end else begin
            mates[s*8 +: 8] = member_i & ~fresh;
          end
        end
      end
    end
  end

  // A group is led by its lowest slice; a member that has only itself is single.
  always @* begin : comb_below
    integer s;
    below = 8'd0;
    leader = 8'd0;
    single_mask_o = 8'd0;
    for (s = 0; s < 8; s = s + 1) begin
      others = mates[s*8 +: 8];
      others[s] = 1'b0;
      if (member_i[s]) begin
        if (!(|others)) begin
          single_mask_o[s] = 1'b1;
        end else if (!(|(others & below))) begin
          leader[s] = 1'b1;
        end
      end
      below[s] = 1'b1;
    end
  end

  // The n-th leader's mates are group n.
  always @* begin : comb_groups
    integer g;
    integer s;
    groups = 3'd0;
    for (g = 0; g < 4; g = g + 1) begin
      group_mask_o[g*8 +: 8] = 8'd0;
    end
    for (g = 0; g < 4; g = g + 1) begin
      group_pc_o[g*3 +: 3] = 3'd0;
    end
    for (s = 0; s < 8; s = s + 1) begin
      if (leader[s]) begin
        for (g = 0; g < 4; g = g + 1) begin
          if (groups == g[2:0]) begin
            group_mask_o[g*8 +: 8] = mates[s*8 +: 8];
            group_pc_o[g*3 +: 3] = pc_i[s*3 +: 3];
          end
        end
        groups = groups + 3'd1;
      end
    end
  end

  assign split_o = group_mask_o[7:0] != member_i;

endmodule

`default_nettype wire
