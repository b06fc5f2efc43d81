// Gangs that issue together share no slice and were ready, and a ready gang's turn comes.
//
// Two sets, eight gangs. `watched` is any gang. In round robin it waits at most for each other gang once,
// which is seven cycles, unconditionally. In the other orders the same holds if a gang that has issued
// while it waits is not ready again before its turn: fetch goes round robin, so every gang gets its next
// instruction before any gets a second.

module gang_issue_proof (
  input wire         clk_i,
  input wire         launch_valid_i,
  input wire         launch_set_i,
  input wire   [7:0] issuable_i,
  input wire  [63:0] gang_mask_i,
  input wire [255:0] gang_pc_i,
  input wire   [2:0] cfg_order_i,
  input wire   [2:0] watched_i
);

  reg first = 1'b1;
  always @(posedge clk_i) first <= 1'b0;

  wire  [7:0] issue;
  wire  [1:0] pick_set;
  wire  [3:0] pick_way;
  wire [15:0] pick_mask;
  wire  [7:0] free_slices;

  gang_issue__sets_2 dut (
    .clk_i          (clk_i),
    .rst_i          (first),
    .launch_valid_i (launch_valid_i),
    .launch_set_i   (launch_set_i),
    .issuable_i     (issuable_i),
    .gang_mask_i    (gang_mask_i),
    .gang_pc_i      (gang_pc_i),
    .cfg_order_i    (cfg_order_i),
    .issue_o        (issue),
    .pick_set_o     (pick_set),
    .pick_way_o     (pick_way),
    .pick_mask_o    (pick_mask),
    .free_slices_o  (free_slices)
  );

  // Gang 4*set + way, as the round robin counts.
  wire       some_pick = |pick_mask[7:0];
  integer i, w, s;
  reg [7:0] may, goes;
  reg [7:0] used;
  reg       overlap, some, two;

  always @* begin
    used = 8'd0;
    overlap = 1'b0;
    for (i = 0; i < 2; i = i + 1) begin
      for (w = 0; w < 4; w = w + 1) begin
        some = 1'b0;
        two = 1'b0;
        for (s = 0; s < 8; s = s + 1) begin
          two = two | (some & gang_mask_i[2*(8*w + s) + i]);
          some = some | gang_mask_i[2*(8*w + s) + i];
          if (issue[2*w + i] & gang_mask_i[2*(8*w + s) + i]) begin
            overlap = overlap | used[s];
            used[s] = 1'b1;
          end
        end
        may[4*i + w] = issuable_i[2*w + i] & two;
        goes[4*i + w] = issue[2*w + i];
      end
    end
  end

  // The watched gang, the order, the gangs that went while it waited, and for how long it has waited.
  reg [2:0] watched, order, last;
  reg [7:0] overtook;
  reg [3:0] waited;
  wire      waits = may[watched] & !goes[watched];
  wire [2:0] picked = {pick_set[0], pick_way[1:0]};
  wire [2:0] ahead = watched - last - 3'd1;

  always @(posedge clk_i) begin
    watched <= first ? watched_i : watched;
    order <= first ? cfg_order_i : order;
    last <= first ? 3'd0 : (some_pick ? picked : last);
    overtook <= (first | !waits) ? 8'd0 : (overtook | goes);
    waited <= (first | !waits) ? 4'd0 : waited + 4'd1;
  end

  wire [3:0] others = {3'd0, overtook[0]} + {3'd0, overtook[1]} + {3'd0, overtook[2]}
      + {3'd0, overtook[3]} + {3'd0, overtook[4]} + {3'd0, overtook[5]}
      + {3'd0, overtook[6]} + {3'd0, overtook[7]};

  always @* begin
    if (!first) begin
      assume (cfg_order_i == order);
      if (order != 3'd2) assume ((may & overtook) == 8'd0);
      assert ((goes & ~may) == 8'd0);
      assert (!overlap);
      assert (free_slices == ~used);
      assert (some_pick == (|may));
      assert (!overtook[watched]);
      assert (waited <= 4'd7);
      if (order == 3'd2) assert ((waited == 4'd0) | ({1'b0, ahead} + waited <= 4'd7));
      else assert (waited <= others);
    end
  end

endmodule
