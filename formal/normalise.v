// The two halves of normalisation together: how far they shift, what they keep, what they say of the rest.

`default_nettype none

module normalise_proof (
  input wire        float,
  input wire [75:0] magnitude,
  input wire        negative,
  input wire        sticky,
  input wire  [8:0] room
);

  wire [41:0] window;
  wire        inexact;
  wire  [8:0] room_between;
  wire        zero;
  wire [41:0] shifted;
  wire  [8:0] room_left;

  normalise_coarse u_coarse (
    .float_i     (float),
    .magnitude_i (magnitude),
    .negative_i  (negative),
    .sticky_i    (sticky),
    .room_i      (room),
    .window_o    (window),
    .inexact_o   (inexact),
    .room_left_o (room_between),
    .zero_o      (zero)
  );

  normalise_fine u_fine (
    .float_i     (float),
    .window_i    (window),
    .negative_i  (negative),
    .room_i      (room_between),
    .shifted_o   (shifted),
    .room_left_o (room_left)
  );

  // The sum with the ones of an inverted one, or zeros, behind it without end.
  wire   [8:0] coarse = room - room_between;
  wire   [8:0] both = room - room_left;
  wire [151:0] endless = {magnitude, {76{negative}}};
  wire [151:0] at_coarse = endless << coarse;
  wire [151:0] at_both = endless << both;

  always @* begin
    assert (zero == (magnitude == 76'd0 && !sticky));
    if (float) begin
      assert (room_between <= room && room_left <= room_between);
      assert (window == at_coarse[151:110]);
      assert (inexact == (sticky || at_coarse[109:76] != {34{negative}}));
      // The fine half sees only the window, so its last bits may differ from the sum's.
      assert (shifted[41:17] == at_both[151:127]);
      // No leading bit is lost, and none is left in front unless the exponent ends there.
      assert ((at_both >> both) == endless);
      assert (shifted[41] || room_left == 9'd0 || magnitude == 76'd0);
    end else begin
      assert (shifted[31:0] == magnitude[33:2]);
    end
  end

endmodule

`default_nettype wire
