// A proposal of the reformer merges at least two open gangs or warps, all at the proposed program counter.
//
// Program counters of three bits stand for wider ones: they are only copied and compared for equality,
// and eight of them take at most eight values.

module gang_reformer_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire [31:0] gang_mask_i,
  input wire [11:0] gang_pc_i,
  input wire  [3:0] gang_open_i,
  input wire  [7:0] single_mask_i,
  input wire [23:0] single_pc_i,
  input wire  [7:0] single_open_i,
  input wire        merge_taken_i,
  input wire        sync_valid_i,
  input wire        sync_set_i,
  input wire  [7:0] sync_mask_i,
  input wire        cfg_reform_i,
  input wire        cfg_merge_all_i,
  input wire  [7:0] cfg_sync_wait_i,
  output wire       bad
);

  wire        merge_valid;
  wire  [3:0] merge_ways;
  wire  [7:0] merge_singles;
  wire  [2:0] merge_pc;

  gang_reformer__sets_2__pc_3 dut (
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

  // Per slice: its home (a way, or 4 + s on its own), whether it may merge, and its program counter.
  integer s, t, w;
  reg  [7:0] seen;
  reg        apart;
  reg [31:0] home;
  reg  [7:0] open;
  reg [23:0] pc;
  reg  [3:0] parts;
  reg        sound, met;

  always @* begin
    // What the gang table shows: no warp in two places.
    seen = single_mask_i;
    apart = 1'b1;
    for (w = 0; w < 4; w = w + 1) begin
      if (|(seen & gang_mask_i[8*w +: 8])) apart = 1'b0;
      seen = seen | gang_mask_i[8*w +: 8];
    end
    for (s = 0; s < 8; s = s + 1) begin
      home[4*s +: 4] = 4'd4 + s[3:0];
      open[s] = single_mask_i[s] & single_open_i[s];
      pc[3*s +: 3] = single_pc_i[3*s +: 3];
      for (w = 0; w < 4; w = w + 1) begin
        if (gang_mask_i[8*w + s]) begin
          home[4*s +: 4] = w[3:0];
          open[s] = gang_open_i[w];
          pc[3*s +: 3] = gang_pc_i[3*w +: 3];
        end
      end
    end
    parts = 4'd0;
    sound = 1'b1;
    for (w = 0; w < 4; w = w + 1) begin
      if (merge_ways[w]) begin
        parts = parts + 4'd1;
        if (!gang_open_i[w] | !(|gang_mask_i[8*w +: 8])) sound = 1'b0;
        if (gang_pc_i[3*w +: 3] != merge_pc) sound = 1'b0;
      end
    end
    for (s = 0; s < 8; s = s + 1) begin
      if (merge_singles[s]) begin
        parts = parts + 4'd1;
        if (!single_open_i[s] | !single_mask_i[s]) sound = 1'b0;
        if (single_pc_i[3*s +: 3] != merge_pc) sound = 1'b0;
      end
    end
    met = 1'b0;
    for (s = 0; s < 8; s = s + 1) begin
      for (t = 0; t < 8; t = t + 1) begin
        if (open[s] & open[t] & (home[4*s +: 4] != home[4*t +: 4])
            & (pc[3*s +: 3] == pc[3*t +: 3])) met = 1'b1;
      end
    end
  end

  assign bad = apart
      & ((merge_valid & !sound)
          | (merge_valid != (parts != 4'd0))
          | (parts == 4'd1)
          | (!cfg_merge_all_i & (parts > 4'd2))
          | (merge_valid != (cfg_reform_i & met)));

endmodule
