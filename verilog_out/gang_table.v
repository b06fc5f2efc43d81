// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_table: Keeps the gangs of an SM: who is in them, where they are in the program, who may
// issue. One set an original gang, four ways a set. Stored by columns: element 8*w + s of a
// mask is slice s of way w, element w of a flag is way w, and bit i of an element is set i.
// Within a cycle exits come first, then issues, the operation, the fill; what touches a gang
// that an earlier one has touched is refused. A refused request changes nothing.
//
// Mechanism: A Variable Warp Size Architecture (section 4.3: gang table).
// Built with sets = 32, pc = 32.
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_table.rs by export-verilog; change it there.

`default_nettype none

module gang_table (
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
  // program counter of each new gang; reform uses the first
  input  wire  [127:0] op_group_pc_i,
  input  wire          fill_valid_i,       // the I-buffers of a gang get their instruction
  input  wire    [4:0] fill_set_i,         // set of that gang
  input  wire    [1:0] fill_way_i,         // way of that gang
  input  wire          fill_control_i,     // the instruction decides the next program counter
  input  wire   [31:0] fill_pc_i,          // the program counter it was fetched from
  input  wire  [127:0] issue_i,            // gangs that issue in this cycle
  input  wire    [7:0] ready_valid_i,      // slice s has a ganged warp become ready
  input  wire   [39:0] ready_set_i,        // and the set it belongs to
  input  wire    [7:0] exit_valid_i,       // slice s has a warp exit
  input  wire   [39:0] exit_set_i,         // and the set it belongs to
  input  wire    [4:0] look_set_i,         // set to be shown, for reformation
  input  wire    [4:0] fetch_set_i,        // set of the gang to fetch for
  input  wire    [1:0] fetch_way_i,        // way of the gang to fetch for
  output wire          op_error_o,         // the operation is refused
  output wire          fill_error_o,       // the fill is refused
  output wire          issue_error_o,      // one of the issues is refused
  output wire    [7:0] ready_error_o,      // that warp is not in a gang
  output wire    [7:0] exit_error_o,       // that warp is not alive
  output wire [1023:0] gang_mask_o,        // GangMask
  output wire [1023:0] gang_ready_o,       // ReadyMask
  // the gang is ready and its instruction is in the I-buffers
  output wire  [127:0] issuable_o,
  // the gang wants an instruction and knows its program counter
  output wire  [127:0] fetchable_o,
  // program counters of gangs that may issue; element 4*k + w is bit k of way w
  output wire [4095:0] gang_pc_o,
  output wire  [255:0] independent_o,      // warps on their own; element s is slice s
  output wire   [31:0] look_mask_o,        // GangMask of each way of look_set
  output wire    [3:0] look_open_o,        // the way holds a gang that knows its program counter
  output reg   [127:0] look_pc_o,          // program counter of each way of look_set that is open
  output wire    [7:0] look_independent_o, // warps of look_set on their own
  output reg           fetch_valid_o,      // that gang is fetchable
  output reg    [31:0] fetch_pc_o          // and this is its program counter
);

  wire   [31:0] one;
  reg   [127:0] write_at;
  reg   [127:0] write_pc;
  wire   [31:0] look_at;
  wire   [31:0] fetch_at;
  reg           fetch_next;
  wire  [127:0] directory_fetchable;
  wire  [127:0] directory_advanced;
  wire    [3:0] directory_look_advanced;
  wire    [3:0] directory_pc_write;
  wire    [7:0] directory_pc_group;
  wire    [3:0] directory_pc_fill;
  reg  [4095:0] pc_d;
  reg  [4095:0] pc_q;

  gang_directory u_directory (
    .clk_i              (clk_i),
    .rst_i              (rst_i),
    .op_valid_i         (op_valid_i),
    .op_code_i          (op_code_i),
    .op_set_i           (op_set_i),
    .op_ways_i          (op_ways_i),
    .op_group_mask_i    (op_group_mask_i),
    .op_single_mask_i   (op_single_mask_i),
    .fill_valid_i       (fill_valid_i),
    .fill_set_i         (fill_set_i),
    .fill_way_i         (fill_way_i),
    .fill_control_i     (fill_control_i),
    .issue_i            (issue_i),
    .ready_valid_i      (ready_valid_i),
    .ready_set_i        (ready_set_i),
    .exit_valid_i       (exit_valid_i),
    .exit_set_i         (exit_set_i),
    .look_set_i         (look_set_i),
    .op_error_o         (op_error_o),
    .fill_error_o       (fill_error_o),
    .issue_error_o      (issue_error_o),
    .ready_error_o      (ready_error_o),
    .exit_error_o       (exit_error_o),
    .gang_mask_o        (gang_mask_o),
    .gang_ready_o       (gang_ready_o),
    .issuable_o         (issuable_o),
    .fetchable_o        (directory_fetchable),
    .advanced_o         (directory_advanced),
    .independent_o      (independent_o),
    .look_mask_o        (look_mask_o),
    .look_open_o        (look_open_o),
    .look_advanced_o    (directory_look_advanced),
    .look_independent_o (look_independent_o),
    .pc_write_o         (directory_pc_write),
    .pc_group_o         (directory_pc_group),
    .pc_fill_o          (directory_pc_fill)
  );

  assign fetchable_o = directory_fetchable;

  // One write port a way: the operation, or else the fill.
  assign one = 32'd1;

  always @* begin : comb_write_at
    integer g;
    integer w;
    g = 0;
    for (w = 0; w < 4; w = w + 1) begin
      write_at[w*32 +: 32] = 32'd0;
      write_pc[w*32 +: 32] = fill_pc_i;
      if (directory_pc_write[w]) begin
        write_at[w*32 +: 32] = one << op_set_i;
        for (g = 0; g < 4; g = g + 1) begin
          if (directory_pc_group[w*2 +: 2] == g[1:0]) begin
            write_pc[w*32 +: 32] = op_group_pc_i[g*32 +: 32];
          end
        end
      end else if (directory_pc_fill[w]) begin
        write_at[w*32 +: 32] = one << fill_set_i;
      end
    end
  end

  always @* begin : comb_pc_d
    integer k;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      for (k = 0; k < 32; k = k + 1) begin
        pc_d[k*128 + w*32 +: 32] = pc_q[k*128 + w*32 +: 32] & ~write_at[w*32 +: 32];
        if (write_pc[k + w*32]) begin
          pc_d[k*128 + w*32 +: 32] = pc_q[k*128 + w*32 +: 32] | write_at[w*32 +: 32];
        end
      end
    end
  end

  assign gang_pc_o = pc_q;

  // A program counter that is read counts the instruction that has issued.
  assign look_at = one << look_set_i;

  always @* begin : comb_look_pc_o
    integer k;
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      look_pc_o[w*32 +: 32] = 32'd0;
      for (k = 0; k < 32; k = k + 1) begin
        look_pc_o[k + w*32] = |(pc_q[k*128 + w*32 +: 32] & look_at);
      end
      look_pc_o[w*32 +: 32] = look_pc_o[w*32 +: 32] + {31'd0, directory_look_advanced[w]};
    end
  end

  assign fetch_at = one << fetch_set_i;

  always @* begin : comb_fetch_pc_o
    integer k;
    integer w;
    k = 0;
    fetch_pc_o = 32'd0;
    fetch_valid_o = 1'b0;
    fetch_next = 1'b0;
    for (w = 0; w < 4; w = w + 1) begin
      if (fetch_way_i == w[1:0]) begin
        for (k = 0; k < 32; k = k + 1) begin
          fetch_pc_o[k] = |(pc_q[k*128 + w*32 +: 32] & fetch_at);
        end
        fetch_valid_o = |(directory_fetchable[w*32 +: 32] & fetch_at);
        fetch_next = |(directory_advanced[w*32 +: 32] & fetch_at);
      end
    end
    fetch_pc_o = fetch_pc_o + {31'd0, fetch_next};
  end

  // Data without reset: each register means something only under its valid bit.
  always @(posedge clk_i) begin
    pc_q <= pc_d; // valid_by gang_mask_o
  end

endmodule

`default_nettype wire
