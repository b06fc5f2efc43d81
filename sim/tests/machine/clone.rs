//! A machine can be copied in the middle of a kernel, and the copy lives its own life.

use super::harness::{job, machine};
use lanewise_sim::job::RunOptions;
use lanewise_sim::machine::gpu::Gpu;
use lanewise_sim::machine::sm::hooks::Silent;
use lanewise_sim::machine::{Limits, Machine};
use std::sync::{Arc, Mutex};

type Plain = Gpu<Silent, Silent>;

/// Everything that a machine has counted, and its memory.
fn reading(gpu: &Plain) -> String {
    let sms = gpu.sms.iter().map(|sm| {
        let l = sm.ldst();
        let caches = [l.data.counts, l.constant.counts, l.texture.counts, sm.instruction_cache()];
        format!("{:?} {:?} {caches:?} {:?}\n", sm.counts(), sm.stalls(), sm.last_end())
    });
    let slices = gpu.partitions.iter().map(|p| format!("{:?}\n", p.counts()));
    let memory = gpu.global.allocations().iter().map(|a| {
        let bytes = gpu.global.slice(a.address, a.len).unwrap_or(&[]);
        let sum = bytes.iter().fold(0u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        format!("{} {sum:x}\n", a.name)
    });
    let (done, all) = gpu.progress();
    sms.chain(slices).chain(memory).collect::<String>() + &format!("{} {done}/{all}", gpu.now())
}

fn finish(mut gpu: Plain) -> Plain {
    while !gpu.is_done() {
        gpu.advance().expect("the kernel is right");
    }
    gpu
}

/// A copy of a machine that has run about half of a kernel.
fn halfway(name: &str) -> Plain {
    let kept: Arc<Mutex<Option<Plain>>> = Arc::default();
    let keep = kept.clone();
    let mut machine =
        Machine::new(&machine(&["gpu.sms=4"]), Limits::default(), 1, |_| Silent, |_| Silent)
            .unwrap()
            .between(Box::new(move |gpu| {
                let (done, all) = gpu.progress();
                let mut kept = keep.lock().expect("nobody panics");
                if done * 2 >= all && done < all && kept.is_none() {
                    *kept = Some(gpu.clone());
                }
            }));
    let outcome = job(name, "default").run_on(&mut machine, &RunOptions::default());
    assert!(outcome.unwrap_or_else(|e| panic!("{e}")).passed());
    let gpu = kept.lock().expect("nobody panics").take();
    gpu.expect("there is a middle")
}

#[test]
fn a_copy_finishes_exactly_as_the_original() {
    for name in ["matmul", "histogram", "bfs"] {
        let original = halfway(name);
        let copy = original.clone();
        assert_eq!(reading(&copy), reading(&original), "{name}");
        let before = reading(&original);
        let copy = finish(copy);
        assert_eq!(reading(&original), before, "{name}: the copy ran, the original did not");
        assert_ne!(reading(&copy), before, "{name}: there was something left to do");
        assert_eq!(reading(&finish(original)), reading(&copy), "{name}");
    }
}

#[test]
fn an_oracle_may_try_another_clock_on_a_copy() {
    let original = halfway("matmul");
    let undisturbed = finish(original.clone());
    let mut copy = original.clone();
    copy.set_core_mhz(350.0);
    let slow = finish(copy);
    assert_eq!(original.core_mhz(), 700.0);
    assert_eq!(slow.core_mhz(), 350.0);
    let start = original.now();
    let (fast, slow_time) = (undisturbed.now() - start, slow.now() - start);
    assert!(slow_time > fast * 3 / 2, "{slow_time} {fast}");
    // The same work was done, and the original is as it was.
    let work =
        |gpu: &Plain| -> u64 { gpu.sms.iter().map(|s| s.counts().thread_instructions).sum() };
    assert_eq!(work(&slow), work(&undisturbed));
    assert_eq!(slow.global, undisturbed.global);
    assert_eq!(reading(&finish(original)), reading(&undisturbed));
}
