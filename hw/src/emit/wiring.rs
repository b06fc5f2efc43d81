//! Splits a module's logic into continuous assignments, `always` blocks and plain instance connections.
//!
//! rust-hdl has one `update` for everything. A person writes one `assign` for what is one expression,
//! an `always` block for what takes decisions, and connects instances to the signals they carry. Each
//! group below drives its own signals and nothing else, which also keeps simulators from seeing
//! combinational loops through children that are not there.

use super::affine::{Affine, Env};
use super::expr::{each_iteration, Expr, Place, Stmt};
use super::lower::Lowered;
use super::signal::{Role, Table};
use std::collections::{BTreeMap, BTreeSet};

/// What an instance's port is connected to.
#[derive(Clone, Debug, PartialEq)]
pub enum Connection {
    /// A net of the instance's own.
    Net,
    /// Bits of another signal; `g` is the instance's number in an array.
    Place(Place),
    /// A constant.
    Literal { value: u128, width: usize },
}

/// Statements that drive a set of signals together.
#[derive(Clone, Debug)]
pub struct Group {
    pub statements: Vec<Stmt>,
}

impl Group {
    /// The one assignment to a whole signal that the group is, if it is that.
    pub fn as_assign(&self) -> Option<(&Place, &Expr)> {
        let mut code = self.statements.iter().filter(|s| !matches!(s, Stmt::Comment(_)));
        match (code.next(), code.next()) {
            (Some(Stmt::Assign { target, value }), None) if target.offset == Affine::default() => {
                Some((target, value))
            }
            _ => None,
        }
    }
}

/// A module ready to print.
pub struct Plan {
    pub table: Table,
    pub groups: Vec<Group>,
    /// The connection of each child port, by signal.
    pub connections: BTreeMap<usize, Connection>,
}

/// Splits a module's logic.
pub fn plan(lowered: Lowered) -> Plan {
    let Lowered { table, statements } = lowered;
    let statements = drop_dead_defaults(fission(statements));
    let mut groups = split(&table, statements);
    let connections = connect(&table, &mut groups);
    Plan { table, groups, connections }
}

/// A top-level loop of independent assignments becomes one loop for each.
fn fission(statements: Vec<Stmt>) -> Vec<Stmt> {
    let mut out = vec![];
    for statement in statements {
        match statement {
            Stmt::Loop { variable, from, to, body } => {
                let body = fission(body);
                let mut writes = BTreeSet::new();
                let mut reads = BTreeSet::new();
                body.iter().for_each(|s| {
                    s.visit(
                        &mut |p| {
                            reads.insert(p.signal);
                        },
                        &mut |p| {
                            writes.insert(p.signal);
                        },
                    )
                });
                let only_copies = body.iter().all(is_straight);
                if only_copies && reads.is_disjoint(&writes) && writes.len() == count(&body) {
                    for inner in body {
                        let variable = variable.clone();
                        out.push(Stmt::Loop { variable, from, to, body: vec![inner] });
                    }
                } else {
                    out.push(Stmt::Loop { variable, from, to, body });
                }
            }
            other => out.push(other),
        }
    }
    out
}

fn is_straight(statement: &Stmt) -> bool {
    match statement {
        Stmt::Assign { .. } => true,
        Stmt::Loop { body, .. } => body.iter().all(is_straight),
        _ => false,
    }
}

fn count(body: &[Stmt]) -> usize {
    body.iter().map(|s| if let Stmt::Loop { body, .. } = s { count(body) } else { 1 }).sum()
}

/// Removes an assignment to a whole signal that the next write replaces before anyone reads it.
fn drop_dead_defaults(statements: Vec<Stmt>) -> Vec<Stmt> {
    let dead = |at: usize| {
        let Stmt::Assign { target, .. } = &statements[at] else { return false };
        for later in &statements[at + 1..] {
            let (mut reads, mut writes) = (false, false);
            later.visit(&mut |p| reads |= p.signal == target.signal, &mut |p| {
                writes |= p.signal == target.signal
            });
            match later {
                _ if reads => return false,
                Stmt::Assign { target: again, .. } if again == target => return true,
                _ if writes => return false,
                _ => {}
            }
        }
        false
    };
    let keep: Vec<bool> = (0..statements.len()).map(|at| !dead(at)).collect();
    statements.into_iter().zip(keep).filter_map(|(s, keep)| keep.then_some(s)).collect()
}

