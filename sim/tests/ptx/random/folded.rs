//! Random programs on a machine whose warps fold: carries, predicates and long words ride through the lanes.

use std::sync::Arc;

use lanewise_sim::attach::{machine, Models};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::Limits;

use super::first_difference;

/// A machine that folds whatever it can, in lanes of one variant.
fn folding(variant: &str, elision: &str) -> Arc<MachineConfig> {
    let set = [
        "gpu.sms=1",
        "mechanisms.attach=lanes,gating,folding",
        "mechanisms.folding.aggressive_percent=100",
        "mechanisms.folding.conservative_percent=100",
        "mechanisms.folding.adaptive_off_percent=100",
        &format!("mechanisms.lanes.variant={variant}"),
        &format!("mechanisms.lanes.elision={elision}"),
    ];
    let set = set.map(ToString::to_string);
    Arc::new(MachineConfig::read("gtx480", &set).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn random_programs_agree_when_their_warps_fold() {
    let programs = if std::env::var_os("LANEWISE_FULL").is_some() { 2_000 } else { 100 };
    for (variant, elision) in
        [("compact", "none"), ("compact", "cluster"), ("fold", "half"), ("fold", "none")]
    {
        let config = folding(variant, elision);
        let (mut through, mut folded) = (0, 0);
        for seed in 0..programs {
            // A machine of its own: it knows kernels by their names.
            let mut machine = machine(&config, Limits::default(), 1, &Models).unwrap();
            if let Some((thread, program)) = first_difference(&mut machine, seed, |_| {}) {
                let text = program.text();
                panic!("{variant} {elision}, seed {seed}: thread {thread} differs\n{text}");
            }
            let lanes = machine.gpu().unwrap().sms[0].hooks.lanes.as_ref().unwrap();
            assert_eq!(lanes.refused, 0);
            through += lanes.instructions.iter().sum::<u64>();
            folded += lanes.folded.iter().sum::<u64>();
        }
        assert!(folded * 4 > through, "{variant} {elision}: {folded} of {through} folded");
    }
}
