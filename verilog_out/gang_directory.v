// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_directory: Knows where every warp of an SM is: in which gang of its original gang, or on
// its own. One set an original gang, four ways a set; a gang is a set and a way. Stored by
// columns: element 8*w + s of a mask is slice s of way w, element w of a flag is way w, and bit
// i of an element is set i. Within a cycle exits come first, then issues, the operation, the
// fill; what touches a gang that an earlier one has touched is refused. A refused request
// changes nothing.
//
// Mechanism: A Variable Warp Size Architecture (section 4.3: gang table).
// Built with sets = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_directory.rs by export-verilog; change it there.

`default_nettype none

module gang_directory (
  input  wire          clk_i,              // clock
  input  wire          rst_i,              // synchronous reset, active high
  input  wire          op_valid_i,         // there is an operation
  // 0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire
  input  wire    [2:0] op_code_i,
  input  wire    [4:0] op_set_i,           // the original gang
  input  wire    [3:0] op_ways_i,          // gangs meant: one for split and retire, any for reform
  input  wire   [31:0] op_group_mask_i,    // launch and split: warps of each new gang
  // launch and split: warps on their own; reform: those to take in
  input  wire    [7:0] op_single_mask_i,
  input  wire          fill_valid_i,       // the I-buffers of a gang get their instruction
  input  wire    [4:0] fill_set_i,         // set of that gang
  input  wire    [1:0] fill_way_i,         // way of that gang
  input  wire          fill_control_i,     // the instruction decides the next program counter
  input  wire  [127:0] issue_i,            // gangs that issue in this cycle
  input  wire    [7:0] ready_valid_i,      // slice s has a ganged warp become ready
  input  wire   [39:0] ready_set_i,        // and the set it belongs to
  input  wire    [7:0] exit_valid_i,       // slice s has a warp exit
  input  wire   [39:0] exit_set_i,         // and the set it belongs to
  input  wire    [4:0] look_set_i,         // set to be shown, for reformation
  output wire          op_error_o,         // the operation is refused
  output wire          fill_error_o,       // the fill is refused
  output wire          issue_error_o,      // one of the issues is refused
  output reg     [7:0] ready_error_o,      // that warp is not in a gang
  output reg     [7:0] exit_error_o,       // that warp is not alive
  output wire [1023:0] gang_mask_o,        // GangMask
  output wire [1023:0] gang_ready_o,       // ReadyMask
  // the gang is ready and its instruction is in the I-buffers
  output reg   [127:0] issuable_o,
  // the gang wants an instruction and knows its program counter
  output reg   [127:0] fetchable_o,
  // the instruction at the stored program counter has issued: the next one is due
  output reg   [127:0] advanced_o,
  output wire  [255:0] independent_o,      // warps on their own; element s is slice s
  output reg    [31:0] look_mask_o,        // GangMask of each way of look_set
  output reg     [3:0] look_open_o,        // the way holds a gang that knows its program counter
  output reg     [3:0] look_advanced_o,    // advanced, of each way of look_set
  output reg     [7:0] look_independent_o, // warps of look_set on their own
  output wire    [3:0] pc_write_o,         // ways of op_set that take a new program counter
  output wire    [7:0] pc_group_o,         // and the group they take it from
  output reg     [3:0] pc_fill_o           // the way whose fetched program counter is to be kept
);

  wire   [31:0] one;
  reg   [255:0] exit_at;
  reg   [255:0] ready_at;
  reg   [255:0] exit_ok;
  reg   [255:0] ready_ok;
  reg   [255:0] ganged;
  reg    [31:0] stray;
  reg   [127:0] live;
  reg   [127:0] stuck;
  reg   [127:0] hit;
  reg   [127:0] pending;
  reg   [127:0] issue_ok;
  reg    [31:0] refused;
  reg    [31:0] here_mask;
  reg    [31:0] here_ready;
  reg     [3:0] here_valid;
  reg     [3:0] here_control;
  reg     [3:0] here_pending;
  reg     [3:0] here_busy;
  reg     [7:0] here_independent;
  reg     [7:0] here_leaving;
  wire   [31:0] op_at;
  wire   [31:0] look_at;
  reg   [127:0] write_at;
  reg    [31:0] fill_at;
  reg   [127:0] fill_ok;
  reg  [1023:0] kept;
  reg    [31:0] some;
  reg   [127:0] two;
  reg   [127:0] gone;
  reg  [1023:0] after;
  reg   [255:0] solo;
  reg  [1023:0] woke;
  reg   [127:0] loaded;
  reg   [127:0] decides;
  wire [1023:0] mask_d;
  reg  [1023:0] mask_q;
  wire [1023:0] ready_d;
  reg  [1023:0] ready_q;
  reg   [127:0] valid_d;
  reg   [127:0] valid_q;
  reg   [127:0] control_d;
  reg   [127:0] control_q;
  reg   [127:0] issued_d;
  reg   [127:0] issued_q;
  wire  [255:0] alone_d;
  reg   [255:0] alone_q;
  wire    [3:0] operation_write;
  wire   [31:0] operation_new_mask;
  wire   [31:0] operation_new_ready;
  wire    [3:0] operation_new_valid;
  wire    [3:0] operation_new_control;
  wire    [7:0] operation_join;
  wire    [7:0] operation_leave;

  gang_operation u_operation (
    .op_valid_i        (op_valid_i),
    .op_code_i         (op_code_i),
    .op_ways_i         (op_ways_i),
    .op_group_mask_i   (op_group_mask_i),
    .op_single_mask_i  (op_single_mask_i),
    .set_mask_i        (here_mask),
    .set_ready_i       (here_ready),
    .set_valid_i       (here_valid),
    .set_control_i     (here_control),
    .set_pending_i     (here_pending),
    .set_independent_i (here_independent),
    .busy_ways_i       (here_busy),
    .leaving_i         (here_leaving),
    .error_o           (op_error_o),
    .write_o           (operation_write),
    .new_mask_o        (operation_new_mask),
    .new_ready_o       (operation_new_ready),
    .new_valid_o       (operation_new_valid),
    .new_control_o     (operation_new_control),
    .new_group_o       (pc_group_o),
    .join_o            (operation_join),
    .leave_o           (operation_leave)
  );

  // What each slice reports, as one bit a set.
  assign one = 32'd1;

  always @* begin : comb_exit_at
    integer s;
    for (s = 0; s < 8; s = s + 1) begin
      exit_at[s*32 +: 32] = 32'd0;
      if (exit_valid_i[s]) begin
        exit_at[s*32 +: 32] = one << exit_set_i[s*5 +: 5];
      end
    end
  end

  always @* begin : comb_ready_at
    integer s;
    for (s = 0; s < 8; s = s + 1) begin
      ready_at[s*32 +: 32] = 32'd0;
      if (ready_valid_i[s]) begin
        ready_at[s*32 +: 32] = one << ready_set_i[s*5 +: 5];
      end
    end
  end

  always @* begin : comb_ganged
    integer s;
    integer w;
    for (s = 0; s < 8; s = s + 1) begin
      ganged[s*32 +: 32] = 32'd0;
      for (w = 0; w < 4; w = w + 1) begin
        ganged[s*32 +: 32] = ganged[s*32 +: 32] | mask_q[s*32 + w*256 +: 32];
      end
    end
  end

  always @* begin : comb_ready_error_o
    integer s;
    ready_error_o = 8'd0;
    exit_error_o = 8'd0;
    for (s = 0; s < 8; s = s + 1) begin
      ready_error_o[s] = |(ready_at[s*32 +: 32] & ~ganged[s*32 +: 32]);
      ready_ok[s*32 +: 32] = ready_at[s*32 +: 32] & ganged[s*32 +: 32];
      stray = ~(ganged[s*32 +: 32] | alone_q[s*32 +: 32]);
      exit_error_o[s] = |(exit_at[s*32 +: 32] & stray);
      exit_ok[s*32 +: 32] = exit_at[s*32 +: 32] & ~stray;
    end
  end

  // Per gang: it exists, waits for a warp, loses a warp now, waits for a branch.
  always @* begin : comb_live
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      live[w*32 +: 32] = 32'd0;
      stuck[w*32 +: 32] = 32'd0;
      hit[w*32 +: 32] = 32'd0;
      for (s = 0; s < 8; s = s + 1) begin
        live[w*32 +: 32] = live[w*32 +: 32] | mask_q[s*32 + w*256 +: 32];
        stuck[w*32 +: 32] = stuck[w*32 +: 32]
            | (mask_q[s*32 + w*256 +: 32] & ~ready_q[s*32 + w*256 +: 32]);
        hit[w*32 +: 32] = hit[w*32 +: 32] | (mask_q[s*32 + w*256 +: 32] & exit_ok[s*32 +: 32]);
      end
    end
  end

  always @* begin : comb_pending
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      pending[w*32 +: 32] = issued_q[w*32 +: 32] & control_q[w*32 +: 32];
      issuable_o[w*32 +: 32] = valid_q[w*32 +: 32] & ~stuck[w*32 +: 32];
      fetchable_o[w*32 +: 32] = live[w*32 +: 32] & ~valid_q[w*32 +: 32] & ~pending[w*32 +: 32];
      advanced_o[w*32 +: 32] = issued_q[w*32 +: 32] & ~control_q[w*32 +: 32];
    end
  end

  // Issues, unless the gang loses a warp in this cycle.
  always @* begin : comb_issue_ok
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      issue_ok[w*32 +: 32] = issue_i[w*32 +: 32] & issuable_o[w*32 +: 32] & ~hit[w*32 +: 32];
    end
  end

  always @* begin : comb_refused
    integer w;
    refused = 32'd0;
    for (w = 0; w < 4; w = w + 1) begin
      refused = refused | (issue_i[w*32 +: 32] & ~issue_ok[w*32 +: 32]);
    end
  end

  assign issue_error_o = |refused;

  // The set that the operation is about.
  assign op_at = one << op_set_i;

  always @* begin : comb_here_valid
    integer w;
    here_valid = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      here_valid[w] = |(valid_q[w*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_control
    integer w;
    here_control = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      here_control[w] = |(control_q[w*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_pending
    integer w;
    here_pending = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      here_pending[w] = |(pending[w*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_busy
    integer w;
    here_busy = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      here_busy[w] = |(issue_ok[w*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_independent
    integer s;
    here_independent = 8'd0;
    for (s = 0; s < 8; s = s + 1) begin
      here_independent[s] = |(alone_q[s*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_leaving
    integer s;
    here_leaving = 8'd0;
    for (s = 0; s < 8; s = s + 1) begin
      here_leaving[s] = |(exit_ok[s*32 +: 32] & op_at);
    end
  end

  always @* begin : comb_here_mask
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      here_mask[w*8 +: 8] = 8'd0;
      for (s = 0; s < 8; s = s + 1) begin
        here_mask[s + w*8] = |(mask_q[s*32 + w*256 +: 32] & op_at);
      end
    end
  end

  always @* begin : comb_here_ready
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      here_ready[w*8 +: 8] = 8'd0;
      for (s = 0; s < 8; s = s + 1) begin
        here_ready[s + w*8] = |(ready_q[s*32 + w*256 +: 32] & op_at);
      end
    end
  end

  assign pc_write_o = operation_write;

  always @* begin : comb_write_at
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      write_at[w*32 +: 32] = 32'd0;
      if (operation_write[w]) begin
        write_at[w*32 +: 32] = op_at;
      end
    end
  end

  // The fill, unless the operation needs the program counters of the same way.
  always @* begin
    fill_at = 32'd0;
    if (fill_valid_i) begin
      fill_at = one << fill_set_i;
    end
  end

  always @* begin : comb_pc_fill_o
    integer w;
    pc_fill_o = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      fill_ok[w*32 +: 32] = 32'd0;
      if ((fill_way_i == w[1:0]) & !operation_write[w]) begin
        fill_ok[w*32 +: 32] = fill_at & fetchable_o[w*32 +: 32] & ~hit[w*32 +: 32];
      end
      pc_fill_o[w] = |fill_ok[w*32 +: 32];
    end
  end

  assign fill_error_o = fill_valid_i & !(|pc_fill_o);

  // GangMasks after the operation and the exits.
  always @* begin : comb_kept
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        kept[s*32 + w*256 +: 32] = mask_q[s*32 + w*256 +: 32] & ~write_at[w*32 +: 32];
        if (operation_new_mask[s + w*8]) begin
          kept[s*32 + w*256 +: 32] = mask_q[s*32 + w*256 +: 32] | write_at[w*32 +: 32];
        end
        kept[s*32 + w*256 +: 32] = kept[s*32 + w*256 +: 32] & ~exit_ok[s*32 +: 32];
      end
    end
  end

  // A gang that is left with one warp, or none, is gone; that warp goes on alone.
  always @* begin : comb_some
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      some = 32'd0;
      two[w*32 +: 32] = 32'd0;
      for (s = 0; s < 8; s = s + 1) begin
        two[w*32 +: 32] = two[w*32 +: 32] | (some & kept[s*32 + w*256 +: 32]);
        some = some | kept[s*32 + w*256 +: 32];
      end
    end
  end

  always @* begin : comb_gone
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      gone[w*32 +: 32] = hit[w*32 +: 32] & ~two[w*32 +: 32];
    end
  end

  always @* begin : comb_after
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        after[s*32 + w*256 +: 32] = kept[s*32 + w*256 +: 32] & ~gone[w*32 +: 32];
      end
    end
  end

  always @* begin : comb_solo
    integer s;
    integer w;
    for (s = 0; s < 8; s = s + 1) begin
      solo[s*32 +: 32] = alone_q[s*32 +: 32];
      if (operation_join[s]) begin
        solo[s*32 +: 32] = alone_q[s*32 +: 32] | op_at;
      end
      if (operation_leave[s]) begin
        solo[s*32 +: 32] = alone_q[s*32 +: 32] & ~op_at;
      end
      solo[s*32 +: 32] = solo[s*32 +: 32] & ~exit_ok[s*32 +: 32];
      for (w = 0; w < 4; w = w + 1) begin
        solo[s*32 +: 32] = solo[s*32 +: 32] | (kept[s*32 + w*256 +: 32] & gone[w*32 +: 32]);
      end
    end
  end

  assign alone_d = solo;
  assign independent_o = alone_q;

  // ReadyMasks: an issue clears them, a ready warp counts from the next cycle on.
  always @* begin : comb_woke
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      for (s = 0; s < 8; s = s + 1) begin
        woke[s*32 + w*256 +: 32] = ready_q[s*32 + w*256 +: 32] & ~write_at[w*32 +: 32];
        if (operation_new_ready[s + w*8]) begin
          woke[s*32 + w*256 +: 32] = ready_q[s*32 + w*256 +: 32] | write_at[w*32 +: 32];
        end
        woke[s*32 + w*256 +: 32] = (woke[s*32 + w*256 +: 32] | ready_ok[s*32 +: 32])
            & after[s*32 + w*256 +: 32]
            & ~issue_ok[w*32 +: 32];
      end
    end
  end

  assign mask_d = after;
  assign ready_d = woke;
  assign gang_mask_o = mask_q;
  assign gang_ready_o = ready_q;

  // The instruction: in the I-buffers, one that decides the path, issued.
  always @* begin : comb_loaded
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      loaded[w*32 +: 32] = valid_q[w*32 +: 32] & ~write_at[w*32 +: 32];
      if (operation_new_valid[w]) begin
        loaded[w*32 +: 32] = valid_q[w*32 +: 32] | write_at[w*32 +: 32];
      end
    end
  end

  always @* begin : comb_decides
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      decides[w*32 +: 32] = control_q[w*32 +: 32] & ~write_at[w*32 +: 32] & ~fill_ok[w*32 +: 32];
      if (operation_new_control[w]) begin
        decides[w*32 +: 32] = decides[w*32 +: 32] | write_at[w*32 +: 32];
      end
      if (fill_control_i) begin
        decides[w*32 +: 32] = decides[w*32 +: 32] | fill_ok[w*32 +: 32];
      end
    end
  end

  always @* begin : comb_valid_d
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      valid_d[w*32 +: 32] = (loaded[w*32 +: 32] | fill_ok[w*32 +: 32])
          & ~issue_ok[w*32 +: 32]
          & ~gone[w*32 +: 32];
    end
  end

  always @* begin : comb_control_d
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      control_d[w*32 +: 32] = decides[w*32 +: 32] & ~gone[w*32 +: 32];
    end
  end

  always @* begin : comb_issued_d
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      issued_d[w*32 +: 32] = ((issued_q[w*32 +: 32] & ~write_at[w*32 +: 32] & ~fill_ok[w*32 +: 32])
          | issue_ok[w*32 +: 32])
          & ~gone[w*32 +: 32];
    end
  end

  // The set that the reformer looks at.
  assign look_at = one << look_set_i;

  always @* begin : comb_look_open_o
    integer w;
    look_open_o = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      look_open_o[w] = |(live[w*32 +: 32] & ~pending[w*32 +: 32] & look_at);
    end
  end

  always @* begin : comb_look_advanced_o
    integer w;
    look_advanced_o = 4'd0;
    for (w = 0; w < 4; w = w + 1) begin
      look_advanced_o[w] = |(advanced_o[w*32 +: 32] & look_at);
    end
  end

  always @* begin : comb_look_independent_o
    integer s;
    look_independent_o = 8'd0;
    for (s = 0; s < 8; s = s + 1) begin
      look_independent_o[s] = |(alone_q[s*32 +: 32] & look_at);
    end
  end

  always @* begin : comb_look_mask_o
    integer s;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      look_mask_o[w*8 +: 8] = 8'd0;
      for (s = 0; s < 8; s = s + 1) begin
        look_mask_o[s + w*8] = |(mask_q[s*32 + w*256 +: 32] & look_at);
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      mask_q <= 1024'd0;
      ready_q <= 1024'd0;
      valid_q <= 128'd0;
      control_q <= 128'd0;
      issued_q <= 128'd0;
      alone_q <= 256'd0;
    end else begin
      mask_q <= mask_d;
      ready_q <= ready_d;
      valid_q <= valid_d;
      control_q <= control_d;
      issued_q <= issued_d;
      alone_q <= alone_d;
    end
  end

endmodule

`default_nettype wire
