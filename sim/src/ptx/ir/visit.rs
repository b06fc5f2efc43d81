//! Which registers an instruction reads and writes, for scoreboards, liveness and banks.

use super::{Address, BarrierKind, CarryArith, Comparison, Inst, Op, PredSource, Reg, TexSource};

/// What an instruction does with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is a source.
    Read,
    /// It is a destination.
    Write,
}

impl Inst {
    /// Calls `f` with every register (immediates excluded), guard first, then destinations, then sources.
    pub fn visit(&self, mut f: impl FnMut(Role, Reg)) {
        if let Some(guard) = self.guard.filter(|guard| !guard.reg.is_constant()) {
            f(Role::Read, guard.reg);
        }
        self.visit_operands(f);
    }

    /// Like [`Inst::visit`], without the guard.
    pub fn visit_operands(&self, mut f: impl FnMut(Role, Reg)) {
        visit_op(&self.op, &mut |role, reg: Reg| {
            if !reg.is_constant() {
                f(role, reg);
            }
        });
    }
}

fn visit_op(op: &Op, f: &mut impl FnMut(Role, Reg)) {
    match *op {
        Op::Int1 { d, a, .. }
        | Op::Float1 { d, a, .. }
        | Op::Testp { d, a, .. }
        | Op::Cvt { d, a, .. }
        | Op::Mov { d, a }
        | Op::IsSpace { d, a, .. } => dst_src(f, &[d], &[a]),
        Op::Int2 { d, a, b, .. } | Op::Float2 { d, a, b, .. } => dst_src(f, &[d], &[a, b]),
        Op::Int3 { d, a, b, c, .. }
        | Op::Bfe { d, a, b, c, .. }
        | Op::Prmt { d, a, b, c, .. }
        | Op::Lop3 { d, a, b, c, .. }
        | Op::Shf { d, a, b, c, .. }
        | Op::Fma { d, a, b, c, .. }
        | Op::Slct { d, a, b, c, .. } => dst_src(f, &[d], &[a, b, c]),
        Op::Carry { d, abc, flag, uses, f: arith, .. } => {
            let sources = match arith {
                CarryArith::Add | CarryArith::Sub => 2,
                CarryArith::MadLo | CarryArith::MadHi => 3,
            };
            dst_src(f, &[d], &abc[..sources]);
            if uses.reads {
                f(Role::Read, flag);
            }
            if uses.writes {
                f(Role::Write, flag);
            }
        }
        Op::Bfi { d, a, b, c, e, .. } => dst_src(f, &[d], &[a, b, c, e]),
        Op::Setp { ref comparison, p, q } => {
            f(Role::Write, p);
            q.into_iter().for_each(|q| f(Role::Write, q));
            compare(f, comparison);
        }
        Op::Set { ref comparison, d, .. } => {
            f(Role::Write, d);
            compare(f, comparison);
        }
        Op::Selp { d, a, b, p } => dst_src(f, &[d], &[a, b, p.reg]),
        Op::PredMov { d, a } => dst_src(f, &[d], &[a.reg]),
        Op::PredLogic { d, a, b, .. } => dst_src(f, &[d], &[a.reg, b.reg]),
        Op::Pack { d, ref a, bits } => dst_src(f, &[d], &a[..pack_count(d, bits)]),
        Op::Unpack { ref d, a, bits } => dst_src(f, &d[..pack_count(a, bits)], &[a]),
        Op::Clock { d } | Op::ActiveMask { d } => f(Role::Write, d),
        Op::Ld(ref load) => {
            dst_src(f, &load.d[..load.count as usize], &[]);
            address(f, &load.address);
        }
        Op::St(ref store) => {
            dst_src(f, &[], &store.a[..store.count as usize]);
            address(f, &store.address);
        }
        Op::Atom(ref atomic) => {
            atomic.d.into_iter().for_each(|d| f(Role::Write, d));
            f(Role::Read, atomic.b);
            atomic.c.into_iter().for_each(|c| f(Role::Read, c));
            address(f, &atomic.address);
        }
        Op::Tex(ref tex) => {
            dst_src(f, &tex.d, &tex.coordinates[..tex.dimensions as usize]);
            for source in [Some(tex.texture), tex.sampler].into_iter().flatten() {
                if let TexSource::Handle(handle) = source {
                    f(Role::Read, handle);
                }
            }
        }
        Op::Bar { kind, id, threads } => {
            if let BarrierKind::Reduce { d, p, .. } = kind {
                dst_src(f, &[d], &[p.reg]);
            }
            f(Role::Read, id);
            threads.into_iter().for_each(|t| f(Role::Read, t));
        }
        Op::Shfl { d, p, a, b, c, .. } => {
            p.into_iter().for_each(|p| f(Role::Write, p));
            dst_src(f, &[d], &[a, b, c]);
        }
        Op::Vote { d, p: PredSource { reg, .. }, .. } => dst_src(f, &[d], &[reg]),
        Op::Fence | Op::Bra { .. } | Op::Exit | Op::Trap => {}
    }
}

/// How many elements of `bits` the whole register has.
fn pack_count(whole: Reg, bits: u8) -> usize {
    let width = if whole.class() == super::Class::Long { 64 } else { 32 };
    width / bits as usize
}

fn dst_src(f: &mut impl FnMut(Role, Reg), dst: &[Reg], src: &[Reg]) {
    dst.iter().for_each(|&d| f(Role::Write, d));
    src.iter().for_each(|&s| f(Role::Read, s));
}

fn address(f: &mut impl FnMut(Role, Reg), address: &Address) {
    address.base.into_iter().for_each(|base| f(Role::Read, base));
}

fn compare(f: &mut impl FnMut(Role, Reg), comparison: &Comparison) {
    f(Role::Read, comparison.a);
    f(Role::Read, comparison.b);
    if let Some((_, p)) = comparison.combine {
        f(Role::Read, p.reg);
    }
}
