//! Lattice Boltzmann flow in double precision, pushed cell by cell. Populations are below 1 and a
//! step has some twenty roundings of at most 2^-24, which later steps do not amplify: 1e-6 a step.

use crate::common::{close, widen, Run};

crate::kernel_tests!("lbm");

/// Velocity and equilibrium weight of each population; the opposite of q is found by its velocity.
const VELOCITIES: [(i32, i32, f64); 9] = [
    (0, 0, 4.0 / 9.0),
    (1, 0, 1.0 / 9.0),
    (0, 1, 1.0 / 9.0),
    (-1, 0, 1.0 / 9.0),
    (0, -1, 1.0 / 9.0),
    (1, 1, 1.0 / 36.0),
    (-1, 1, 1.0 / 36.0),
    (-1, -1, 1.0 / 36.0),
    (1, -1, 1.0 / 36.0),
];

fn opposite(q: usize) -> usize {
    let (x, y, _) = VELOCITIES[q];
    let is_opposite = |v: &(i32, i32, f64)| (v.0, v.1) == (-x, -y);
    VELOCITIES.iter().position(is_opposite).unwrap()
}

fn collide(f: [f64; 9], relax: f64) -> [f64; 9] {
    let density: f64 = f.iter().sum();
    let moment = |axis: fn(&(i32, i32, f64)) -> i32| {
        let terms = f.iter().zip(&VELOCITIES);
        terms.map(|(f, v)| f * f64::from(axis(v))).sum::<f64>() / density
    };
    let (u, v) = (moment(|v| v.0), moment(|v| v.1));
    std::array::from_fn(|q| {
        let (x, y, weight) = VELOCITIES[q];
        let along = u * f64::from(x) + v * f64::from(y);
        let rest = 1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (u * u + v * v);
        f[q] + relax * (weight * density * rest - f[q])
    })
}

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let cells = width * height;
    let fluid = run.before::<u8>("fluid");
    let mut now = widen(&run.before("start"));
    for _ in 0..run.var("steps") {
        let mut next = vec![0.0; now.len()];
        for cell in 0..cells {
            let f: [f64; 9] = std::array::from_fn(|q| now[q * cells + cell]);
            let leaving = if fluid[cell] == 0 {
                std::array::from_fn(|q| f[opposite(q)])
            } else {
                collide(f, f64::from(0.8f32))
            };
            for q in 0..9 {
                let (dx, dy, _) = VELOCITIES[q];
                let x = (cell % width) as i32 + dx;
                let y = (cell / width) as i32 + dy;
                let x = x.rem_euclid(width as i32) as usize;
                let y = y.rem_euclid(height as i32) as usize;
                next[q * cells + y * width + x] = leaving[q];
            }
        }
        now = next;
    }
    close(
        "now",
        &run.after("now"),
        &now,
        1e-6 * run.var("steps") as f64,
    );
}
