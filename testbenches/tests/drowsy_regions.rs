//! `drowsy_regions` keeps its contract at every size; delays are exact and nothing drowsy is opened.

use lanewise_sim::units::drowsy_regions::{In, Out};
use lanewise_testbenches::bindings::drowsy_regions::binding;
use lanewise_testbenches::contract;
use lanewise_testbenches::scenario::Scenario;

#[test]
fn contract_of_128_blocks() {
    contract::run(&binding::<128>("drowsy_regions"));
}

#[test]
fn contract_of_16_blocks() {
    contract::run(&binding::<16>("drowsy_regions__blocks_16"));
}

#[test]
fn contract_of_96_blocks() {
    contract::run(&binding::<96>("drowsy_regions__blocks_96"));
}

#[test]
fn contract_of_384_blocks() {
    contract::run(&binding::<384>("drowsy_regions__blocks_384"));
}

#[test]
fn contract_of_1024_blocks() {
    contract::run(&binding::<1024>("drowsy_regions__blocks_1024"));
}

fn texture() -> Scenario<In<96>, Out<96>> {
    Scenario::of(&binding::<96>("drowsy_regions__blocks_96"))
}

/// Holds an access until it is served and counts the cycles it waits.
fn wait(cache: &mut Scenario<In<96>, Out<96>>, inputs: &In<96>) -> usize {
    let open = |out: &Out<96>| {
        let region = usize::from(inputs.access_block >> inputs.cfg_region_shift.min(5));
        let awake: Vec<usize> = (0..96).filter(|region| !out.drowsy[*region]).collect();
        assert!(!out.ready || awake == [region], "opened with {awake:?} awake");
        out.ready
    };
    (0..10).find(|_| open(&cache.cycle(inputs))).expect("it is served")
}

#[test]
fn every_region_of_every_size_waits_for_the_wake_up_delay_once() {
    let mut cache = texture();
    for (cfg_region_shift, blocks) in [1, 2, 4, 8, 16, 32, 32, 32].into_iter().enumerate() {
        for cfg_wake_up in 0..4 {
            cache.reset();
            for access_block in 0..96 {
                let cfg_region_shift = cfg_region_shift as u8;
                let early = In { cfg_region_shift, cfg_wake_up, ..In::default() };
                let inputs = In { access_valid: true, access_block, ..early };
                let first = access_block % blocks == 0;
                let expected = if first { cfg_wake_up.max(1).into() } else { 0 };
                assert_eq!(wait(&mut cache, &inputs), expected, "{inputs:?}");
            }
        }
    }
}

#[test]
fn looking_ahead_by_n_hides_n_cycles() {
    let mut cache = texture();
    for cfg_wake_up in 1..4 {
        for ahead in 0..5 {
            cache.reset();
            let early = In { early_valid: true, early_block: 77, cfg_wake_up, ..In::default() };
            for _ in 0..ahead {
                cache.cycle(&early);
            }
            let access = In { access_valid: true, access_block: 77, early_valid: false, ..early };
            let expected = usize::from(cfg_wake_up).saturating_sub(ahead);
            assert_eq!(wait(&mut cache, &access), expected, "{ahead} ahead of {cfg_wake_up}");
        }
    }
}

#[test]
fn blocks_that_are_not_there_change_nothing() {
    let mut cache = texture();
    let access = In { access_valid: true, access_block: 95, cfg_region_shift: 1, ..In::default() };
    wait(&mut cache, &access);
    for block in 96..128 {
        let beyond =
            In { access_block: block, early_valid: true, early_block: block, ..access.clone() };
        let out = cache.cycle(&beyond);
        assert!(!out.ready && !out.drowsy[47]);
    }
    assert_eq!(wait(&mut cache, &access), 0);
}
