// The splitter puts every member in exactly one place, and groups exactly those that belong together.
//
// Program counters of three bits stand for wider ones: they are only copied and compared for equality, and
// eight of them take at most eight values.

module gang_splitter_proof (
  input wire  [7:0] member_i,
  input wire [23:0] pc_i,
  input wire        memory_i,
  input wire  [7:0] ready_i,
  input wire  [7:0] woken_i,
  input wire  [1:0] cfg_memory_split_i,
  output wire       bad
);

  wire        split;
  wire [31:0] group_mask;
  wire [11:0] group_pc;
  wire  [7:0] single_mask;

  gang_splitter__pc_3 dut (
    .member_i           (member_i),
    .pc_i               (pc_i),
    .memory_i           (memory_i),
    .ready_i            (ready_i),
    .woken_i            (woken_i),
    .cfg_memory_split_i (cfg_memory_split_i),
    .split_o            (split),
    .group_mask_o       (group_mask),
    .group_pc_o         (group_pc),
    .single_mask_o      (single_mask)
  );

  // Some members can go on while others cannot.
  wire diverged = (|(member_i & woken_i)) & (|(member_i & ~woken_i & ~ready_i));

  integer s, t, g;
  reg [2:0] places;
  reg       belong, together;
  reg       once_each, grouped_right, right_pc;

  always @* begin
    once_each = 1'b1;
    grouped_right = 1'b1;
    right_pc = 1'b1;
    for (s = 0; s < 8; s = s + 1) begin
      places = {2'd0, single_mask[s]};
      for (g = 0; g < 4; g = g + 1) begin
        places = places + {2'd0, group_mask[8*g + s]};
        if (group_mask[8*g + s] & !memory_i & (group_pc[3*g +: 3] != pc_i[3*s +: 3])) begin
          right_pc = 1'b0;
        end
      end
      if (places != {2'd0, member_i[s]}) once_each = 1'b0;
      for (t = 0; t < 8; t = t + 1) begin
        if ((s != t) & member_i[s] & member_i[t]) begin
          belong = pc_i[3*s +: 3] == pc_i[3*t +: 3];
          if (memory_i) begin
            belong = 1'b1;
            if (diverged & (cfg_memory_split_i == 2'd1)) belong = 1'b0;
            if (diverged & (cfg_memory_split_i == 2'd2)) belong = woken_i[s] == woken_i[t];
          end
          together = 1'b0;
          for (g = 0; g < 4; g = g + 1) begin
            together = together | (group_mask[8*g + s] & group_mask[8*g + t]);
          end
          if (belong != together) grouped_right = 1'b0;
        end
      end
    end
  end

  assign bad = !once_each | !grouped_right | !right_pc | (split != (group_mask[7:0] != member_i));

endmodule
