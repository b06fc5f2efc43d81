//! XTEA as published: 64 Feistel rounds in 32 cycles.

use crate::common::{exact, Run};

crate::kernel_tests!("xtea");

fn encrypt([mut v0, mut v1]: [u32; 2], key: &[u32]) -> [u32; 2] {
    let mix = |v: u32| ((v << 4) ^ (v >> 5)).wrapping_add(v);
    let mut sum = 0u32;
    for _ in 0..32 {
        v0 = v0.wrapping_add(mix(v1) ^ sum.wrapping_add(key[(sum & 3) as usize]));
        sum = sum.wrapping_add(0x9E37_79B9);
        v1 = v1.wrapping_add(mix(v0) ^ sum.wrapping_add(key[(sum >> 11 & 3) as usize]));
    }
    [v0, v1]
}

/// A published answer, so that kernel and reference cannot share a mistake.
#[test]
fn published_vector() {
    let key = [0x0001_0203, 0x0405_0607, 0x0809_0A0B, 0x0C0D_0E0F];
    let cipher = encrypt([0x4142_4344, 0x4546_4748], &key);
    assert_eq!(cipher, [0x497D_F3D0, 0x7261_2CB5]);
}

fn reference(run: &Run) {
    let key = run.before::<u32>("key");
    let plain = run.before::<u32>("plain");
    let want: Vec<u32> = plain
        .chunks(2)
        .flat_map(|block| encrypt([block[0], block[1]], &key))
        .collect();
    exact("cipher", &run.after("cipher"), &want);
}
