// A proposal of the reformer merges at least two open gangs or warps, all at the proposed program counter.
//
// Program counters of four bits stand for wider ones: they are only copied and compared for equality.

module gang_reformer_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire [31:0] gang_mask_i,
  input wire [15:0] gang_pc_i,
  input wire  [3:0] gang_open_i,
  input wire  [7:0] single_mask_i,
  input wire [31:0] single_pc_i,
  input wire  [7:0] single_open_i,
  input wire        merge_taken_i,
  input wire        sync_valid_i,
  input wire        sync_set_i,
  input wire  [7:0] sync_mask_i,
  input wire        cfg_reform_i,
  input wire        cfg_merge_all_i,
  input wire  [7:0] cfg_sync_wait_i
);

  wire        merge_valid;
  wire  [3:0] merge_ways;
  wire  [7:0] merge_singles;
  wire  [3:0] merge_pc;

  gang_reformer__sets_2__pc_4 dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .gang_mask_i     (gang_mask_i),
    .gang_pc_i       (gang_pc_i),
    .gang_open_i     (gang_open_i),
    .single_mask_i   (single_mask_i),
    .single_pc_i     (single_pc_i),
    .single_open_i   (single_open_i),
    .merge_taken_i   (merge_taken_i),
    .sync_valid_i    (sync_valid_i),
    .sync_set_i      (sync_set_i),
    .sync_mask_i     (sync_mask_i),
    .cfg_reform_i    (cfg_reform_i),
    .cfg_merge_all_i (cfg_merge_all_i),
    .cfg_sync_wait_i (cfg_sync_wait_i),
    .merge_valid_o   (merge_valid),
    .merge_ways_o    (merge_ways),
    .merge_singles_o (merge_singles),
    .merge_pc_o      (merge_pc)
  );

  // What the gang table shows: no warp in two places.
  integer s, w;
  reg [7:0] seen;
  reg       apart;
  reg [3:0] parts, chance;
  reg       sound, missed;
  integer t;

  always @* begin
    seen = single_mask_i;
    apart = 1'b1;
    for (w = 0; w < 4; w = w + 1) begin
      if (|(seen & gang_mask_i[8*w +: 8])) apart = 1'b0;
      seen = seen | gang_mask_i[8*w +: 8];
    end
    parts = 4'd0;
    sound = 1'b1;
    for (w = 0; w < 4; w = w + 1) begin
      if (merge_ways[w]) begin
        parts = parts + 4'd1;
        if (!gang_open_i[w] | !(|gang_mask_i[8*w +: 8])) sound = 1'b0;
        if (gang_pc_i[4*w +: 4] != merge_pc) sound = 1'b0;
      end
    end
    for (s = 0; s < 8; s = s + 1) begin
      if (merge_singles[s]) begin
        parts = parts + 4'd1;
        if (!single_open_i[s] | !single_mask_i[s]) sound = 1'b0;
        if (single_pc_i[4*s +: 4] != merge_pc) sound = 1'b0;
      end
    end
    // Two open single warps at one program counter, or two gangs, are never overlooked.
    missed = 1'b0;
    for (s = 0; s < 8; s = s + 1) begin
      for (t = 0; t < 8; t = t + 1) begin
        if ((s != t) & single_mask_i[s] & single_open_i[s] & single_mask_i[t] & single_open_i[t]
            & (single_pc_i[4*s +: 4] == single_pc_i[4*t +: 4])) missed = 1'b1;
      end
    end
    assume (apart);
    assert (!merge_valid | sound);
    assert (merge_valid == (parts != 4'd0));
    assert (parts != 4'd1);
    assert (cfg_merge_all_i | (parts <= 4'd2));
    assert (!(cfg_reform_i & missed) | merge_valid);
  end

endmodule
