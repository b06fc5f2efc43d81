//! Tells whether a cycle is lost to a load miss, lost to stores, or spent on computation.
//!
//! CRISP, section 3.5, rules (A) to (D). The order of the rules decides between several causes of one
//! idle cycle; written out, it leaves two products over a shared term, which the paper puts at about 12
//! gates. A cycle that is neither stall is computation and needs no output.

use crate::prelude::*;

/// The cycle classification of one SM, combinational.
#[derive(LogicBlock, Default)]
pub struct CrispClassifier {
    pub(crate) issued: Signal<In, Bits<2>>,
    pub(crate) control_hazard: Signal<In, Bit>,
    pub(crate) bank_conflict: Signal<In, Bit>,
    pub(crate) load_outstanding: Signal<In, Bit>,
    pub(crate) store_outstanding: Signal<In, Bit>,
    pub(crate) fetch_stall: Signal<In, Bit>,
    pub(crate) mshr_full: Signal<In, Bit>,
    pub(crate) lsq_full: Signal<In, Bit>,
    pub(crate) raw_memory: Signal<In, Bit>,
    pub(crate) raw_arithmetic: Signal<In, Bit>,
    pub(crate) structural_arithmetic: Signal<In, Bit>,
    pub(crate) load_stall: Signal<Out, Bit>,
    pub(crate) store_stall: Signal<Out, Bit>,
    arithmetic: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    may_stall: Signal<Local, Bit>,
}

rtl_block! {
    CrispClassifier,
    "crisp_classifier" in "crisp", combinational,
    Crisp "3.5 parameterizing the model: identifying stalls",
    "Tells whether a cycle is lost to a load miss, lost to stores, or, if neither, spent on \
     computation. A cycle that stalls with both loads and stores outstanding is a load stall.",
    input issued: "instructions issued in this cycle: 0, 1 or 2; 3 counts as 2";
    input control_hazard: "a taken branch throws away what was fetched";
    input bank_conflict: "L1 or shared memory serialises an access";
    input load_outstanding: "an L1 miss is outstanding: data, constant, texture or instruction";
    input store_outstanding: "a store is outstanding";
    input fetch_stall: "the front end waits for instructions";
    input mshr_full: "no miss register is free";
    input lsq_full: "the load-store queue is full";
    input raw_memory: "an instruction waits for the result of a memory operation";
    input raw_arithmetic: "an instruction waits for the result of an arithmetic operation";
    input structural_arithmetic: "an instruction waits for an arithmetic unit";
    output load_stall: "the cycle is lost to a load";
    output store_stall: "the cycle is lost to stores";
}

impl Logic for CrispClassifier {
    #[hdl_gen]
    fn update(&mut self) {
        self.arithmetic.next = self.raw_arithmetic.val() | self.structural_arithmetic.val();
        self.full.next = self.mshr_full.val() | self.lsq_full.val();
        comment!("One issue is busy only if arithmetic, not memory, kept the second slot empty.");
        self.busy.next =
            self.issued.val().get_bit(1) | (self.issued.val().get_bit(0) & self.arithmetic.val());
        comment!("(A) Branches and bank conflicts are resolved at the speed of the pipeline.");
        self.may_stall.next =
            !(self.busy.val() | self.control_hazard.val() | self.bank_conflict.val());
        comment!(
            "(B) Waiting for memory outranks arithmetic, which outranks full queues and fetch."
        );
        self.load_stall.next = self.may_stall.val()
            & self.load_outstanding.val()
            & (self.raw_memory.val()
                | (!self.arithmetic.val() & (self.full.val() | self.fetch_stall.val())));
        comment!("(C) Without a load, full queues mean stores; (D) all else is computation.");
        self.store_stall.next = self.may_stall.val()
            & !self.load_outstanding.val()
            & self.full.val()
            & (self.store_outstanding.val() | self.fetch_stall.val());
    }
}
