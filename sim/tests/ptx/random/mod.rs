//! Random programs: a generator writes PTX, a second interpreter runs the same program one thread at a time,
//! and every register of every thread must be equal at the end.
//!
//! 500 programs by default, 10,000 with LANEWISE_FULL=1. A failure prints the seed and the PTX. Fewer of them run on
//! the machine too, with warps that fold.

mod catalogue;
mod folded;
mod generate;
mod interpret;
mod round;

use std::sync::Arc;

use lanewise_sim::exec::{GlobalMemory, Launch};
use lanewise_sim::job::{Engine, Functional, Order};
use lanewise_sim::ptx::ir::{FloatBinary, IntBinary, Op};
use lanewise_sim::ptx::Module;

pub use generate::Random;
use generate::{Program, THREAD_BYTES};

/// What an engine makes of a program's input.
fn execute(
    engine: &mut dyn Engine,
    module: &Arc<Module>,
    program: &Program,
    input: &[u8],
) -> Vec<u8> {
    let mut memory = GlobalMemory::new(&module.image.global);
    let address = memory.allocate("state", input.len() as u64);
    memory.slice_mut(address, input.len() as u64).unwrap().copy_from_slice(input);
    let mut launch = Launch::new(module, "k", [1, 1, 1], [program.threads, 1, 1]).unwrap();
    launch.set_param(0, &address.to_le_bytes()).unwrap();
    let order = Order { max_instructions: 1_000_000, registers: None, timed: true };
    let done = engine.launch(launch, &mut memory, &order);
    done.unwrap_or_else(|e| panic!("{e:?}\n{}", program.text()));
    memory.slice(address, input.len() as u64).unwrap().to_vec()
}

/// The first thread whose state differs, after loading the program and changing it with `edit`.
fn first_difference(
    engine: &mut dyn Engine,
    seed: u64,
    edit: impl Fn(&mut Module),
) -> Option<(usize, Program)> {
    let mut random = Random(seed);
    let program = Program::random(&mut random);
    let input: Vec<u8> =
        (0..program.threads).flat_map(|_| generate::thread_input(&mut random)).collect();
    let text = program.text();
    let mut module = Module::load("random.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    edit(&mut module);
    let got = execute(engine, &Arc::new(module), &program, &input);
    let want = interpret::interpret(&program, &input);
    let differs = |(got, want): (&[u8], &[u8])| got != want;
    let thread = got.chunks(THREAD_BYTES).zip(want.chunks(THREAD_BYTES)).position(differs)?;
    let show = |bytes: &[u8]| bytes[thread * THREAD_BYTES..][..THREAD_BYTES].to_vec();
    println!("thread {thread}\n got {:02x?}\nwant {:02x?}", show(&got), show(&want));
    Some((thread, program))
}

#[test]
fn random_programs_agree_with_the_reference() {
    let programs = if std::env::var_os("LANEWISE_FULL").is_some() { 10_000 } else { 500 };
    for seed in 0..programs {
        if let Some((thread, program)) = first_difference(&mut Functional, seed, |_| {}) {
            panic!("seed {seed}: thread {thread} differs\n{}", program.text());
        }
    }
}

/// Whether any of the first programs notices the change.
fn caught(edit: impl Fn(&mut Op)) -> bool {
    (0..200).any(|seed| {
        let change = |module: &mut Module| {
            module.kernels[0].insts.iter_mut().for_each(|inst| edit(&mut inst.op));
        };
        first_difference(&mut Functional, seed, change).is_some()
    })
}

#[test]
fn a_bug_in_an_opcode_is_caught() {
    assert!(caught(|op| {
        if let Op::Int2 { f: f @ IntBinary::Shr, .. } = op {
            *f = IntBinary::Shl;
        }
    }));
    assert!(caught(|op| {
        if let Op::Int2 { f: f @ IntBinary::Min, .. } = op {
            *f = IntBinary::Max;
        }
    }));
    assert!(caught(|op| {
        if let Op::Float2 { f: FloatBinary::Add, mode, .. } = op {
            mode.ftz = !mode.ftz;
        }
    }));
    assert!(caught(|op| if let Op::Carry { uses, .. } = op {
        uses.reads = false;
    }));
    assert!(caught(|op| if let Op::Bra { reconverge, .. } = op {
        // Lanes that never meet again arrive at barriers one path at a time.
        *reconverge = Op::NEVER;
    }));
}

#[test]
fn every_opcode_of_the_catalogue_is_generated() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..500 {
        Program::random(&mut Random(seed)).opcodes(&mut seen);
    }
    let missing: Vec<_> = catalogue::catalogue()
        .into_iter()
        .map(|t| t.opcode)
        .filter(|o| !seen.contains(o))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
