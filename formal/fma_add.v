// Sum and difference against plain arithmetic in two's complement, wide enough for everything.

`default_nettype none

module fma_add_proof (
  input wire [47:0] sum,
  input wire [41:0] carry,
  input wire [75:0] aligned,
  input wire        sticky,
  input wire        subtract
);

  wire [75:0] magnitude;
  wire        negative;

  fma_add u_add (
    .sum_i       (sum),
    .carry_i     (carry),
    .aligned_i   (aligned),
    .sticky_i    (sticky),
    .subtract_i  (subtract),
    .magnitude_o (magnitude),
    .negative_o  (negative)
  );

  wire [79:0] product = {30'd0, sum, 2'd0} + {30'd0, carry, 8'd0};
  wire [79:0] total =
      subtract ? product - {4'd0, aligned} - {79'd0, sticky} : product + {4'd0, aligned};

  always @* begin
    // The addend leaves room for the product above it.
    if (aligned <= 76'hffffff0000000000000) begin
      assert (negative == total[79]);
      assert (magnitude == (total[79] ? ~total[75:0] : total[75:0]));
    end
  end

endmodule

`default_nettype wire
