//! Mirror spheres with the kernel's own roundings, so every hit, miss and colour is exact.

use crate::common::{exact, Run};

crate::kernel_tests!("raytrace");

type Vec3 = [f32; 3];

fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + b * factor, rounded once.
fn plus_scaled(a: Vec3, b: Vec3, factor: f32) -> Vec3 {
    [0, 1, 2].map(|i| b[i].mul_add(factor, a[i]))
}

fn normalised(v: Vec3) -> Vec3 {
    let length = dot(v, v).sqrt();
    v.map(|x| x / length)
}

struct Sphere {
    centre: Vec3,
    radius: f32,
}

impl Sphere {
    fn hit(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let to_centre = minus(self.centre, origin);
        let along = dot(to_centre, direction);
        let room2 = self.radius * self.radius - (dot(to_centre, to_centre) - along * along);
        let distance = along - room2.sqrt();
        (room2 >= 0.0 && distance > 1e-3).then_some(distance)
    }
}

fn colour(spheres: &[Sphere], mut direction: Vec3, bounces: usize) -> f32 {
    let mut origin = [0.0, 0.0, -4.0];
    let mut light = 1.0f32;
    for _ in 0..bounces {
        let hits = spheres
            .iter()
            .filter_map(|s| Some((s.hit(origin, direction)?, s)));
        let Some((distance, sphere)) = hits.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            break;
        };
        origin = plus_scaled(origin, direction, distance);
        let normal = normalised(minus(origin, sphere.centre));
        direction = plus_scaled(direction, normal, -2.0 * dot(direction, normal));
        light *= 0.8;
    }
    light * (0.6 + 0.4 * direction[1])
}

fn reference(run: &Run) {
    let (width, height) = (run.var("width"), run.var("height"));
    let cube = |r: f32| 4.0f32.mul_add(r, -2.0);
    let spheres: Vec<Sphere> = run
        .before::<f32>("random")
        .chunks(4)
        .map(|r| Sphere {
            centre: [cube(r[0]), cube(r[1]), cube(r[2])],
            radius: 0.25f32.mul_add(r[3], 0.15),
        })
        .collect();
    let mut want = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let u = (x as f32 + 0.5) / width as f32 - 0.5;
            let v = (y as f32 + 0.5) / height as f32 - 0.5;
            want.push(colour(
                &spheres,
                normalised([u, v, 1.0]),
                run.var("bounces"),
            ));
        }
    }
    exact("image", &run.after("image"), &want);
}
