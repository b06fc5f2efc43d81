//! Origami's accounting: nothing is lost, nothing is counted twice, and the study says so on its page.

use lanewise_sim::attach::{AttachError, Boxed, LaneCycles, Models, UnitSource};
use lanewise_sim::units::lane_power_gate::{Out, LANES};
use lanewise_sim::units::Unit;
use lanewise_studies::origami::machines::{self, Machine};
use lanewise_studies::origami::point::{Measured, Run};
use lanewise_studies::{origami, Lab, Options, Point, Units};
use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What one gate showed, and for how many cycles.
type Trace = Vec<(Out, u64)>;

/// The trace of the gate at a place in the machine.
type Place = (String, Arc<Mutex<Trace>>);

/// Golden models whose gates leave a trace of every cycle; a fault may be planted in what they show.
#[derive(Clone, Default)]
struct Traced {
    traces: Arc<Mutex<Vec<Place>>>,
    fault: Option<fn(&mut Out)>,
}

struct TracedUnit<U: Unit> {
    unit: U,
    trace: Arc<Mutex<Trace>>,
    shown: Option<Out>,
    fault: Option<fn(&mut Out)>,
}

impl<U: Unit> TracedUnit<U> {
    fn note(&mut self, cycles: u64) {
        self.trace.lock().unwrap().extend(self.shown.clone().map(|out| (out, cycles)));
    }
}

impl<U: Unit> Unit for TracedUnit<U>
where
    U::Out: 'static,
{
    type In = U::In;
    type Out = U::Out;

    fn eval(&mut self, inputs: &U::In) -> U::Out {
        let mut out = self.unit.eval(inputs);
        if let Some(gate) = (&mut out as &mut dyn Any).downcast_mut::<Out>() {
            if let Some(fault) = self.fault {
                fault(gate);
            }
            self.shown = Some(gate.clone());
        }
        out
    }

    fn tick(&mut self) {
        self.note(1);
        self.unit.tick();
    }

    fn reset(&mut self) {
        self.unit.reset();
    }

    fn pass(&mut self, cycles: u64) {
        self.note(cycles);
        self.unit.pass(cycles);
    }
}

impl UnitSource for Traced {
    fn unit<U: Unit + 'static>(
        &self,
        entry: &str,
        instance: &str,
        model: U,
    ) -> Result<Boxed<U>, AttachError> {
        if entry != "lane_power_gate" {
            return Models.unit(entry, instance, model);
        }
        let trace = Arc::default();
        self.traces.lock().unwrap().push((instance.into(), Arc::clone(&trace)));
        Ok(Box::new(TracedUnit { unit: model, trace, shown: None, fault: self.fault }))
    }
}

impl Units for Traced {
    fn name(&self) -> String {
        "traced".into()
    }
}

/// Gated lane-cycles and gating events, counted lane by lane.
fn recount(trace: &Trace) -> (u64, u64) {
    let (mut gated, mut events) = (0, 0);
    for lane in 0..LANES {
        let mut before = false;
        for (out, cycles) in trace {
            let now = (out.uncompensated | out.compensated) >> lane & 1 != 0;
            gated += if now { *cycles } else { 0 };
            events += u64::from(now && !before);
            before = now;
        }
    }
    (gated, events)
}

fn options(kernels: &[&str], out: &Path) -> Options {
    Options::quick(kernels, 2, out).unwrap()
}

fn measure(kernel: &str, machine: Machine, units: &impl Units) -> Measured {
    let options = options(&[kernel], Path::new("unused"));
    let lab = Lab { options: &options, units, study: "origami" };
    let base = ("gtx480".into(), options.set.clone());
    let run = Run { kernel: options.kernels[0].clone(), size: "odd", machine, base };
    run.measure(&lab).unwrap()
}

fn gated() -> Vec<Machine> {
    vec![
        machines::conventional(),
        machines::warped_gates(),
        machines::folding(),
        machines::origami(),
        machines::tempered(),
    ]
}

fn sums_up(measured: &Measured, lanes: &LaneCycles) -> bool {
    lanes.total() == LANES as u64 * measured.pipeline_cycles
}

#[test]
fn every_lane_cycle_is_accounted_for_once() {
    for machine in gated() {
        let name = machine.name.clone();
        let measured = measure("hotspot", machine, &Models);
        for lanes in measured.lanes.unwrap() {
            assert!(sums_up(&measured, &lanes), "{name}");
            assert!(lanes.gating_events > 0 && lanes.busy > 0, "{name}");
        }
    }
    // The planted bug: lane 0 shows two states at once.
    let fault: fn(&mut Out) = |out| out.compensated |= out.ready & 1;
    let units = Traced { fault: Some(fault), ..Default::default() };
    let measured = measure("hotspot", machines::conventional(), &units);
    assert!(!sums_up(&measured, &measured.lanes.unwrap()[0]));
}

#[test]
fn gated_cycles_and_events_are_those_of_the_trace() {
    for machine in gated() {
        let name = machine.name.clone();
        let units = Traced::default();
        let measured = measure("reduce", machine, &units);
        let traces = units.traces.lock().unwrap();
        for (pipe, lanes) in ["/int/", "/fp/"].iter().zip(measured.lanes.unwrap()) {
            let of_pipe = traces.iter().filter(|(instance, _)| instance.contains(pipe));
            let (mut gated, mut events, mut short) = (0, 0, 0);
            for (_, trace) in of_pipe {
                let mut trace = trace.lock().unwrap();
                let counted = recount(&trace);
                gated += counted.0;
                events += counted.1;
                // The planted bug: a trace that misses half its cycles.
                let half = trace.len() / 2;
                trace.truncate(half);
                short += recount(&trace).0;
            }
            assert_eq!((gated, events), (lanes.gated(), lanes.gating_events), "{name} {pipe}");
            assert_ne!(short, lanes.gated(), "{name} {pipe}");
        }
    }
}

#[test]
fn a_machine_that_never_gates_saves_nothing() {
    for machine in [machines::baseline(), machines::gto(), machines::gates()] {
        let measured = measure("reduce", machine, &Models);
        assert_eq!(measured.lanes, None);
        for pipe in 0..2 {
            assert_eq!(measured.saved(pipe), 0.0);
            assert_eq!(measured.saved_of(pipe, &measured), 0.0);
        }
    }
}

#[test]
fn folding_changes_time_and_nothing_else() {
    // The runs fail if a result is wrong; these kernels compare exactly.
    for kernel in ["xtea", "raytrace", "nw"] {
        let off = measure(kernel, machines::baseline(), &Models);
        let on = measure(kernel, machines::folding(), &Models);
        assert!(on.folded[0] > 0, "{kernel}");
        assert_eq!(on.activity.issued, off.activity.issued, "{kernel}");
        assert_eq!(on.activity.threads, off.activity.threads, "{kernel}");
    }
}

#[test]
fn a_quick_study_writes_a_page_without_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&["vecadd"], folder.path());
    let lab = Lab { options: &options, units: &Models, study: "origami" };
    let report = origami::run(&lab).unwrap();
    assert!(report.unexplained().is_empty(), "{:?}", report.unexplained());
    report.write(folder.path()).unwrap();
    let page = std::fs::read_to_string(folder.path().join("origami.md")).unwrap();
    for plot in page.lines().filter_map(|line| line.split_once("](").map(|(_, file)| file)) {
        assert!(folder.path().join(plot.trim_end_matches(')')).is_file(), "{plot}");
    }
    assert!(page.contains("| origami |") && !page.contains("NaN"), "{page}");
}
