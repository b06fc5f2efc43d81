//! How sure a mean over kernels is: the same figure on machines that differ in nothing that matters.
//!
//! Any delay changes the order of warps and blocks, and of lines in the L2 and DRAM; a short kernel gets slower or faster by
//! percents. So settings are compared on several machines whose interconnect differs by a few cycles, each setting with the
//! reference of its own machine, and the mean of them is given with its error.

use crate::report::mean;
use lanewise_sim::machine::config::MachineConfig;

/// What was spent with something, and without it.
#[derive(Clone, Copy, Debug)]
pub struct Both {
    /// With it.
    pub with: f64,
    /// Without it.
    pub without: f64,
}

impl Both {
    /// What is saved in percent.
    pub fn saved(&self) -> f64 {
        100.0 * (1.0 - self.with / self.without)
    }
}

/// A figure of every kernel on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    machines: Vec<Vec<f64>>,
}

impl Spread {
    /// From the figures of every kernel, in one order, on each machine.
    pub fn new(machines: Vec<Vec<f64>>) -> Spread {
        Spread { machines }
    }

    /// What is saved in percent; of every kernel what was spent on each machine.
    ///
    /// The mean over machines is that of the sums: runs vary by chance with and without, and the mean of quotients
    /// would count a reference that was lucky for more than one that was not. What a machine adds to that mean is its
    /// deviation to first order, so that the error has the chance of both.
    pub fn savings(kernels: &[Vec<Both>]) -> Spread {
        let machines = kernels.iter().map(Vec::len).min().unwrap_or(0);
        let saved = |spent: &Vec<Both>, m: usize| {
            let spent = &spent[..machines];
            let without = mean(spent.iter().map(|one| one.without));
            let ratio = mean(spent.iter().map(|one| one.with)) / without;
            100.0 * (1.0 - ratio - (spent[m].with - ratio * spent[m].without) / without)
        };
        let machine = |m: usize| kernels.iter().map(|spent| saved(spent, m)).collect();
        Spread::new((0..machines).map(machine).collect())
    }

    /// How much this is of another figure in percent, means over kernels, machine by machine; to first order, as in
    /// [`Spread::savings`]. None of nothing, or of what may be nothing.
    pub fn share(&self, of: &Spread) -> Option<Spread> {
        let whole = of.mean();
        if !(whole > 0.01 && whole > 2.0 * of.error().unwrap_or(0.0)) {
            return None;
        }
        let ratio = self.mean() / whole;
        let machine = |(part, of): (f64, f64)| 100.0 * (ratio + (part - ratio * of) / whole);
        Some(Spread::new(self.means().zip(of.means()).map(|both| vec![machine(both)]).collect()))
    }

    /// The figures, machine by machine.
    pub fn machines(&self) -> &[Vec<f64>] {
        &self.machines
    }

    /// Mean over machines and kernels.
    pub fn mean(&self) -> f64 {
        mean(self.means())
    }

    /// Standard error of [`Spread::mean`], from how the machines' own means differ; one machine does not tell.
    pub fn error(&self) -> Option<f64> {
        let (mean, count) = (self.mean(), self.machines.len() as f64);
        let square = self.means().map(|one| (one - mean).powi(2)).sum::<f64>();
        (count > 1.0).then(|| (square / (count - 1.0) / count).sqrt())
    }

    /// Mean of every kernel over the machines.
    pub fn kernels(&self) -> Vec<f64> {
        let kernels = self.machines.first().map_or(0, Vec::len);
        (0..kernels).map(|k| mean(self.machines.iter().map(|machine| machine[k]))).collect()
    }

    /// Mean of every machine over the kernels.
    pub fn means(&self) -> impl Iterator<Item = f64> + '_ {
        self.machines.iter().map(|machine| mean(machine.iter().copied()))
    }
}

/// Cycles of the interconnects of machines that are so many cycles slower than another; without those that cannot be.
pub fn neighbours(machine: &MachineConfig, offsets: &[i64]) -> Vec<u64> {
    let cycles = |offset: &i64| machine.interconnect.latency_cycles.checked_add_signed(*offset);
    offsets.iter().filter_map(cycles).filter(|cycles| *cycles > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error_of_two_machines_and_two_kernels() {
        let spread = Spread::new(vec![vec![0.0, 1.0], vec![2.0, 3.0]]);
        assert_eq!(spread.kernels(), [1.0, 2.0]);
        assert_eq!(spread.mean(), 1.5);
        // The machines' means are 0.5 and 2.5: their deviation is the root of 2, over the root of 2.
        assert_eq!(spread.error(), Some(1.0));
        assert_eq!(Spread::new(vec![vec![1.0]]).error(), None);
    }

    #[test]
    fn a_share_is_that_of_the_means_and_as_sure_as_machines_agree_on_it() {
        let of = Spread::new(vec![vec![10.0, 30.0], vec![30.0, 50.0]]);
        let half = Spread::new(vec![vec![5.0, 15.0], vec![15.0, 25.0]]);
        // Both differ between machines, what they have in common cancels.
        assert!(half.error() > Some(4.0));
        let share = |part: &Spread| part.share(&of).expect("it is of something");
        assert_eq!((share(&half).mean(), share(&half).error()), (50.0, Some(0.0)));
        // 15 of 20 and 15 of 40: half of the mean of 30, 5 of 30 more and less than that.
        let same = Spread::new(vec![vec![15.0]; 2]);
        let each: Vec<f64> = share(&same).means().map(f64::round).collect();
        assert_eq!((share(&same).mean(), each), (50.0, vec![67.0, 33.0]));
        let nothing =
            [vec![vec![0.0]], vec![vec![-1.0]], vec![vec![1.0], vec![-0.9]]].map(Spread::new);
        assert!(nothing.iter().all(|whole| half.share(whole).is_none()));
    }

    #[test]
    fn savings_are_those_of_the_sums() {
        let runs = |spent: &[(f64, f64)]| {
            spent.iter().map(|&(with, without)| Both { with, without }).collect::<Vec<_>>()
        };
        // The same runs with and without, in another order: nothing is saved, though the quotients' mean says so.
        let lucky = Spread::savings(&[runs(&[(1.0, 2.0), (2.0, 1.0)])]);
        let parts: Vec<f64> = lucky.means().collect();
        let third = 200.0 / 3.0;
        assert!((parts[0] - third).abs() < 1e-9 && (parts[1] + third).abs() < 1e-9, "{parts:?}");
        assert!(lucky.mean().abs() < 1e-12 && lucky.error() > Some(10.0), "{lucky:?}");
        let half = Spread::savings(&[runs(&[(1.0, 2.0), (2.0, 4.0)]), runs(&[(3.0, 3.0); 3])]);
        assert_eq!((half.kernels(), half.error()), (vec![50.0, 0.0], Some(0.0)));
        assert_eq!(half.machines().len(), 2, "those that all kernels have");
        // One machine is its own mean.
        assert_eq!(Spread::savings(&[runs(&[(3.0, 4.0)])]).mean(), 25.0);
        assert_eq!(Spread::savings(&[]).mean(), 0.0);
    }
}