/// Puts statements that drive the same signal together, in their order.
fn split(table: &Table, statements: Vec<Stmt>) -> Vec<Group> {
    struct Use {
        reads: BTreeSet<usize>,
        writes: BTreeSet<usize>,
    }
    let uses: Vec<Use> = statements
        .iter()
        .map(|s| {
            let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
            s.visit(
                &mut |p| {
                    reads.insert(p.signal);
                },
                &mut |p| {
                    writes.insert(p.signal);
                },
            );
            Use { reads, writes }
        })
        .collect();
    let mut group: Vec<usize> = (0..statements.len()).collect();
    let merge = |group: &mut Vec<usize>, a: usize, b: usize| {
        let (from, to) = (group[a].max(group[b]), group[a].min(group[b]));
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    };
    for a in 0..statements.len() {
        for b in a + 1..statements.len() {
            // The same target; or a read that a later write must not overtake.
            if !uses[a].writes.is_disjoint(&uses[b].writes)
                || !uses[a].reads.is_disjoint(&uses[b].writes)
                    && reads_own(table, &uses[a].reads, &uses[b].writes)
            {
                merge(&mut group, a, b);
            }
        }
    }
    // A group stands where its first decision does: what only holds a register is a default.
    let mut order: BTreeMap<usize, usize> = BTreeMap::new();
    for at in (0..statements.len()).rev() {
        if !holds_a_register(table, &statements[at]) {
            order.insert(group[at], at);
        }
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    let mut remarks = vec![];
    for (at, statement) in statements.into_iter().enumerate() {
        if let Stmt::Comment(_) = statement {
            remarks.push(statement);
            continue;
        }
        let place = order.get(&group[at]).copied().unwrap_or(group[at]);
        let group = groups.entry(place).or_insert(Group { statements: vec![] });
        // A remark on the first decision is a remark on the group.
        let undecided = group.statements.iter().all(|s| holds_a_register(table, s));
        let at = if undecided { 0 } else { group.statements.len() };
        group.statements.splice(at..at, remarks.drain(..));
        group.statements.push(statement);
    }
    groups.into_values().collect()
}

/// Whether the statement is `x_d = x_q`, as `dff_setup!` writes it.
fn holds_a_register(table: &Table, statement: &Stmt) -> bool {
    let Stmt::Assign { target, value: Expr::Read(source) } = statement else { return false };
    table.registers.iter().any(|r| r.next == target.signal && r.now == source.signal)
        && target.width == table.signals[target.signal].bits()
}

/// Whether a read in one statement is of something this module's logic drives in a later one.
fn reads_own(table: &Table, reads: &BTreeSet<usize>, writes: &BTreeSet<usize>) -> bool {
    reads.intersection(writes).any(|&id| table.signals[id].is_driven_here())
}

/// Where a bit comes from.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Bit(usize, usize),
    Literal(u128, usize),
}

/// The source of every bit of a signal, if the group only copies to it.
fn copied(table: &Table, group: &Group) -> Option<(usize, Vec<Source>)> {
    let mut targets = BTreeSet::new();
    group.statements.iter().for_each(|s| {
        s.visit(&mut |_| {}, &mut |p| {
            targets.insert(p.signal);
        })
    });
    let target = targets.pop_first().filter(|_| targets.is_empty())?;
    let mut bits = vec![None; table.signals[target].bits()];
    let mut straight = true;
    fn run(statements: &[Stmt], env: &mut Env, bits: &mut [Option<Source>], ok: &mut bool) {
        for statement in statements {
            match statement {
                Stmt::Assign { target, value } if target.dynamic.is_none() => {
                    let at = target.offset.eval(env) as usize;
                    for k in 0..target.width {
                        bits[at + k] = match value {
                            Expr::Read(p) if p.dynamic.is_none() => {
                                Some(Source::Bit(p.signal, p.offset.eval(env) as usize + k))
                            }
                            Expr::Literal { value, width } => Some(Source::Literal(*value, *width)),
                            _ => None,
                        };
                    }
                }
                Stmt::Loop { variable, from, to, body } => {
                    each_iteration(variable, *from, *to, env, &mut |env| run(body, env, bits, ok))
                }
                Stmt::Comment(_) => {}
                _ => *ok = false,
            }
        }
    }
    run(&group.statements, &mut Env::new(), &mut bits, &mut straight);
    let bits = bits.into_iter().collect::<Option<Vec<_>>>()?;
    straight.then_some((target, bits))
}

