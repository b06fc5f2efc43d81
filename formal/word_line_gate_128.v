// No word line of a drowsy region opens: drowsy_regions, a row decoder behind its `ready`, and dwl_gate.
//
// One row is watched, any of them: `row` is chosen freely and then kept. Everything else is free in
// every cycle, the region size too; only the wake-up delay keeps its value, so that "long enough" has
// one meaning.

module word_line_gate_128_proof (
  input wire        clk_i,
  input wire        rst_i,
  input wire        access_valid_i,
  input wire  [6:0] access_block_i,
  input wire        early_valid_i,
  input wire  [6:0] early_block_i,
  input wire  [2:0] cfg_region_shift_i,
  input wire [31:0] lane_mask_i,
  input wire [31:0] word_mask_i,
  input wire        full_enable_i,
  input wire        cfg_lane_enable_i
);

  localparam BLOCKS = 128;

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (started || rst_i);

  reg [6:0] row;
  reg [1:0] wake_up;
  always @(posedge clk_i) begin
    row <= row;
    wake_up <= wake_up;
  end

  wire              ready;
  wire [BLOCKS-1:0] drowsy;

  drowsy_regions regions (
    .clk_i              (clk_i),
    .rst_i              (rst_i),
    .access_valid_i     (access_valid_i),
    .access_block_i     (access_block_i),
    .early_valid_i      (early_valid_i),
    .early_block_i      (early_block_i),
    .cfg_region_shift_i (cfg_region_shift_i),
    .cfg_wake_up_i      (wake_up),
    .ready_o            (ready),
    .drowsy_o           (drowsy)
  );

  reg [BLOCKS-1:0] row_select;
  always @* begin
    row_select = {BLOCKS{1'b0}};
    row_select[access_block_i] = ready;
  end

  wire [BLOCKS*32-1:0] word_line;

  dwl_gate gate (
    .row_select_i      (row_select),
    .lane_mask_i       (lane_mask_i),
    .word_mask_i       (word_mask_i),
    .full_enable_i     (full_enable_i),
    .cfg_lane_enable_i (cfg_lane_enable_i),
    .word_line_o       (word_line)
  );

  wire open = |word_line[row*32 +: 32];

  // The supply of the row, and for how many cycles before this one it has been up.
  wire [2:0] shift = (cfg_region_shift_i > 3'd5) ? 3'd5 : cfg_region_shift_i;
  wire [6:0] region = row >> shift;
  wire       up = ~drowsy[region];
  reg  [1:0] up_before;
  always @(posedge clk_i) begin
    if (rst_i || !up) up_before <= 2'd0;
    else if (up_before != 2'd3) up_before <= up_before + 2'd1;
  end

  // The access's own cycle is the first of the delay; the supply is up for the others.
  wire [1:0] settle = (wake_up == 2'd0) ? 2'd0 : wake_up - 2'd1;

  wire [BLOCKS-1:0] awake = ~drowsy;
  always @* begin
    if (started) begin
      // At most one region is awake.
      assert ((awake & (awake - 1'b1)) == {BLOCKS{1'b0}});
      if (open) begin
        assert (ready && access_valid_i && access_block_i == row);
        assert (up);
        assert (up_before >= settle);
      end
    end
  end

endmodule
