// The barrel shifter is Verilog's own <<, >> and >>>, for every word and every amount.

`default_nettype none

module barrel_shifter_proof (
  input wire [31:0] value,
  input wire [31:0] amount,
  input wire        left,
  input wire        arithmetic
);

  wire [31:0] shifted;

  barrel_shifter u_shifter (
    .value_i      (value),
    .amount_i     (amount),
    .left_i       (left),
    .arithmetic_i (arithmetic),
    .shifted_o    (shifted)
  );

  wire signed [31:0] signed_value = value;
  wire signed [31:0] signed_shift = signed_value >>> amount;

  always @* begin
    if (left) assert (shifted == value << amount);
    else if (arithmetic) assert (shifted == signed_shift);
    else assert (shifted == value >> amount);
  end

endmodule

`default_nettype wire
