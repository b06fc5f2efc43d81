//! The stepped back end: a rust-hdl block driven in process, without rust-hdl's simulation threads.

use std::marker::PhantomData;

use lanewise_hw::rtl::RtlBlock;
use lanewise_sim::units::{Io, Unit};
use rust_hdl::core::check_error::CheckError;
use rust_hdl::prelude::{check_all, Block};

/// A block that cannot be stepped.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// rust-hdl found an open signal, a loop or a written input.
    #[error("rust-hdl rejects block {block}: {reason:?}; fix its `update`")]
    Rejected {
        /// The block's name.
        block: &'static str,
        /// What rust-hdl found.
        reason: CheckError,
    },
}

/// A rust-hdl block behind the [`Unit`] trait.
pub struct RtlUnit<I, O> {
    block: Box<dyn RtlBlock>,
    name: &'static str,
    clocked: bool,
    /// The clock is high in the block: its fall is joined with the next `eval`, which saves a settling.
    high: bool,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    io: PhantomData<fn(I) -> O>,
}

impl<I: Io, O: Io> RtlUnit<I, O> {
    /// Wires the block's inputs, has rust-hdl check it, and puts it in its reset state.
    pub fn new(mut block: Box<dyn RtlBlock>) -> Result<Self, RtlError> {
        let info = block.info();
        block.connect_inputs();
        block.connect_all();
        let checked: &dyn Block = &*block;
        check_all(checked).map_err(|reason| RtlError::Rejected { block: info.name, reason })?;
        let mut unit = Self {
            block,
            name: info.name,
            clocked: info.clocked,
            high: false,
            inputs: vec![0; I::WORDS],
            outputs: vec![0; O::WORDS],
            io: PhantomData,
        };
        unit.reset();
        Ok(unit)
    }

    /// The block, for probes that look at its registers.
    pub fn block(&self) -> &dyn RtlBlock {
        &*self.block
    }

    fn settle(&mut self) {
        // `check_all` has excluded loops, so only a broken rust-hdl block could get here.
        assert!(self.block.settle(), "{}: the combinational logic oscillates", self.name);
    }

    fn edge(&mut self) {
        if self.high {
            self.block.set_clock(false);
            self.settle();
        }
        self.block.set_clock(true);
        self.settle();
        self.high = true;
    }
}

impl<I: Io, O: Io> Unit for RtlUnit<I, O> {
    type In = I;
    type Out = O;

    fn eval(&mut self, inputs: &I) -> O {
        inputs.pack(&mut self.inputs);
        self.block.drive(&self.inputs);
        self.block.set_clock(false);
        self.high = false;
        self.settle();
        self.block.sample(&mut self.outputs);
        O::unpack(&self.outputs)
    }

    fn tick(&mut self) {
        if self.clocked {
            self.edge();
        }
    }

    fn reset(&mut self) {
        if self.clocked {
            // Reset and the falling clock settle before the edge that takes the reset in.
            self.block.set_reset(true);
            self.high = true;
            self.edge();
            self.block.set_reset(false);
        }
    }
}
