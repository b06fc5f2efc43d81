// Integer operations are Verilog's operators. Floats are ordered as numbers: by sign and magnitude, the
// zeros alike, and not at all if one is NaN.

`default_nettype none

module int_unit_proof (
  input wire  [5:0] op,
  input wire [31:0] a,
  input wire [31:0] b
);

  wire [31:0] result;

  int_unit u_unit (
    .op_i        (op),
    .operand_a_i (a),
    .operand_b_i (b),
    .result_o    (result)
  );

  wire signed [31:0] signed_a = a;
  wire signed [31:0] signed_b = b;

  // A float as an integer that grows with it: both zeros are 0.
  wire signed [31:0] number_a = a[31] ? -{1'b0, a[30:0]} : {1'b0, a[30:0]};
  wire signed [31:0] number_b = b[31] ? -{1'b0, b[30:0]} : {1'b0, b[30:0]};
  wire               nan_a = a[30:0] > 31'h7f800000;
  wire               nan_b = b[30:0] > 31'h7f800000;

  // Whether the relations that a comparison names hold: less, equal, greater.
  function holds(input [2:0] relation, input less, input equal);
    holds = less ? relation[0] : equal ? relation[1] : relation[2];
  endfunction

  always @* begin
    case (op)
      6'd0: assert (result == a + b);
      6'd1: assert (result == a - b);
      6'd4: assert (result == (a & b));
      6'd5: assert (result == (a | b));
      6'd6: assert (result == (a ^ b));
      6'd7: assert (result == ~a);
      6'd8: assert (result == a << b);
      6'd9: assert (result == a >> b);
      6'd10: assert ($signed(result) == signed_a >>> b);
      6'd12: assert (result == (signed_a < signed_b ? a : b));
      6'd13: assert (result == (signed_a > signed_b ? a : b));
      6'd14: assert (result == (a < b ? a : b));
      6'd15: assert (result == (a > b ? a : b));
      6'd20: begin
        if (!nan_a && !nan_b) begin
          assert (result == a || result == b);
          assert (!(number_a < number_b) || result == a);
          assert (!(number_a > number_b) || result == b);
          // Of two zeros the negative one.
          assert (number_a != number_b || result == (a | b));
        end
      end
      6'd21: begin
        if (!nan_a && !nan_b) begin
          assert (result == a || result == b);
          assert (!(number_a > number_b) || result == a);
          assert (!(number_a < number_b) || result == b);
          assert (number_a != number_b || result == (a & b));
        end
      end
      default: begin
        if (op[5]) begin
          assert (result[31:1] == 31'd0);
          case (op[4:3])
            2'd0: assert (result[0] == holds(op[2:0], signed_a < signed_b, a == b));
            2'd1: assert (result[0] == holds(op[2:0], a < b, a == b));
            default: begin
              assert (
                result[0]
                == (nan_a || nan_b
                    ? op[3]
                    : holds(op[2:0], number_a < number_b, number_a == number_b))
              );
            end
          endcase
        end else assert (result == 32'd0);
      end
    endcase
    // A number wins over NaN, and of two NaN comes the canonical one.
    if (op == 6'd20 || op == 6'd21) begin
      if (nan_a && nan_b) assert (result == 32'h7fffffff);
      else if (nan_a) assert (result == b);
      else if (nan_b) assert (result == a);
    end
  end

endmodule

`default_nettype wire
