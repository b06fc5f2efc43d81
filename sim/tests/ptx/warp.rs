//! Shuffles, votes and the active mask.

use super::harness::words;

fn lanes(code: &str) -> Vec<u32> {
    words(&format!("{code} st.global.u32 [%at], %r1;"), 32, &[0; 32])
}

#[test]
fn shuffles_read_other_lanes() {
    let up = lanes("shfl.sync.up.b32 %r1, %t, 3, 0, -1;");
    let down = lanes("shfl.sync.down.b32 %r1, %t, 3, 31, -1;");
    let bfly = lanes("shfl.sync.bfly.b32 %r1, %t, 5, 31, -1;");
    let idx = lanes("shfl.sync.idx.b32 %r1, %t, 7, 31, -1;");
    for i in 0..32 {
        assert_eq!(up[i as usize], if i >= 3 { i - 3 } else { i });
        assert_eq!(down[i as usize], if i + 3 < 32 { i + 3 } else { i });
        assert_eq!(bfly[i as usize], i ^ 5);
        assert_eq!(idx[i as usize], 7);
    }
}

#[test]
fn segments_bound_a_shuffle_and_the_predicate_says_so() {
    // Segments of eight lanes: mask 0x18 in bits 8 to 12, clamp 7 for down.
    let down = lanes("shfl.down.b32 %r1|%p1, %t, 2, 0x1807; @!%p1 add.u32 %r1, %r1, 100;");
    let idx = lanes("shfl.sync.idx.b32 %r1, %t, 9, 0x181f, -1;");
    for i in 0..32u32 {
        let inside = i % 8 + 2 < 8;
        assert_eq!(down[i as usize], if inside { i + 2 } else { i + 100 });
        assert_eq!(idx[i as usize], i / 8 * 8 + 1);
    }
}

#[test]
fn votes() {
    let ballot = lanes("setp.gt.u32 %p1, %t, 29; vote.sync.ballot.b32 %r1, %p1, -1;");
    assert_eq!(ballot, [0xc000_0000; 32]);
    let vote = |mode: &str, bound: u32| {
        lanes(&format!(
            "setp.ge.u32 %p1, %t, {bound}; vote.sync.{mode}.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;"
        ))[0]
    };
    assert_eq!((vote("all", 0), vote("all", 1)), (1, 0));
    assert_eq!((vote("any", 31), vote("any", 32)), (1, 0));
    assert_eq!((vote("uni", 0), vote("uni", 5), vote("uni", 32)), (1, 0, 1));
    let old = lanes("setp.eq.u32 %p1, %t, 1; vote.ballot.b32 %r1, !%p1;");
    assert_eq!(old[0], !2);
}

#[test]
fn votes_count_only_active_lanes() {
    let out = lanes(
        "mov.u32 %r1, 0; setp.lt.u32 %p1, %t, 8; @!%p1 bra END;
         setp.lt.u32 %p2, %t, 100; vote.all.pred %p3, %p2; activemask.b32 %r1; @!%p3 mov.u32 %r1, 1;
         bar.warp.sync 0xff; END:",
    );
    assert_eq!(out[0], 0xff);
    assert_eq!(out[8], 0);
}
