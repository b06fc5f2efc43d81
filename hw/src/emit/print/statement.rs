//! Writes the logic: one `assign` or `always` block a group, then the registers.

use super::super::expr::Stmt;
use super::super::signal::{Register, Table};
use super::super::wiring::{Group, Plan};
use super::expression::{expr_text, literal, place_text, wrapped};
use super::COLUMNS;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The combinational logic of a module.
pub fn logic(plan: &Plan) -> String {
    let table = &plan.table;
    let mut text = String::new();
    let mut previous_was_assign = true;
    for (at, group) in plan.groups.iter().enumerate() {
        let remarks = group.statements.iter().take_while(|s| matches!(s, Stmt::Comment(_)));
        let has_remark = remarks.clone().next().is_some();
        let assign = group.as_assign();
        if at > 0 && (has_remark || assign.is_none() || !previous_was_assign) {
            text += "\n";
        }
        previous_was_assign = assign.is_some();
        remarks.for_each(|s| statement(table, s, 2, &mut text));
        match assign {
            Some((target, value)) => {
                let head = format!("  assign {} = ", place_text(table, target));
                let _ = writeln!(text, "{head}{};", wrapped(table, value, head.len() + 1, 2));
            }
            None => always(table, group, &mut text),
        }
    }
    text
}

fn always(table: &Table, group: &Group, text: &mut String) {
    let mut variables = BTreeSet::new();
    loop_variables(&group.statements, true, &mut variables);
    let mut always_set = BTreeSet::new();
    loop_variables(&group.statements, false, &mut always_set);
    if variables.is_empty() {
        *text += "  always @* begin\n";
    } else {
        let mut first = None;
        group.statements.iter().for_each(|s| {
            s.visit(&mut |_| {}, &mut |p| {
                first.get_or_insert(p.signal);
            })
        });
        let name = first.map_or("", |id| table.signals[id].name.as_str());
        let _ = writeln!(text, "  always @* begin : comb_{name}");
        for variable in &variables {
            let _ = writeln!(text, "    integer {variable};");
        }
        // Yosys makes a latch of a variable that only a branch sets.
        for variable in variables.difference(&always_set) {
            let _ = writeln!(text, "    {variable} = 0;");
        }
    }
    group
        .statements
        .iter()
        .skip_while(|s| matches!(s, Stmt::Comment(_)))
        .for_each(|s| statement(table, s, 4, text));
    *text += "  end\n";
}

/// The variables of all loops, or of those that no branch skips.
fn loop_variables(statements: &[Stmt], in_branches: bool, out: &mut BTreeSet<String>) {
    for statement in statements {
        match statement {
            Stmt::Loop { variable, body, .. } => {
                out.insert(variable.clone());
                loop_variables(body, in_branches, out);
            }
            Stmt::If { then, otherwise, .. } if in_branches => {
                loop_variables(then, in_branches, out);
                loop_variables(otherwise, in_branches, out);
            }
            Stmt::Case { arms, .. } if in_branches => {
                arms.iter().for_each(|(_, body)| loop_variables(body, in_branches, out))
            }
            _ => {}
        }
    }
}

fn block(table: &Table, statements: &[Stmt], indent: usize, text: &mut String) {
    statements.iter().for_each(|s| statement(table, s, indent, text));
}

fn statement(table: &Table, statement: &Stmt, indent: usize, text: &mut String) {
    let pad = " ".repeat(indent);
    match statement {
        Stmt::Comment(remark) => {
            super::remark(remark).lines().for_each(|line| *text += &format!("{pad}{line}\n"))
        }
        Stmt::Assign { target, value } => {
            let head = format!("{pad}{} = ", place_text(table, target));
            let _ = writeln!(text, "{head}{};", wrapped(table, value, head.len() + 1, indent));
        }
        Stmt::If { .. } => {
            *text += &pad;
            conditional(table, statement, indent, text);
        }
        Stmt::Case { test, arms } => {
            let _ = writeln!(text, "{pad}case ({})", expr_text(table, test));
            for (value, body) in arms {
                let label = value.as_ref().map_or("default".into(), |v| expr_text(table, v));
                let mut line = String::new();
                if let [only @ Stmt::Assign { .. }] = body.as_slice() {
                    self::statement(table, only, 0, &mut line);
                }
                let room = COLUMNS - indent - label.len() - "  : ".len();
                match line.lines().count() {
                    1 if line.len() <= room => {
                        let _ = write!(text, "{pad}  {label}: {line}");
                    }
                    _ => {
                        let _ = writeln!(text, "{pad}  {label}: begin");
                        block(table, body, indent + 4, text);
                        let _ = writeln!(text, "{pad}  end");
                    }
                }
            }
            let _ = writeln!(text, "{pad}endcase");
        }
        Stmt::Loop { variable: v, from, to, body } => {
            let _ = writeln!(text, "{pad}for ({v} = {from}; {v} < {to}; {v} = {v} + 1) begin");
            block(table, body, indent + 2, text);
            let _ = writeln!(text, "{pad}end");
        }
    }
}

