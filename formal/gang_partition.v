// The gang table never loses, doubles or strands a warp, whatever it is asked to do.
//
// Two sets stand for 32: sets share nothing but the request ports. All requests are free, legal or not.
// `alive` is the harness's own account of which warps were launched and have not left. The directory
// holds all of the table but the program counters, which are written where pc_write and pc_fill say.

module gang_partition (
  input wire        clk_i,
  input wire        op_valid_i,
  input wire  [2:0] op_code_i,
  input wire        op_set_i,
  input wire  [3:0] op_ways_i,
  input wire [31:0] op_group_mask_i,
  input wire  [7:0] op_single_mask_i,
  input wire        fill_valid_i,
  input wire        fill_set_i,
  input wire  [1:0] fill_way_i,
  input wire        fill_control_i,
  input wire  [7:0] issue_i,
  input wire  [7:0] ready_valid_i,
  input wire  [7:0] ready_set_i,
  input wire  [7:0] exit_valid_i,
  input wire  [7:0] exit_set_i,
  input wire        look_set_i
);

  reg first = 1'b1;
  always @(posedge clk_i) first <= 1'b0;

  wire        op_error;
  wire        fill_error;
  wire        issue_error;
  wire  [7:0] ready_error;
  wire  [7:0] exit_error;
  wire [63:0] gang_mask;
  wire [63:0] gang_ready;
  wire  [7:0] issuable;
  wire  [7:0] fetchable;
  wire  [7:0] advanced;
  wire [15:0] independent;
  wire  [3:0] pc_write;
  wire  [3:0] pc_fill;

  gang_directory__sets_2 dut (
    .clk_i            (clk_i),
    .rst_i            (first),
    .op_valid_i       (op_valid_i),
    .op_code_i        (op_code_i),
    .op_set_i         (op_set_i),
    .op_ways_i        (op_ways_i),
    .op_group_mask_i  (op_group_mask_i),
    .op_single_mask_i (op_single_mask_i),
    .fill_valid_i     (fill_valid_i),
    .fill_set_i       (fill_set_i),
    .fill_way_i       (fill_way_i),
    .fill_control_i   (fill_control_i),
    .issue_i          (issue_i),
    .ready_valid_i    (ready_valid_i),
    .ready_set_i      (ready_set_i),
    .exit_valid_i     (exit_valid_i),
    .exit_set_i       (exit_set_i),
    .look_set_i       (look_set_i),
    .op_error_o       (op_error),
    .fill_error_o     (fill_error),
    .issue_error_o    (issue_error),
    .ready_error_o    (ready_error),
    .exit_error_o     (exit_error),
    .gang_mask_o      (gang_mask),
    .gang_ready_o     (gang_ready),
    .issuable_o       (issuable),
    .fetchable_o      (fetchable),
    .advanced_o       (advanced),
    .independent_o    (independent),
    .pc_write_o       (pc_write),
    .pc_fill_o        (pc_fill)
  );

  // Bit 8*set + slice.
  reg  [15:0] alive;
  reg  [15:0] alive_next;
  integer s, w, i;

  always @* begin
    alive_next = alive;
    for (i = 0; i < 2; i = i + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        if (op_valid_i & !op_error & (op_set_i == i[0])) begin
          if (op_code_i == 3'd0) begin
            alive_next[8*i + s] = op_group_mask_i[s] | op_group_mask_i[8 + s]
                | op_group_mask_i[16 + s] | op_group_mask_i[24 + s] | op_single_mask_i[s];
          end
          if (op_code_i == 3'd4) begin
            for (w = 0; w < 4; w = w + 1) begin
              if (op_ways_i[w] & gang_mask[2*(8*w + s) + i]) begin
                alive_next[8*i + s] = 1'b0;
              end
            end
          end
        end
        if (exit_valid_i[s] & !exit_error[s] & (exit_set_i[s] == i[0])) begin
          alive_next[8*i + s] = 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) alive <= first ? 16'd0 : alive_next;

  // How often a warp occurs; whether each gang has one warp, two or more.
  reg  [2:0] places;
  reg        some, two;
  reg        once_each, in_company, ready_inside, issue_alive;

  always @* begin
    once_each = 1'b1;
    in_company = 1'b1;
    ready_inside = 1'b1;
    issue_alive = 1'b1;
    for (i = 0; i < 2; i = i + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        places = {2'd0, independent[2*s + i]};
        for (w = 0; w < 4; w = w + 1) begin
          places = places + {2'd0, gang_mask[2*(8*w + s) + i]};
        end
        if (places != {2'd0, alive[8*i + s]}) once_each = 1'b0;
      end
      for (w = 0; w < 4; w = w + 1) begin
        some = 1'b0;
        two = 1'b0;
        for (s = 0; s < 8; s = s + 1) begin
          two = two | (some & gang_mask[2*(8*w + s) + i]);
          some = some | gang_mask[2*(8*w + s) + i];
          if (gang_ready[2*(8*w + s) + i] & !gang_mask[2*(8*w + s) + i]) ready_inside = 1'b0;
        end
        if (some & !two) in_company = 1'b0;
        if (issuable[2*w + i] & !two) issue_alive = 1'b0;
      end
    end
  end

  // A cycle in which every request is refused, or there is none, changes nothing.
  wire quiet = (!op_valid_i | op_error) & (!fill_valid_i | fill_error)
      & ((issue_i == 8'd0) | (issue_error & ((issue_i & issuable) == 8'd0)))
      & (ready_valid_i == ready_error) & (exit_valid_i == exit_error);
  reg          was_quiet;
  reg  [167:0] before;
  wire [167:0] now = {gang_mask, gang_ready, issuable, fetchable, advanced, independent};
  always @(posedge clk_i) begin
    was_quiet <= quiet & !first;
    before <= now;
  end

  always @* begin
    if (!first) begin
      assert (once_each);
      assert (in_company);
      assert (ready_inside);
      assert (issue_alive);
      assert (!was_quiet | (before == now));
      assert ((pc_write == 4'd0) | (op_valid_i & !op_error));
      assert ((pc_fill == 4'd0) | (fill_valid_i & !fill_error));
      assert ((pc_write & pc_fill) == 4'd0);
    end
  end

endmodule
