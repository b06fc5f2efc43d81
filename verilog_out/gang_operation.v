// SPDX-License-Identifier: MIT OR Apache-2.0
//
// gang_operation: Works out what an operation makes of one original gang, and refuses those
// that would lose a warp. op_code 0 launches gangs in an empty set; 1 splits a gang after a
// branch and 2 on memory divergence; 3 reforms one gang from gangs and single warps; 4 retires
// a gang; the rest is illegal. New gangs take the vacant ways in order, the split gang's own
// among them.
//
// Mechanism: A Variable Warp Size Architecture (sections 4.2 to 4.5: gangs come and go).
// Arrays are packed into vectors, element 0 in the low bits.
// Exported from hw/src/gangs/gang_operation.rs by export-verilog; change it there.

`default_nettype none

module gang_operation (
  input  wire        op_valid_i,        // there is an operation
  // 0 launch, 1 split by branch, 2 split by memory, 3 reform, 4 retire
  input  wire  [2:0] op_code_i,
  input  wire  [3:0] op_ways_i,         // gangs meant: one for split and retire, any for reform
  input  wire [31:0] op_group_mask_i,   // launch and split: warps of each new gang
  // launch and split: warps on their own; reform: those to take in
  input  wire  [7:0] op_single_mask_i,
  input  wire [31:0] set_mask_i,        // GangMask of each way
  input  wire [31:0] set_ready_i,       // ReadyMask of each way
  input  wire  [3:0] set_valid_i,       // the way's instruction is in the I-buffers
  input  wire  [3:0] set_control_i,     // and it is a control instruction
  input  wire  [3:0] set_pending_i,     // the way's program counter awaits a branch
  input  wire  [7:0] set_independent_i, // warps on their own
  input  wire  [3:0] busy_ways_i,       // gangs that issue in this cycle
  input  wire  [7:0] leaving_i,         // warps that exit in this cycle
  output wire        error_o,           // the operation is refused
  output reg   [3:0] write_o,           // ways that change
  output reg  [31:0] new_mask_o,        // their GangMasks
  output reg  [31:0] new_ready_o,       // their ReadyMasks
  output reg   [3:0] new_valid_o,       // their valid bits
  output reg   [3:0] new_control_o,     // their control bits
  output reg   [7:0] new_group_o,       // the group whose program counter they take
  output reg   [7:0] join_o,            // warps that are on their own from now on
  output reg   [7:0] leave_o            // warps that are no longer on their own
);

  wire        split;
  wire        reform;
  wire        places;
  reg   [3:0] live;
  wire        one_way;
  wire        sane;
  reg   [7:0] source_mask;
  reg   [7:0] source_ready;
  wire        source_valid;
  wire        source_control;
  wire        source_pending;
  reg   [7:0] taken;
  reg         tidy;
  reg   [3:0] vacant;
  reg   [1:0] next_group;
  reg   [7:0] slot;
  reg  [31:0] placed;
  reg   [7:0] covered;
  reg   [3:0] target;
  reg   [1:0] parts;
  wire        free;
  wire        partition;
  reg         legal;
  wire        go;
  wire        keeps;

  assign split = (op_code_i == 3'd1) | (op_code_i == 3'd2);
  assign reform = op_code_i == 3'd3;
  assign places = split | (op_code_i == 3'd0);

  // The gangs that are meant, taken together.
  always @* begin : comb_live
    integer w;
    live = 4'd0;
    source_mask = 8'd0;
    source_ready = 8'd0;
    for (w = 0; w < 4; w = w + 1) begin
      live[w] = |set_mask_i[w*8 +: 8];
      if (op_ways_i[w]) begin
        source_mask = source_mask | set_mask_i[w*8 +: 8];
        source_ready = source_ready | set_ready_i[w*8 +: 8];
      end
    end
  end

  assign one_way = (|op_ways_i) & !(|(op_ways_i & (op_ways_i - 4'd1)));
  assign sane = !(|(op_ways_i & ~live));
  assign source_valid = !(|(op_ways_i & ~set_valid_i));
  assign source_control = |(op_ways_i & set_control_i);
  assign source_pending = |(op_ways_i & set_pending_i);

  // New groups are tidy if no warp comes twice and none is a group by itself.
  always @* begin : comb_tidy
    integer g;
    tidy = 1'b1;
    taken = op_single_mask_i;
    for (g = 0; g < 4; g = g + 1) begin
      if ((|(taken & op_group_mask_i[g*8 +: 8]))
          | ((|op_group_mask_i[g*8 +: 8])
              & !(|(op_group_mask_i[g*8 +: 8] & (op_group_mask_i[g*8 +: 8] - 8'd1))))) begin
        tidy = 1'b0;
      end
      taken = taken | op_group_mask_i[g*8 +: 8];
    end
  end

  // Group n takes the n-th vacant way; covered are the warps that find a place.
  always @* begin
    vacant = ~live;
    if (split) begin
      vacant = ~live | op_ways_i;
    end
  end

  always @* begin : comb_next_group
    integer g;
    integer w;
    g = 0;
    next_group = 2'd0;
    covered = op_single_mask_i;
    for (w = 0; w < 4; w = w + 1) begin
      slot[w*2 +: 2] = next_group;
      placed[w*8 +: 8] = 8'd0;
      if (vacant[w]) begin
        for (g = 0; g < 4; g = g + 1) begin
          if (next_group == g[1:0]) begin
            placed[w*8 +: 8] = op_group_mask_i[g*8 +: 8];
          end
        end
        next_group = next_group + 2'd1;
      end
      covered = covered | placed[w*8 +: 8];
    end
  end

  // A reformed gang takes the lowest of its ways, or the lowest vacant one.
  always @* begin
    target = ~live & (live + 4'd1);
    if (|op_ways_i) begin
      target = op_ways_i & (~op_ways_i + 4'd1);
    end
  end

  // One, or two and more, parts to reform from.
  always @* begin : comb_parts
    integer s;
    integer w;
    parts = 2'd0;
    for (w = 0; w < 4; w = w + 1) begin
      if (op_ways_i[w] & !parts[1]) begin
        parts = parts + 2'd1;
      end
    end
    for (s = 0; s < 8; s = s + 1) begin
      if (op_single_mask_i[s] & !parts[1]) begin
        parts = parts + 2'd1;
      end
    end
  end

  // Exits and issues of this cycle come first: hands off what they touch.
  assign free = !(|(source_mask & leaving_i)) & !(|(op_ways_i & busy_ways_i));
  assign partition = one_way
      & sane
      & tidy
      & (taken == source_mask)
      & (covered == source_mask)
      & free;

  always @* begin
    legal = 1'b0;
    case (op_code_i)
      3'd0: legal = !(|live) & !(|set_independent_i) & tidy & (|taken);
      3'd1: legal = partition & source_pending;
      3'd2: legal = partition & !source_pending;
      3'd3: begin
        legal = sane
            & !source_pending
            & !(|(op_single_mask_i & ~set_independent_i))
            & !(|(op_single_mask_i & leaving_i))
            & parts[1]
            & (|target)
            & free;
      end
      3'd4: legal = one_way & sane & free;
      default: legal = 1'b0;
    endcase
  end

  assign go = op_valid_i & legal;
  assign error_o = op_valid_i & !legal;

  // What the ways hold afterwards.
  always @* begin
    write_o = 4'd0;
    join_o = 8'd0;
    leave_o = 8'd0;
    if (go) begin
      case (op_code_i)
        3'd3: begin
          write_o = op_ways_i | target;
          leave_o = op_single_mask_i;
        end
        3'd4: write_o = op_ways_i;
        default: begin
          write_o = vacant;
          join_o = op_single_mask_i;
        end
      endcase
    end
  end

  // With a warp whose I-buffer is not known a reformed gang must fetch again.
  assign keeps = go & source_valid & ((op_code_i == 3'd2) | (reform & !(|op_single_mask_i)));

  always @* begin : comb_new_mask_o
    integer w;
    for (w = 0; w < 4; w = w + 1) begin
      new_mask_o[w*8 +: 8] = 8'd0;
      new_ready_o[w*8 +: 8] = 8'd0;
      new_group_o[w*2 +: 2] = 2'd0;
      if (go & reform & target[w]) begin
        new_mask_o[w*8 +: 8] = source_mask | op_single_mask_i;
        if (keeps) begin
          new_ready_o[w*8 +: 8] = source_ready;
        end
      end
      if (go & places & vacant[w]) begin
        new_mask_o[w*8 +: 8] = placed[w*8 +: 8];
        new_group_o[w*2 +: 2] = slot[w*2 +: 2];
        if (op_code_i == 3'd2) begin
          new_ready_o[w*8 +: 8] = placed[w*8 +: 8] & source_ready;
        end
      end
    end
  end

  // An instruction in the I-buffers stays there unless the gang took another path.
  always @* begin : comb_new_valid_o
    integer w;
    w = 0;
    new_valid_o = 4'd0;
    if (keeps) begin
      for (w = 0; w < 4; w = w + 1) begin
        new_valid_o[w] = |new_mask_o[w*8 +: 8];
      end
    end
  end

  always @* begin
    new_control_o = 4'd0;
    if (source_control) begin
      new_control_o = new_valid_o;
    end
  end

endmodule

`default_nettype wire
