//! The machines of the Origami study with the exported Verilog in them.

use super::command::run;
use lanewise_studies::origami::machines;

#[test]
fn every_gated_machine_runs_in_lockstep() {
    let machines = [
        machines::conventional(),
        machines::warped_gates(),
        machines::folding(),
        machines::origami(),
        machines::tempered(),
    ];
    for machine in machines {
        let mut options = vec!["--size", "tiny33", "--sms", "1", "--units", "lockstep"];
        for set in &machine.set {
            options.extend(["--set", set]);
        }
        // Floating point with a shrinking mask, launches of few threads, integers in a wavefront.
        for kernel in ["reduce", "gaussian", "nw"] {
            let done = run(kernel, &options);
            assert_eq!(
                done.code,
                Some(0),
                "{kernel} on {}: {}{}",
                machine.name,
                done.out,
                done.err
            );
        }
    }
}
