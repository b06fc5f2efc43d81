//! Lane loops for the vector units at hand: each function is compiled for any processor and for AVX2 with FMA.
//!
//! Rust's integer and IEEE arithmetic is the same in both, so the choice changes speed only.

/// Compiles a function twice and picks one at each call. What it calls must be `#[inline(always)]` to be
/// compiled along.
macro_rules! wide {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            fn any($($arg: $ty),*) $(-> $ret)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                unsafe fn avx2($($arg: $ty),*) $(-> $ret)? {
                    any($($arg),*)
                }
                if $crate::exec::simd::has_avx2() {
                    // SAFETY: the processor has every feature the function was compiled for.
                    return unsafe { avx2($($arg),*) };
                }
            }
            any($($arg),*)
        }
    };
}
pub(crate) use wide;

/// Whether the processor has what the fast form is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx2() -> bool {
    use std::sync::LazyLock;
    static FOUND: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    *FOUND
}
