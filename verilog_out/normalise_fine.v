// SPDX-License-Identifier: MIT OR Apache-2.0
//
// normalise_fine: Brings the leading one of a sum to the leftmost bit, as far as the exponent
// allows: shifts left by 0 to 15. An inverted sum has ones shifted in. Integers pass.
//
// Mechanism: the reference lane of Lanewise, with which costs are compared (fused multiply-add:
// normalisation by less than 16).
// Exported from hw/src/reference/normalise_fine.rs by export-verilog; change it there.

`default_nettype none

module normalise_fine (
  input  wire        float_i,     // the window is a float's; else an integer's
  input  wire [41:0] window_i,    // the leftmost bits of the sum
  input  wire        negative_i,  // they are inverted
  input  wire  [8:0] room_i,      // by how much they may be shifted before the result is subnormal
  output reg  [41:0] shifted_o,   // the window after the shift
  output wire  [8:0] room_left_o  // by how much it might still be shifted
);

  reg  [14:0] bound;
  reg  [14:0] leading;
  reg   [2:0] occupied;
  reg   [2:0] nibble;
  reg   [3:0] count;
  reg  [41:0] ones;
  reg  [41:0] by_8;
  reg  [41:0] by_4;
  reg  [41:0] by_2;

  // A one where the shift must end at the latest; at once for an integer.
  always @* begin : comb_bound
    integer i;
    bound = 15'd0;
    for (i = 0; i < 15; i = i + 1) begin
      bound[-i + 14] = room_i == i[8:0];
    end
  end

  always @* begin
    leading = window_i[41:27] | bound;
    if (!float_i) begin
      leading = 15'h4000;
    end
  end

  // Leading zeros: of nibbles, then within the first nibble that has a one.
  always @* begin : comb_occupied
    integer i;
    occupied = 3'd0;
    for (i = 0; i < 3; i = i + 1) begin
      occupied[i] = |leading[i*4 + 3 +: 4];
    end
  end

  always @* begin
    if (occupied[2]) begin
      nibble = leading[14:12];
      count = 4'd0;
    end else if (occupied[1]) begin
      nibble = leading[10:8];
      count = 4'd4;
    end else if (occupied[0]) begin
      nibble = leading[6:4];
      count = 4'd8;
    end else begin
      nibble = leading[2:0];
      count = 4'd12;
    end
    count[1] = !nibble[2] & !nibble[1];
    count[0] = !nibble[2] & (nibble[1] | !nibble[0]);
  end

  assign room_left_o = room_i - {5'd0, count};

  always @* begin
    ones = 42'd0;
    if (negative_i) begin
      ones = 42'hff;
    end
  end

  always @* begin
    by_8 = window_i;
    if (count[3]) begin
      by_8 = (window_i << 6'd8) | ones;
    end
  end

  always @* begin
    by_4 = by_8;
    if (count[2]) begin
      by_4 = (by_8 << 6'd4) | (ones & 42'd15);
    end
  end

  always @* begin
    by_2 = by_4;
    if (count[1]) begin
      by_2 = (by_4 << 6'd2) | (ones & 42'd3);
    end
  end

  always @* begin
    shifted_o = by_2;
    if (count[0]) begin
      shifted_o = (by_2 << 6'd1) | (ones & 42'd1);
    end
  end

endmodule

`default_nettype wire
