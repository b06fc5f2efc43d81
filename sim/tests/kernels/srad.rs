//! Speckle-reducing diffusion in double precision. The approximate exponential and logarithm
//! (2^-22 of 255 each) and some ten roundings a step stay below 1e-3.

use crate::common::{close, widen, Run};

crate::kernel_tests!("srad");

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let raw = widen(&run.before("raw"));
    let mut image: Vec<f64> = raw.iter().map(|raw| (raw / 255.0).exp()).collect();
    for _ in 0..run.var("steps") {
        image = step(&image, width, height);
    }
    let want: Vec<f64> = image.iter().map(|pixel| pixel.ln() * 255.0).collect();
    close("result", &run.after("result"), &want, 1e-3);
}

fn step(image: &[f64], width: usize, height: usize) -> Vec<f64> {
    let pixels = image.len() as f64;
    let mean = image.iter().sum::<f64>() / pixels;
    let squares = image.iter().map(|pixel| pixel * pixel).sum::<f64>() / pixels;
    let noise = (squares - mean * mean).max(0.0) / (mean * mean);
    let south = |i: usize| (i + width).min(i % width + (height - 1) * width);
    let north = |i: usize| if i < width { i } else { i - width };
    let west = |i: usize| if i % width == 0 { i } else { i - 1 };
    let east = |i: usize| if i % width == width - 1 { i } else { i + 1 };
    let to = |i: usize, neighbour: usize| image[neighbour] - image[i];
    let coefficient = |i: usize| {
        let d = [
            to(i, north(i)),
            to(i, south(i)),
            to(i, west(i)),
            to(i, east(i)),
        ];
        let gradient = d.iter().map(|d| d * d).sum::<f64>() / (image[i] * image[i]);
        let laplacian = d.iter().sum::<f64>() / image[i];
        let local =
            (0.5 * gradient - laplacian * laplacian / 16.0) / (1.0 + 0.25 * laplacian).powi(2);
        let excess = (local - noise) / (noise * (1.0 + noise) + 1e-6);
        (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
    };
    (0..image.len())
        .map(|i| {
            let flow = coefficient(i) * (to(i, north(i)) + to(i, west(i)))
                + coefficient(south(i)) * to(i, south(i))
                + coefficient(east(i)) * to(i, east(i));
            image[i] + 0.125 * flow
        })
        .collect()
}
