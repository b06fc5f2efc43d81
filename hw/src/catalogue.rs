//! Every block with every combination of parameters that is exported.
//!
//! Const generics shape structure only (lanes, slots, rows, variant); numbers that studies sweep are
//! `cfg_*` ports. The first combination of a block is its default and has the block's own name; the
//! others add `__parameter_value`.

use crate::emit::{self, Heading, Known, Module};
use crate::lanes::variant::{COMPACT, FOLD};
use crate::reference::{FLUSH, FULL};
use crate::rtl::RtlBlock;
use crate::{booster, cache, crisp, folding, gangs, gating, lanes, reference};
use std::sync::LazyLock;

/// One block with one combination of parameters.
#[derive(Clone)]
pub struct Entry {
    /// Module name: the block's, with its parameters if they are not the default.
    pub name: String,
    /// The block's one name.
    pub block: &'static str,
    /// The parameters of this combination.
    pub params: Vec<(&'static str, String)>,
    /// Builds the RTL.
    pub build: fn() -> Box<dyn RtlBlock>,
}

type Params = &'static [(&'static str, &'static str)];
type Build = fn() -> Box<dyn RtlBlock>;

/// A block with its combinations; the first is the default.
struct Shelf {
    block: &'static str,
    combinations: &'static [(Params, Build)],
}

/// Builds a shelf: `block: [param = value, ..] Type, ..;` with the default combination first.
macro_rules! shelves {
    ($($block:literal: $([$($param:ident = $value:literal),*] $ty:ty),+;)+) => {
        &[$(Shelf {
            block: $block,
            combinations: &[$((
                &[$((stringify!($param), $value)),*],
                || Box::new(<$ty>::default()),
            )),+],
        }),+]
    };
}

const SHELVES: &[Shelf] = shelves! {
    "split_mask": [] lanes::split_mask::SplitMask;
    "lane_shift_cluster":
        [variant = "compact", width = "32"] lanes::lane_shift_cluster::LaneShiftCluster<COMPACT, 32>,
        [variant = "compact", width = "1"] lanes::lane_shift_cluster::LaneShiftCluster<COMPACT, 1>,
        [variant = "fold", width = "32"] lanes::lane_shift_cluster::LaneShiftCluster<FOLD, 32>,
        [variant = "fold", width = "1"] lanes::lane_shift_cluster::LaneShiftCluster<FOLD, 1>;
    "lane_shift":
        [variant = "compact", width = "32"] lanes::lane_shift::LaneShift<COMPACT, 32>,
        [variant = "compact", width = "1"] lanes::lane_shift::LaneShift<COMPACT, 1>,
        [variant = "fold", width = "32"] lanes::lane_shift::LaneShift<FOLD, 32>,
        [variant = "fold", width = "1"] lanes::lane_shift::LaneShift<FOLD, 1>;
    "lane_reshift_cluster":
        [variant = "compact", width = "32"] lanes::lane_reshift_cluster::LaneReshiftCluster<COMPACT, 32>,
        [variant = "compact", width = "1"] lanes::lane_reshift_cluster::LaneReshiftCluster<COMPACT, 1>,
        [variant = "fold", width = "32"] lanes::lane_reshift_cluster::LaneReshiftCluster<FOLD, 32>,
        [variant = "fold", width = "1"] lanes::lane_reshift_cluster::LaneReshiftCluster<FOLD, 1>;
    "lane_reshift":
        [variant = "compact", width = "32"] lanes::lane_reshift::LaneReshift<COMPACT, 32>,
        [variant = "compact", width = "1"] lanes::lane_reshift::LaneReshift<COMPACT, 1>,
        [variant = "fold", width = "32"] lanes::lane_reshift::LaneReshift<FOLD, 32>,
        [variant = "fold", width = "1"] lanes::lane_reshift::LaneReshift<FOLD, 1>;
    "shift_stage":
        [variant = "compact"] lanes::shift_stage::ShiftStage<COMPACT>,
        [variant = "fold"] lanes::shift_stage::ShiftStage<FOLD>;
    "reshift_stage":
        [variant = "compact"] lanes::reshift_stage::ReshiftStage<COMPACT>,
        [variant = "fold"] lanes::reshift_stage::ReshiftStage<FOLD>;
    "result_collector":
        [entries = "4"] lanes::result_collector::ResultCollector<4, 128>,
        [entries = "8"] lanes::result_collector::ResultCollector<8, 256>;
    "idle_counters": [] gating::idle_counters::IdleCounters;
    "lane_power_gate": [] gating::lane_power_gate::LanePowerGate;
    "all_ones_detector": [] folding::all_ones_detector::AllOnesDetector;
    "group_counters": [] folding::group_counters::GroupCounters;
    "fold_controller": [] folding::fold_controller::FoldController;
    "drowsy_regions":
        [blocks = "128"] cache::drowsy_regions::DrowsyRegions<16, 7>,
        [blocks = "16"] cache::drowsy_regions::DrowsyRegions<2, 4>,
        [blocks = "96"] cache::drowsy_regions::DrowsyRegions<12, 7>,
        [blocks = "384"] cache::drowsy_regions::DrowsyRegions<48, 9>,
        [blocks = "1024"] cache::drowsy_regions::DrowsyRegions<128, 10>;
    "dwl_gate":
        [rows = "128", segments = "32"] cache::dwl_gate::DwlGate<128, 32, 1>,
        [rows = "128", segments = "16"] cache::dwl_gate::DwlGate<128, 16, 2>,
        [rows = "96", segments = "32"] cache::dwl_gate::DwlGate<96, 32, 1>,
        [rows = "16", segments = "32"] cache::dwl_gate::DwlGate<16, 32, 1>;
    "crisp_classifier": [] crisp::crisp_classifier::CrispClassifier;
    "load_critical_path":
        [slots = "164", ports = "2", width = "32"]
            crisp::load_critical_path::LoadCriticalPath<164, 8, 2, 32>,
        [slots = "164", ports = "4", width = "32"]
            crisp::load_critical_path::LoadCriticalPath<164, 8, 4, 32>,
        [slots = "4", ports = "2", width = "5"]
            crisp::load_critical_path::LoadCriticalPath<4, 3, 2, 5>;
    "crisp_counters":
        [slots = "164", ports = "2", width = "32"]
            crisp::crisp_counters::CrispCounters<164, 8, 2, 32>,
        [slots = "164", ports = "4", width = "32"]
            crisp::crisp_counters::CrispCounters<164, 8, 4, 32>,
        [slots = "4", ports = "2", width = "5"]
            crisp::crisp_counters::CrispCounters<4, 3, 2, 5>;
    "crisp_light":
        [width = "32"] crisp::crisp_light::CrispLight<32>,
        [width = "10"] crisp::crisp_light::CrispLight<10>;
    "crisp_plus":
        [warps = "64", width = "32"] crisp::crisp_plus::CrispPlus<64, 7, 32>,
        [warps = "48", width = "32"] crisp::crisp_plus::CrispPlus<48, 6, 32>,
        [warps = "4", width = "5"] crisp::crisp_plus::CrispPlus<4, 3, 5>;
    "stall_model":
        [width = "32"] crisp::stall_model::StallModel<32>,
        [width = "10"] crisp::stall_model::StallModel<10>;
    "miss_model":
        [width = "32"] crisp::miss_model::MissModel<32>,
        [width = "10"] crisp::miss_model::MissModel<10>;
    "lead_model":
        [slots = "164", ports = "2", width = "32"] crisp::lead_model::LeadModel<164, 8, 2, 32>,
        [slots = "4", ports = "2", width = "5"] crisp::lead_model::LeadModel<4, 3, 2, 5>;
    "crit_model":
        [slots = "164", ports = "2", width = "32"] crisp::crit_model::CritModel<164, 8, 2, 32>,
        [slots = "4", ports = "2", width = "5"] crisp::crit_model::CritModel<4, 3, 2, 5>;
    "gang_splitter":
        [pc = "32"] gangs::gang_splitter::GangSplitter<32>,
        [pc = "3"] gangs::gang_splitter::GangSplitter<3>;
    "gang_operation": [] gangs::gang_operation::GangOperation;
    "gang_directory":
        [sets = "32"] gangs::gang_directory::GangDirectory<32, 5>,
        [sets = "2"] gangs::gang_directory::GangDirectory<2, 1>;
    "gang_table":
        [sets = "32", pc = "32"] gangs::gang_table::GangTable<32, 5, 32, 128>;
    "gang_table_ram":
        [sets = "32", pc = "32"] gangs::gang_table_ram::GangTableRam<32, 5, 32>;
    "gang_reformer":
        [sets = "32", pc = "32"] gangs::gang_reformer::GangReformer<32, 5, 32>,
        [sets = "2", pc = "3"] gangs::gang_reformer::GangReformer<2, 1, 3>;
    "gang_issue":
        [sets = "32", picks = "2"] gangs::gang_issue::GangIssue<32, 5, 2>,
        [sets = "32", picks = "1"] gangs::gang_issue::GangIssue<32, 5, 1>,
        [sets = "32", picks = "4"] gangs::gang_issue::GangIssue<32, 5, 4>,
        [sets = "2", picks = "2"] gangs::gang_issue::GangIssue<2, 1, 2>;
    "warp_profiler":
        [warps = "16", count = "10"]
            booster::warp_profiler::WarpProfiler<16, 5, 10, 8, 14, 28, 34>,
        [warps = "48", count = "10"]
            booster::warp_profiler::WarpProfiler<48, 6, 10, 10, 16, 32, 40>,
        [warps = "4", count = "3"]
            booster::warp_profiler::WarpProfiler<4, 3, 3, 6, 6, 10, 32>;
    "boost_controller":
        [warps = "16", count = "10"]
            booster::boost_controller::BoostController<16, 5, 10, 10, 32>,
        [warps = "48", count = "10"]
            booster::boost_controller::BoostController<48, 6, 10, 10, 32>,
        [warps = "4", count = "3"]
            booster::boost_controller::BoostController<4, 3, 3, 3, 8>;
    "barrel_shifter": [] reference::barrel_shifter::BarrelShifter;
    "int_unit": [] reference::int_unit::IntUnit;
    "float_unpack": [] reference::float_unpack::FloatUnpack;
    "fma_prepare": [] reference::fma_prepare::FmaPrepare;
    "product_tree": [] reference::product_tree::ProductTree;
    "addend_align": [] reference::addend_align::AddendAlign;
    "fma_add": [] reference::fma_add::FmaAdd;
    "normalise_coarse": [] reference::normalise_coarse::NormaliseCoarse;
    "normalise_fine": [] reference::normalise_fine::NormaliseFine;
    "round_pack":
        [subnormals = "full"] reference::round_pack::RoundPack<FULL>,
        [subnormals = "flush"] reference::round_pack::RoundPack<FLUSH>;
    "simt_lane":
        [subnormals = "full"] reference::simt_lane::SimtLane<FULL>,
        [subnormals = "flush"] reference::simt_lane::SimtLane<FLUSH>;
};

/// The whole catalogue, in the order of the families.
pub fn entries() -> Vec<Entry> {
    SHELVES.iter().flat_map(Shelf::entries).collect()
}

/// The entry of that module name.
pub fn find(name: &str) -> Option<Entry> {
    entries().into_iter().find(|entry| entry.name == name)
}

impl Shelf {
    fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let default = self.combinations[0].0;
        self.combinations.iter().map(move |&(params, build)| {
            let differing = params.iter().zip(default).filter(|(ours, usual)| ours != usual);
            let name = differing.fold(self.block.to_string(), |name, ((param, value), _)| {
                format!("{name}__{param}_{value}")
            });
            let params = params.iter().map(|(n, v)| (*n, v.to_string())).collect();
            Entry { name, block: self.block, params, build }
        })
    }
}

impl Entry {
    /// Its module first, then every module it instantiates, each once.
    pub fn modules(&self) -> Result<Vec<Module>, emit::Error> {
        let library = Library::shared();
        let mut modules = vec![library.module(self)?];
        let mut at = 0;
        while at < modules.len() {
            for child in modules[at].children.clone() {
                if modules.iter().all(|m| m.name != child) {
                    let entry = find(&child).expect("children are known by catalogue name");
                    modules.push(library.module(&entry)?);
                }
            }
            at += 1;
        }
        Ok(modules)
    }
}

/// The catalogue's structures, built once, so that instances find their modules.
pub struct Library {
    known: Known,
}

impl Library {
    /// Every block's structure; the first who asks waits until each has been built once.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Library> = LazyLock::new(|| {
            let mut known = Known::default();
            entries().iter().for_each(|entry| known.add(&entry.name, (entry.build)().as_ref()));
            Library { known }
        });
        &SHARED
    }

    /// Exports one entry.
    pub fn module(&self, entry: &Entry) -> Result<Module, emit::Error> {
        let heading = Heading { name: &entry.name, params: &entry.params };
        emit::module((entry.build)().as_ref(), &heading, &self.known)
    }
}
