//! Power-aware caches in lockstep: no access is served while its region is drowsy, on real kernels.

use lanewise_sim::attach::{array_counts, machine, AttachError, Boxed, UnitSource};
use lanewise_sim::job::{Job, LoadOptions, RunOptions};
use lanewise_sim::machine::config::{ArrayKind, MachineConfig};
use lanewise_sim::machine::Limits;
use lanewise_sim::units::{Field, Io, Unit};
use lanewise_testbenches::cosim::{BackEnd, Bench, Choice};
use lanewise_testbenches::lockstep::Alarm;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// The bits of a field in a packed image.
fn bit(fields: &[Field], words: &[u32], name: &str, at: usize) -> bool {
    let before = fields.iter().take_while(|field| field.name != name);
    let start: usize = before.map(Field::words).sum();
    words[start + at / 32] >> (at % 32) & 1 != 0
}

fn value(fields: &[Field], words: &[u32], name: &str) -> usize {
    let field = fields.iter().find(|field| field.name == name).expect("the block has it");
    let bits = (0..field.bits()).filter(|at| bit(fields, words, name, *at));
    bits.map(|at| 1 << at).sum()
}

/// Looks at a `drowsy_regions` in every clocked cycle.
struct Spy<U: Unit> {
    unit: Boxed<U>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    served: Arc<AtomicU64>,
}

impl<U: Unit> Unit for Spy<U> {
    type In = U::In;
    type Out = U::Out;

    fn eval(&mut self, inputs: &U::In) -> U::Out {
        let out = self.unit.eval(inputs);
        inputs.pack(&mut self.inputs);
        out.pack(&mut self.outputs);
        out
    }

    fn tick(&mut self) {
        let (inputs, outputs) = (U::In::fields(), U::Out::fields());
        if bit(&inputs, &self.inputs, "access_valid", 0) && bit(&outputs, &self.outputs, "ready", 0)
        {
            let block = value(&inputs, &self.inputs, "access_block");
            let region = block >> value(&inputs, &self.inputs, "cfg_region_shift");
            let drowsy = bit(&outputs, &self.outputs, "drowsy", region);
            assert!(!drowsy, "block {block} is served by the drowsy region {region}");
            self.served.fetch_add(1, Ordering::Relaxed);
        }
        self.unit.tick();
    }

    fn reset(&mut self) {
        self.unit.reset();
    }

    fn pass(&mut self, cycles: u64) {
        self.unit.pass(cycles);
    }
}

/// Puts a spy in front of every drowsy control.
struct Spied {
    bench: Bench,
    served: Arc<AtomicU64>,
}

impl UnitSource for Spied {
    fn unit<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError> {
        let unit = self.bench.unit(entry, instance, model)?;
        if !entry.starts_with("drowsy_regions") {
            return Ok(unit);
        }
        let (inputs, outputs) = (vec![0; U::In::WORDS], vec![0; U::Out::WORDS]);
        Ok(Box::new(Spy::<U> { unit, inputs, outputs, served: self.served.clone() }))
    }
}

#[test]
fn no_access_is_served_while_its_region_is_drowsy() {
    for (kernel, set) in [
        ("bfs", &[][..]),
        (
            "nw",
            &["mechanisms.caches.shared.region_blocks=4", "mechanisms.caches.l2.wake_up_cycles=2"],
        ),
        ("mummer", &["mechanisms.caches.l1_instruction.drowsy=true"]),
        (
            "matmul",
            &["mechanisms.caches.shared_wake=bank", "mechanisms.caches.l1_data.wake_up_cycles=3"],
        ),
        (
            "convolution",
            &[
                "mechanisms.caches.l1_constant.look_ahead_cycles=1",
                "mechanisms.caches.filter_lines=2",
            ],
        ),
    ] {
        let set = ["gpu.sms=1", "mechanisms.attach=drowsy,dwl"].iter().chain(set);
        let set: Vec<String> = set.map(|s| s.to_string()).collect();
        let config = Arc::new(MachineConfig::read("thesis", &set).unwrap());
        let alarm = Alarm::default();
        let choice = Choice { all: BackEnd::Lockstep, ..Choice::default() };
        let served = Arc::new(AtomicU64::new(0));
        let bench = Bench::new(choice, &alarm, None, vec![]).unwrap();
        let source = Spied { bench, served: served.clone() };
        let mut machine = machine(&config, Limits::default(), 1, &source).unwrap();
        let options = LoadOptions { size: Some("tiny33".into()), seed: None };
        let job = Job::load(Path::new(&super::command::job(kernel)), &options).unwrap();
        let outcome = job.run_on(&mut machine, &RunOptions::default()).unwrap();
        assert!(outcome.passed(), "{kernel}");
        assert_eq!(alarm.raised(), None, "{kernel}");
        // Every access got its turn: one a block, of shared memory one a region or bank. The last access of
        // each array is not clocked any more.
        let gpu = machine.gpu().unwrap();
        let counts = array_counts(gpu);
        let accesses = |kind: ArrayKind| match config.mechanisms.caches.array(kind).drowsy {
            true => counts[kind].accesses(),
            false => 0,
        };
        let arrays = 5 + config.gpu.partitions as u64;
        let caches: u64 = ArrayKind::ALL
            .into_iter()
            .filter(|kind| *kind != ArrayKind::Shared)
            .map(accesses)
            .sum();
        let served = served.load(Ordering::Relaxed);
        assert!(served > 0 && served + arrays >= caches, "{kernel}: {served} of {caches}");
    }
}
