//! Every kernel equals its reference: what kernels/<name> computes at the sizes tiny1, tiny33, odd and
//! default is compared with plain sequential Rust on the same inputs. Integers, and floats whose
//! roundings the reference repeats, must be equal bit for bit; every other file states its tolerance
//! and the reason for it.

mod common;
mod counts;
mod inventory;

/// The four tests of a kernel; its module says what must come out in `fn reference(run: &Run)`.
#[macro_export]
macro_rules! kernel_tests {
    ($name:literal) => {
        $crate::kernel_tests!($name, tiny1, tiny33, odd, default);
    };
    ($name:literal, $($size:ident),*) => {$(
        #[test]
        fn $size() {
            let run = $crate::common::Run::of($name, stringify!($size));
            reference(&run);
            $crate::counts::documented($name).assert_holds(stringify!($size), &run.counts());
        }
    )*};
}

/// Declares the modules and lists their names.
macro_rules! kernels {
    ($($name:ident)*) => {
        $(mod $name;)*
        /// Every kernel that has a reference.
        pub const KERNELS: &[&str] = &[$(stringify!($name)),*];
    };
}

kernels! {
    backprop
    bfs
    bitonic
    blackscholes
    chase
    convolution
    gaussian
    histogram
    hotspot
    kmeans
    lavamd
    lbm
    lud
    mandelbrot
    matmul
    mriq
    mummer
    nw
    pathfinder
    poisson
    raytrace
    reduce
    rotate
    scan
    spmv
    srad
    stencil3d
    streamcluster
    tpacf
    track
    transpose
    vecadd
    xtea
}
