//! Warp schedulers: a trait and one short file a policy.

mod gto;
mod lrr;
mod oldest;
mod two_level;

use super::super::config::SmConfig;

/// Warps of one scheduler as a set of slot numbers.
pub type WarpSet = u64;

/// What a scheduler may look at besides who is ready.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// When each slot's warp was launched; smaller is older.
    pub ages: &'a [u64],
    /// Warps that wait for memory or at a barrier.
    pub waiting: WarpSet,
    /// Warps that have not ended.
    pub running: WarpSet,
}

/// Chooses the warp that issues next.
pub trait Scheduler: Send {
    /// One of `ready`, which is not empty.
    fn pick(&mut self, ready: WarpSet, view: &View) -> usize;

    /// Restricts who may issue in this cycle; called before [`Scheduler::pick`].
    fn eligible(&mut self, ready: WarpSet, _view: &View) -> WarpSet {
        ready
    }

    /// A copy in the same state, so that a machine can be cloned.
    fn boxed_clone(&self) -> Box<dyn Scheduler>;
}

impl Clone for Box<dyn Scheduler> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The names that [`by_name`] knows.
pub const NAMES: [&str; 4] = ["lrr", "gto", "two-level", "oldest"];

/// A name that no policy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScheduler(pub String);

impl std::fmt::Display for UnknownScheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no scheduler `{}`; there are {}", self.0, NAMES.join(", "))
    }
}

impl std::error::Error for UnknownScheduler {}

/// The policy that a machine names.
pub fn by_name(config: &SmConfig) -> Result<Box<dyn Scheduler>, UnknownScheduler> {
    Ok(match config.scheduler.as_str() {
        "lrr" => Box::new(lrr::LooseRoundRobin::default()),
        "gto" => Box::new(gto::GreedyThenOldest::default()),
        "two-level" => Box::new(two_level::TwoLevel::new(config.two_level_active)),
        "oldest" => Box::new(oldest::OldestFirst),
        other => return Err(UnknownScheduler(other.into())),
    })
}

/// The oldest of a set.
fn oldest_of(set: WarpSet, ages: &[u64]) -> usize {
    each(set).min_by_key(|&w| (ages[w], w)).unwrap_or(0)
}

/// The members of a set, lowest first.
fn each(set: WarpSet) -> impl Iterator<Item = usize> {
    std::iter::successors((set != 0).then_some(set), |s| {
        let rest = s & (s - 1);
        (rest != 0).then_some(rest)
    })
    .map(|s| s.trailing_zeros() as usize)
}

/// The first member at or after `from`, else the first of all.
pub(super) fn next_from(set: WarpSet, from: usize) -> usize {
    let after = set & (u64::MAX << from.min(63));
    let after = if from > 63 { 0 } else { after };
    (if after != 0 { after } else { set }).trailing_zeros() as usize
}
