//! `gang_directory`: gangs that are launched, fetch, get ready, issue, split, merge and go.

use lanewise_sim::units::gang_directory::{GangDirectory, In, Out};
use lanewise_sim::units::{Io, Unit};

use super::gang_operation::part;
use crate::contract::Binding;
use crate::stimulus::{Gen, Source, Sticky};

/// The block and how to try it.
pub fn binding() -> Binding<In<32, 5>, Out<32, 5>> {
    excepted(Binding::of::<GangDirectory<32, 5>>("gang_directory", stimulus::<32, 5>))
}

/// The variant that is proved.
pub fn two_sets() -> Binding<In<2, 1>, Out<2, 1>> {
    excepted(Binding::of::<GangDirectory<2, 1>>("gang_directory__sets_2", stimulus::<2, 1>))
}

fn excepted<I: Io, O: Io>(binding: Binding<I, O>) -> Binding<I, O> {
    binding.except("pc_group", 0..2, "way 0 is the first vacant way or none").except(
        "pc_group",
        3..4,
        "way 1 is the first or the second vacant way",
    )
}

fn stimulus<const SETS: usize, const SET: usize>() -> Source<In<SETS, SET>> {
    let mut script = Script::<SETS, SET>::default();
    Box::new(move |g| script.next(g))
}

/// A front end that mostly asks for what makes sense. It follows the table with a model of its own and
/// dwells on one set for a while. In a calm mood it only launches there, so that what it leaves behind
/// has many gangs. A reset it does not see; it is back in step with a set as soon as it makes all its
/// warps exit, which it does now and then.
pub(super) struct Script<const SETS: usize, const SET: usize> {
    shadow: GangDirectory<SETS, SET>,
    focus: Sticky<u8>,
    calm: Sticky<bool>,
}

impl<const SETS: usize, const SET: usize> Default for Script<SETS, SET> {
    fn default() -> Self {
        Self { shadow: GangDirectory::default(), focus: Sticky::new(8), calm: Sticky::new(8) }
    }
}

impl<const SETS: usize, const SET: usize> Script<SETS, SET> {
    /// The requests of the next cycle.
    pub(super) fn next(&mut self, g: &mut Gen) -> In<SETS, SET> {
        let focus = self.focus.next(g, |g| g.below(SETS) as u8);
        let calm = self.calm.next(g, |g| g.once_in(2));
        let seen = self.shadow.eval(&In { look_set: focus, ..In::default() });
        let near = |g: &mut Gen| if g.once_in(3) { g.below(SETS) as u8 } else { focus };
        let mut inputs = In {
            look_set: near(g),
            ready_valid: g.mask(8) as u8,
            ready_set: std::array::from_fn(|_| near(g)),
            ..In::default()
        };
        for w in 0..4 {
            inputs.issue[w] = seen.issuable[w] & g.mask(SETS) as u32;
        }
        if g.once_in(20) {
            inputs.issue[g.below(4)] ^= 1 << g.below(SETS);
        }
        self.operation(g, focus, calm, &seen, &mut inputs);
        self.fill(g, &seen, &mut inputs);
        if g.once_in(6) {
            let (all, set) = (calm || g.once_in(4), near(g));
            inputs.exit_valid = if all { 0xff } else { (g.bits(8) & g.bits(8)) as u8 };
            inputs.exit_set = std::array::from_fn(|_| if all { set } else { near(g) });
        }
        self.shadow.eval(&inputs);
        self.shadow.tick();
        inputs
    }

    fn operation(
        &self,
        g: &mut Gen,
        focus: u8,
        calm: bool,
        seen: &Out<SETS, SET>,
        inputs: &mut In<SETS, SET>,
    ) {
        inputs.op_valid = !g.once_in(3);
        inputs.op_set = if g.once_in(30) { g.below(SETS) as u8 } else { focus };
        let ways: Vec<usize> = (0..4).filter(|&w| seen.look_mask[w] != 0).collect();
        if ways.is_empty() && seen.look_independent == 0 {
            let warps = if g.once_in(2) { 0xff } else { g.mask(8) as u8 };
            (inputs.op_group_mask, inputs.op_single_mask) = part(g, warps);
            return;
        }
        if calm {
            inputs.op_valid = false;
            return;
        }
        let Some(&way) = ways.get(g.below(4)).or(ways.first()) else {
            inputs.op_code = 3;
            inputs.op_single_mask = seen.look_independent & g.mask(8) as u8;
            return;
        };
        let pending = seen.look_open >> way & 1 == 0;
        inputs.op_ways = 1 << way;
        inputs.op_code = match g.below(16) {
            0 => g.bits(3) as u8,
            1 => 4,
            2..=4 => 3,
            5..=9 if !pending => 2,
            _ if pending => 1,
            _ => {
                inputs.op_valid = false;
                0
            }
        };
        (inputs.op_group_mask, inputs.op_single_mask) = match g.below(4) {
            0 => ([seen.look_mask[way], 0, 0, 0], 0),
            _ => part(g, seen.look_mask[way]),
        };
        if inputs.op_code == 3 {
            inputs.op_ways = seen.look_open & g.mask(4) as u8;
            inputs.op_single_mask = seen.look_independent & g.mask(8) as u8;
        }
        if g.once_in(30) {
            inputs.op_group_mask[g.below(4)] ^= 1 << g.below(8);
        }
    }

    fn fill(&self, g: &mut Gen, seen: &Out<SETS, SET>, inputs: &mut In<SETS, SET>) {
        let hungry: Vec<(usize, usize)> = (0..SETS)
            .flat_map(|set| (0..4).map(move |w| (set, w)))
            .filter(|&(set, w)| seen.fetchable[w] >> set & 1 != 0)
            .collect();
        inputs.fill_valid = !g.once_in(4);
        inputs.fill_control = g.once_in(2);
        let here: Vec<_> =
            hungry.iter().copied().filter(|(set, _)| *set == inputs.op_set as usize).collect();
        let (set, way) = match (g.below(12), hungry.is_empty(), here.is_empty()) {
            (0, ..) | (_, true, _) => (g.below(SETS), g.below(4)),
            (1..=6, _, false) => g.pick(&here),
            _ => g.pick(&hungry),
        };
        (inputs.fill_set, inputs.fill_way) = (set as u8, way as u8);
    }
}