fn conditional(table: &Table, statement: &Stmt, indent: usize, text: &mut String) {
    let Stmt::If { test, then, otherwise } = statement else { return };
    let pad = " ".repeat(indent);
    let _ = writeln!(text, "if ({}) begin", wrapped(table, test, indent + 4, indent));
    block(table, then, indent + 2, text);
    match otherwise.as_slice() {
        [] => {
            let _ = writeln!(text, "{pad}end");
        }
        [nested @ Stmt::If { .. }] => {
            let _ = write!(text, "{pad}end else ");
            conditional(table, nested, indent, text);
        }
        body => {
            let _ = writeln!(text, "{pad}end else begin");
            block(table, body, indent + 2, text);
            let _ = writeln!(text, "{pad}end");
        }
    }
}

/// The registers: those with reset together, then those a valid bit speaks for.
pub fn registers(plan: &Plan) -> String {
    let table = &plan.table;
    let (reset, data): (Vec<_>, Vec<_>) =
        table.registers.iter().partition(|r| r.valid_by.is_none());
    let (slots, data): (Vec<_>, Vec<_>) = data.into_iter().partition(|r| r.write.is_some());
    let mut sections = vec![];
    if !reset.is_empty() {
        sections.push(with_reset(table, &reset));
    }
    if !data.is_empty() {
        sections.push(without_reset(table, &data));
    }
    sections.extend(slots.into_iter().filter_map(|register| written_one_by_one(table, register)));
    sections.join("\n")
}

fn name(table: &Table, id: usize) -> &str {
    table.signals[id].name.as_str()
}

/// What speaks for a register: a register of this module, or a signal that a child's registers drive.
fn valid_by<'a>(table: &'a Table, register: &'a Register) -> &'a str {
    let valid = register.valid_by.as_deref().unwrap_or_default();
    let known = table.find(&format!("{valid}$q")).or_else(|| table.find(valid));
    known.map_or(valid, |id| name(table, id))
}

fn with_reset(table: &Table, registers: &[&Register]) -> String {
    let mut text = String::from("  always @(posedge clk_i) begin\n    if (rst_i) begin\n");
    for register in registers {
        let zero = literal(0, table.signals[register.now].bits());
        let _ = writeln!(text, "      {} <= {zero};", name(table, register.now));
    }
    text += "    end else begin\n";
    for register in registers {
        let (now, next) = (name(table, register.now), name(table, register.next));
        let _ = writeln!(text, "      {now} <= {next};");
    }
    text + "    end\n  end\n"
}

fn without_reset(table: &Table, registers: &[&Register]) -> String {
    let mut text = String::from(
        "  // Data without reset: each register means something only under its valid bit.\n  \
         always @(posedge clk_i) begin\n",
    );
    for register in registers {
        let (now, next) = (name(table, register.now), name(table, register.next));
        let _ = writeln!(text, "    {now} <= {next}; // valid_by {}", valid_by(table, register));
    }
    text + "  end\n"
}

/// The test of all write bits changes nothing in silicon; simulators skip the loop by it.
fn written_one_by_one(table: &Table, register: &Register) -> Option<String> {
    let write = name(table, register.write?);
    let (now, next) = (name(table, register.now), name(table, register.next));
    let signal = &table.signals[register.now];
    let (count, width) = (signal.bits() / signal.width, signal.width);
    let element =
        if width == 1 { format!("{now}[i]") } else { format!("{now}[i*{width} +: {width}]") };
    Some(format!(
        "  // Data without reset, written one by one: each means something only under its valid bit.\n  \
         always @(posedge clk_i) begin : write_{now}\n    \
           integer i;\n    \
           if (|{write}) begin\n      \
             for (i = 0; i < {count}; i = i + 1) begin\n        \
               if ({write}[i]) begin\n          \
                 {element} <= {next}; // valid_by {}\n        \
               end\n      \
             end\n    \
           end\n  \
         end\n",
        valid_by(table, register)
    ))
}
