//! Tells whether a cycle is lost to a load miss, lost to stores, or spent on computation.
//!
//! CRISP, section 3.5: the rules in the order in which the paper states them. Combinational: no state.

use super::Unit;

crate::io! {
    /// Inputs of [`CrispClassifier`].
    pub struct In {
        /// Instructions issued in this cycle: 0, 1 or 2; 3 counts as 2.
        issued: u8, 2;
        /// A taken branch throws away what was fetched.
        control_hazard: bool, 1;
        /// L1 or shared memory serialises an access.
        bank_conflict: bool, 1;
        /// An L1 miss is outstanding: data, constant, texture or instruction.
        load_outstanding: bool, 1;
        /// A store is outstanding.
        store_outstanding: bool, 1;
        /// The front end waits for instructions.
        fetch_stall: bool, 1;
        /// No miss register is free.
        mshr_full: bool, 1;
        /// The load-store queue is full.
        lsq_full: bool, 1;
        /// An instruction waits for the result of a memory operation.
        raw_memory: bool, 1;
        /// An instruction waits for the result of an arithmetic operation.
        raw_arithmetic: bool, 1;
        /// An instruction waits for an arithmetic unit.
        structural_arithmetic: bool, 1;
    }
}

crate::io! {
    /// Outputs of [`CrispClassifier`].
    pub struct Out {
        /// The cycle is lost to a load.
        load_stall: bool, 1, from [
            issued, control_hazard, bank_conflict, load_outstanding, fetch_stall, mshr_full, lsq_full,
            raw_memory, raw_arithmetic, structural_arithmetic
        ];
        /// The cycle is lost to stores.
        store_stall: bool, 1, from [
            issued, control_hazard, bank_conflict, load_outstanding, store_outstanding, fetch_stall,
            mshr_full, lsq_full, raw_arithmetic, structural_arithmetic
        ];
    }
}

/// What a cycle was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Compute,
    LoadStall,
    StoreStall,
}

fn classify(cycle: &In) -> Class {
    let arithmetic = cycle.raw_arithmetic || cycle.structural_arithmetic;
    let full = cycle.mshr_full || cycle.lsq_full;
    let busy = match cycle.issued {
        0 => false,
        1 => arithmetic,
        _ => true,
    };
    if busy {
        return Class::Compute;
    }
    // (A)
    let waits = cycle.load_outstanding || cycle.store_outstanding || cycle.fetch_stall;
    if cycle.control_hazard || cycle.bank_conflict || !waits {
        return Class::Compute;
    }
    // (B)
    if cycle.load_outstanding {
        return if cycle.raw_memory {
            Class::LoadStall
        } else if arithmetic {
            Class::Compute
        } else if full || cycle.fetch_stall {
            Class::LoadStall
        } else {
            Class::Compute
        };
    }
    // (C)
    if full {
        return Class::StoreStall;
    }
    // (D)
    Class::Compute
}

/// The cycle classification of one SM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrispClassifier;

impl Unit for CrispClassifier {
    type In = In;
    type Out = Out;

    fn eval(&mut self, inputs: &In) -> Out {
        let class = classify(inputs);
        Out { load_stall: class == Class::LoadStall, store_stall: class == Class::StoreStall }
    }

    fn tick(&mut self) {}

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_issue_is_busy_only_for_arithmetic_reasons() {
        let waiting = In { load_outstanding: true, raw_memory: true, ..In::default() };
        assert_eq!(classify(&In { issued: 0, ..waiting.clone() }), Class::LoadStall);
        assert_eq!(classify(&In { issued: 1, ..waiting.clone() }), Class::LoadStall);
        assert_eq!(
            classify(&In { issued: 1, raw_arithmetic: true, ..waiting.clone() }),
            Class::Compute
        );
        assert_eq!(classify(&In { issued: 2, ..waiting.clone() }), Class::Compute);
        assert_eq!(classify(&In { issued: 3, ..waiting }), Class::Compute);
    }

    #[test]
    fn the_first_rule_that_applies_decides() {
        let load = In { load_outstanding: true, ..In::default() };
        let cases = [
            (In { mshr_full: true, ..In::default() }, Class::Compute),
            (In { control_hazard: true, raw_memory: true, ..load.clone() }, Class::Compute),
            (In { bank_conflict: true, lsq_full: true, ..load.clone() }, Class::Compute),
            (In { raw_memory: true, raw_arithmetic: true, ..load.clone() }, Class::LoadStall),
            (In { mshr_full: true, structural_arithmetic: true, ..load.clone() }, Class::Compute),
            (In { lsq_full: true, store_outstanding: true, ..load.clone() }, Class::LoadStall),
            (In { fetch_stall: true, ..load.clone() }, Class::LoadStall),
            (load, Class::Compute),
            (In { store_outstanding: true, lsq_full: true, ..In::default() }, Class::StoreStall),
            (In { fetch_stall: true, mshr_full: true, ..In::default() }, Class::StoreStall),
            (In { store_outstanding: true, raw_memory: true, ..In::default() }, Class::Compute),
        ];
        for (cycle, class) in cases {
            assert_eq!(classify(&cycle), class, "{cycle:?}");
        }
    }
}
