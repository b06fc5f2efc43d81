//! Option prices in double precision with the normal distribution from its power series. Prices are
//! below 50; the kernel's approximate logarithm (2^-22, divided by a spread of 0.15 or more), its
//! exponential and its 7.5e-8 polynomial together stay below 2e-6 of that.

use crate::common::{close, widen, Run};

crate::kernel_tests!("blackscholes");

/// Cumulative normal distribution: 1/2 + density * (x + x^3/3 + x^5/(3*5) + ...).
fn normal(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let (mut term, mut sum) = (x, 0.0);
    for k in 1..400 {
        sum += term;
        term *= x * x / f64::from(2 * k + 1);
    }
    (0.5 + density * sum).clamp(0.0, 1.0)
}

fn reference(run: &Run) {
    let (rate, volatility) = (f64::from(0.02f32), f64::from(0.3f32));
    let price = widen(&run.before("price"));
    let strike = widen(&run.before("strike"));
    let years = widen(&run.before("years"));
    let (mut call, mut put) = (Vec::new(), Vec::new());
    for ((price, strike), years) in price.iter().zip(&strike).zip(&years) {
        let spread = volatility * years.sqrt();
        let drift = (rate + 0.5 * volatility * volatility) * years;
        let d1 = ((price / strike).ln() + drift) / spread;
        let discounted = strike * (-rate * years).exp();
        call.push(price * normal(d1) - discounted * normal(d1 - spread));
        put.push(discounted * normal(spread - d1) - price * normal(-d1));
    }
    close("call", &run.after("call"), &call, 1e-4);
    close("put", &run.after("put"), &put, 1e-4);
}
