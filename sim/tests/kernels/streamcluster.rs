//! Opening centres with the kernel's own roundings for each point's cost; the sum that decides is
//! taken in double precision, must come out within 1e-5 of itself (some fifty roundings), and must not
//! lie so near the fee that rounding could turn it.

use crate::common::{close_by, exact, Run};

crate::kernel_tests!("streamcluster");

fn reference(run: &Run) {
    let (points, dimensions) = (run.var("points"), run.var("dimensions"));
    let coordinates = run.before::<f32>("coordinates");
    let weight = run.before::<f32>("weight");
    let mut cost = run.before::<f32>("cost");
    let mut centre = vec![-1i32; points];
    let (mut savings, mut opened) = (Vec::new(), Vec::new());
    let fee = points as f64 * 0.01;
    for round in 0..run.var("rounds") {
        let candidate = round * 7919 % points;
        let would_pay = |point: usize| {
            let distance = (0..dimensions).fold(0.0f32, |sum, d| {
                let difference =
                    coordinates[d * points + point] - coordinates[d * points + candidate];
                difference.mul_add(difference, sum)
            });
            distance * weight[point]
        };
        let gains = (0..points).map(|p| f64::from((cost[p] - would_pay(p)).max(0.0)));
        let total: f64 = gains.sum();
        assert!(
            (total - fee).abs() > 1e-4 * fee,
            "round {round} is too close to call: {total} against {fee}; choose another seed"
        );
        savings.push(total);
        opened.push(i32::from(total > fee));
        for point in 0..points {
            if total > fee && would_pay(point) < cost[point] {
                cost[point] = would_pay(point);
                centre[point] = candidate as i32;
            }
        }
    }
    close_by("savings", &run.after("savings"), &savings, |round| {
        1e-5 * savings[round]
    });
    exact("opened", &run.after("opened"), &opened);
    exact("cost", &run.after("cost"), &cost);
    exact("centre", &run.after("centre"), &centre);
}