/// Where `count` runs of `width` bits start, if they are contiguous and evenly spaced in one signal.
fn runs(bits: &[Source], count: usize) -> Option<(usize, i64, i64)> {
    let width = bits.len() / count;
    let mut starts = vec![];
    let mut signal = None;
    for run in bits.chunks(width) {
        let Source::Bit(id, start) = run[0] else { return None };
        if *signal.get_or_insert(id) != id {
            return None;
        }
        if run.iter().enumerate().any(|(k, s)| *s != Source::Bit(id, start + k)) {
            return None;
        }
        starts.push(start as i64);
    }
    let step = if count > 1 { starts[1] - starts[0] } else { 0 };
    let even = starts.iter().enumerate().all(|(g, s)| *s == starts[0] + step * g as i64);
    even.then_some((signal?, starts[0], step))
}

fn place(signal: usize, start: i64, step: i64, width: usize) -> Place {
    let offset = Affine::variable("g").times(step).plus(&Affine::constant(start), 1);
    Place { signal, offset, width, dynamic: None, bounds: vec![] }
}

/// Replaces copies to and from child ports by direct connections, and removes their groups.
fn connect(table: &Table, groups: &mut Vec<Group>) -> BTreeMap<usize, Connection> {
    let mut connections = BTreeMap::new();
    let count_of = |id: usize| match table.signals[id].role {
        Role::ChildInput(child) | Role::ChildOutput(child) => {
            table.instances[child].count.unwrap_or(1)
        }
        _ => 1,
    };
    // How often each signal is read, to know when a child's output net can be left out.
    let mut readers = vec![0; table.signals.len()];
    for group in groups.iter() {
        let mut read = BTreeSet::new();
        group.statements.iter().for_each(|s| {
            s.visit(
                &mut |p| {
                    read.insert(p.signal);
                },
                &mut |_| {},
            )
        });
        read.into_iter().for_each(|id| readers[id] += 1);
    }
    for instance in &table.instances {
        for &port in &instance.ports {
            connections.insert(port, Connection::Net);
        }
    }
    let mut kept = vec![];
    for group in groups.drain(..) {
        let Some((target, bits)) = copied(table, &group) else {
            kept.push(group);
            continue;
        };
        let signal = &table.signals[target];
        match signal.role {
            Role::ChildInput(_) => {
                let count = count_of(target);
                let width = bits.len() / count;
                if let Some((source, start, step)) = runs(&bits, count) {
                    connections
                        .insert(target, Connection::Place(place(source, start, step, width)));
                    continue;
                }
                if let [Source::Literal(value, w), ..] = bits[..] {
                    if signal.width == width && bits.iter().all(|b| *b == bits[0]) {
                        connections.insert(target, Connection::Literal { value, width: w });
                        continue;
                    }
                }
                kept.push(group);
            }
            Role::Output | Role::Local | Role::RegisterNext => {
                if let Some(outputs) = from_children(table, &bits, &readers, target) {
                    connections.extend(outputs);
                    continue;
                }
                kept.push(whole_copy(target, &bits, &group).unwrap_or(group));
            }
            _ => kept.push(group),
        }
    }
    *groups = kept;
    connections
}

/// The group as one assignment, if it copies contiguous bits element by element or bit by bit.
fn whole_copy(target: usize, bits: &[Source], group: &Group) -> Option<Group> {
    let (source, start, _) = runs(bits, 1)?;
    let mut statements: Vec<_> =
        group.statements.iter().filter(|s| matches!(s, Stmt::Comment(_))).cloned().collect();
    statements.push(Stmt::Assign {
        target: place(target, 0, 0, bits.len()),
        value: Expr::Read(place(source, start, 0, bits.len())),
    });
    Some(Group { statements })
}

/// If every bit of `target` is a child's output and nobody else reads those outputs: their connections.
fn from_children(
    table: &Table,
    bits: &[Source],
    readers: &[usize],
    target: usize,
) -> Option<Vec<(usize, Connection)>> {
    let mut by_port: BTreeMap<usize, Vec<Option<usize>>> = BTreeMap::new();
    for (at, source) in bits.iter().enumerate() {
        let Source::Bit(port, bit) = *source else { return None };
        if !matches!(table.signals[port].role, Role::ChildOutput(_)) || readers[port] != 1 {
            return None;
        }
        let map = by_port.entry(port).or_insert_with(|| vec![None; table.signals[port].bits()]);
        if map[bit].replace(at).is_some() {
            return None;
        }
    }
    let mut connections = vec![];
    for (port, map) in by_port {
        let map: Vec<Source> =
            map.into_iter().map(|at| Some(Source::Bit(target, at?))).collect::<Option<_>>()?;
        let Role::ChildOutput(child) = table.signals[port].role else { return None };
        let count = table.instances[child].count.unwrap_or(1);
        let (signal, start, step) = runs(&map, count)?;
        connections.push((port, Connection::Place(place(signal, start, step, map.len() / count))));
    }
    Some(connections)
}
