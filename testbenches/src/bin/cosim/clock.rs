//! What the controller of the core clock did: printed, written and drawn.

use lanewise_files::whole;
use lanewise_sim::attach::{Attached, AttachedSlice};
use lanewise_sim::dvfs::{Activity, Controller, Power};
use lanewise_sim::machine::gpu::Gpu;
use lanewise_studies::plot;
use std::fmt::Write as _;
use std::path::Path;

type Machine = Gpu<Attached, AttachedSlice>;

/// A stretch of time at one P-state.
struct Stretch {
    /// When it began, in microseconds.
    start: f64,
    /// How long it took.
    length: f64,
    mhz: u32,
}

/// The whole run, decision by decision; it starts at the fastest P-state.
fn stretches(controller: &Controller, gpu: &Machine) -> Vec<Stretch> {
    let us = |time: u64| time as f64 * 1e-9;
    let decisions = controller.decisions.iter().map(|decision| (us(decision.time), decision.mhz));
    let starts: Vec<_> =
        std::iter::once((0.0, gpu.config().dvfs.highest_mhz)).chain(decisions).collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([us(gpu.now())]);
    let stretch = |((start, mhz), end): (&(f64, u32), f64)| Stretch {
        start: *start,
        length: end - start,
        mhz: *mhz,
    };
    starts.iter().zip(ends).map(stretch).collect()
}

/// Prints at which P-states the run was, and what it cost: the joules.
pub fn print(controller: Option<&mut Controller>, gpu: &Machine) -> Option<f64> {
    let (config, did) = (gpu.config(), Activity::of(gpu));
    let joules = match controller {
        Some(controller) => {
            controller.settle(gpu);
            print_states(controller, gpu);
            controller.energy()
        }
        None => {
            let (mhz, dvfs) = (config.clocks.core_mhz, &config.dvfs);
            let (low, high) = (dvfs.lowest_mhz, dvfs.highest_mhz);
            if !(f64::from(low)..=f64::from(high)).contains(&mhz) {
                say!("energy: unknown, clocks.core_mhz ({mhz}) is not between {low} and {high}, those of [dvfs]");
                return None;
            }
            Power::new(&config.power, config.gpu.sms).energy(&did, dvfs.pstate(mhz as u32))
        }
    };
    say!(
        "energy: {:.4} mJ in {:.1} us, EDP {:.4e} J s (power model of the machine, memory included; what other \
         mechanisms save is not in it)",
        joules * 1e3,
        did.seconds() * 1e6,
        joules * did.seconds()
    );
    Some(joules)
}

/// Writes `energy.csv`: what the run took.
pub fn write_energy(joules: f64, gpu: &Machine, directory: &Path) -> Result<(), String> {
    let seconds = Activity::of(gpu).seconds();
    let text = format!(
        "seconds,joules,edp_joule_seconds\n{seconds:e},{joules:e},{:e}\n",
        seconds * joules
    );
    whole(&directory.join("energy.csv"), |out| out.write_all(text.as_bytes()))
}

fn print_states(controller: &Controller, gpu: &Machine) {
    let dvfs = &gpu.config().dvfs;
    let stretches = stretches(controller, gpu);
    let all: f64 = stretches.iter().map(|stretch| stretch.length).sum();
    let shares = dvfs.pstates().into_iter().filter_map(|state| {
        let here = stretches.iter().filter(|stretch| stretch.mhz == state.mhz);
        let time: f64 = here.map(|stretch| stretch.length).sum();
        (time > 0.0).then(|| format!("{} MHz {:.1} %", state.mhz, 100.0 * time / all))
    });
    let switches = stretches.windows(2).filter(|pair| pair[0].mhz != pair[1].mhz).count();
    say!(
        "dvfs ({} for {}, {}): {} decisions, {switches} switches; time at {}",
        dvfs.predictor,
        dvfs.objective,
        dvfs.policy,
        controller.decisions.len(),
        shares.collect::<Vec<_>>().join(", ")
    );
}

/// Writes `dvfs.csv`, a row a decision, and `dvfs.svg`, the core clock over time.
pub fn write(controller: &Controller, gpu: &Machine, directory: &Path) -> Result<(), String> {
    let mut text = String::from("start_us,core_mhz,volts\n");
    let mut line = vec![];
    for Stretch { start, length, mhz } in stretches(controller, gpu) {
        let volts = gpu.config().dvfs.pstate(mhz).volts;
        let _ = writeln!(text, "{start:.3},{mhz},{volts:.4}");
        line.extend([(start, f64::from(mhz)), (start + length, f64::from(mhz))]);
    }
    whole(&directory.join("dvfs.csv"), |out| out.write_all(text.as_bytes()))?;
    let dvfs = &gpu.config().dvfs;
    let name = format!("{} for {}, {}", dvfs.predictor, dvfs.objective, dvfs.policy);
    let drawn = plot::lines("Core clock under the controller", "us", "MHz", &[(name, line)]);
    whole(&directory.join("dvfs.svg"), |out| out.write_all(drawn.as_bytes()))
}
