// The addend is shifted right as if there were room below the adder for all of it; the sticky bit says
// whether anything went there. An integer stands where the product stands.

`default_nettype none

module addend_align_proof (
  input wire        float,
  input wire [31:0] addend,
  input wire  [6:0] shift
);

  wire [75:0] aligned;
  wire        sticky;

  addend_align u_align (
    .float_i   (float),
    .addend_i  (addend),
    .shift_i   (shift),
    .aligned_o (aligned),
    .sticky_o  (sticky)
  );

  wire [203:0] exact = {addend[23:0], 180'd0} >> shift;

  always @* begin
    if (float) begin
      assert (aligned == exact[203:128]);
      assert (sticky == |exact[127:0]);
    end else begin
      assert (aligned == {42'd0, addend, 2'd0});
      assert (!sticky);
    end
  end

endmodule

`default_nettype wire
