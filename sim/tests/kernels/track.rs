//! The best place of every template with the kernel's own roundings.

use crate::common::{exact, Run};

crate::kernel_tests!("track");

fn reference(run: &Run) {
    let [size, side, width, height] =
        ["size", "side", "width", "height"].map(|v| run.var(v) as i32);
    let frame = run.before::<f32>("frame");
    let [x, y, move_x, move_y] =
        ["point_x", "point_y", "move_x", "move_y"].map(|name| run.before::<i32>(name));
    let pixel = |x: i32, y: i32| {
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        frame[(y * width + x) as usize]
    };
    let (mut best, mut best_difference) = (Vec::new(), Vec::new());
    for point in 0..run.var("points") {
        let template =
            |i: i32, j: i32| pixel(x[point] + move_x[point] + i, y[point] + move_y[point] + j);
        let difference = |place: i32| {
            let left = x[point] - side / 2 + place % side;
            let top = y[point] - side / 2 + place / side;
            (0..size * size).fold(0.0f32, |sum, k| {
                let (i, j) = (k % size, k / size);
                let d = pixel(left + i, top + j) - template(i, j);
                d.mul_add(d, sum)
            })
        };
        let places = (0..side * side).map(|place| (difference(place), place));
        // The first of equals, as `min_by` gives.
        let (least, winner) = places.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        best.push(winner);
        best_difference.push(least);
    }
    exact("best", &run.after("best"), &best);
    exact(
        "best_difference",
        &run.after("best_difference"),
        &best_difference,
    );
}
