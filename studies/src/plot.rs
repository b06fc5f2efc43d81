//! Plots as SVG text, all in one style: bars by kernel, stacked bars, and lines over a parameter.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colours that colour-blind readers tell apart, in the order of the series.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(240, 228, 66),
    RGBColor(90, 90, 90),
];

fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}

/// Values with a name: a bar for each category, or a line.
pub type Series<T> = (String, Vec<T>);

/// How bars of one category stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    Beside,
    OnTop,
}

/// Bars of several series side by side for each category.
pub fn bars(title: &str, y: &str, categories: &[String], series: &[Series<f64>]) -> String {
    bar_chart(title, y, categories, series, Stand::Beside)
}

/// Bars of several series on top of each other for each category.
pub fn stacked(title: &str, y: &str, categories: &[String], series: &[Series<f64>]) -> String {
    bar_chart(title, y, categories, series, Stand::OnTop)
}

/// A tidy range that holds all values and zero.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((0.0f64, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let room = (high - low).max(1e-9) * 0.05;
    let low = if low < 0.0 { low - room } else { 0.0 };
    low..high + room
}

/// Where things stand, in pixels.
const HEIGHT: u32 = 420;
const TOP: i32 = 60;
const BOTTOM: i32 = 110;
const LEFT: i32 = 70;
const RIGHT: i32 = 20;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws into a string. Nothing can fail on the way to a string, and half a plot shows itself.
fn draw(width: u32, paint: impl FnOnce(&Canvas) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, HEIGHT)).into_drawing_area();
        let _ = area.fill(&WHITE);
        let _ = paint(&area);
        let _ = area.present();
    }
    svg
}

fn font(size: i32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font())
}

/// The title, and the names of the series with their colours below it.
fn heading(area: &Canvas, title: &str, names: &[&str]) -> Drawn {
    area.draw(&Text::new(title.to_string(), (LEFT, 8), font(16)))?;
    let mut x = LEFT;
    for (n, name) in names.iter().enumerate() {
        area.draw(&Rectangle::new([(x, 34), (x + 10, 44)], colour(n).filled()))?;
        area.draw(&Text::new(name.to_string(), (x + 14, 33), font(12)))?;
        x += 14 + 7 * name.len() as i32 + 16;
    }
    Ok(())
}

/// Marks of an axis at round numbers.
fn marks(range: &std::ops::Range<f64>) -> Vec<f64> {
    let span = range.end - range.start;
    let power = 10f64.powf((span / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    let step = steps.into_iter().find(|s| span / s <= 6.0).unwrap_or(power * 10.0);
    let first = (range.start / step).ceil() as i64;
    let last = (range.end / step).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

/// The vertical axis with its grid; gives back where a value stands.
fn vertical<'a>(
    area: &Canvas,
    label: &str,
    range: &'a std::ops::Range<f64>,
    width: i32,
) -> Result<impl Fn(f64) -> i32 + use<'a>, Box<dyn std::error::Error>> {
    let (top, bottom) = (f64::from(TOP), f64::from(HEIGHT as i32 - BOTTOM));
    let range = range.clone();
    let marks = marks(&range);
    let at = move |value: f64| {
        (bottom - (value - range.start) / (range.end - range.start) * (bottom - top)) as i32
    };
    for value in marks {
        let y = at(value);
        area.draw(&PathElement::new(vec![(LEFT, y), (width - RIGHT, y)], BLACK.mix(0.15)))?;
        let style = font(11).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(crate::report::number(value), (LEFT - 6, y), style))?;
    }
    let style = font(12).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Top));
    area.draw(&Text::new(label.to_string(), (8, (TOP + HEIGHT as i32 - BOTTOM) / 2), style))?;
    Ok(at)
}

fn bar_chart(
    title: &str,
    label: &str,
    categories: &[String],
    series: &[Series<f64>],
    stand: Stand,
) -> String {
    let groups = categories.len().max(1) as i32;
    let across = if stand == Stand::Beside { series.len().max(1) as i32 } else { 1 };
    let bar = (900 / (groups * (across + 1))).clamp(4, 40);
    let pitch = bar * across + (bar * 2 / 3).max(4);
    let legend = series.iter().map(|(name, _)| 30 + 7 * name.len() as i32).sum::<i32>();
    let width =
        (LEFT + RIGHT + pitch * groups).max(LEFT + legend).max(LEFT + 9 * title.len() as i32);
    let heights = (0..categories.len()).map(|c| series.iter().map(|s| s.1[c].max(0.0)).sum());
    let range = match stand {
        Stand::Beside => range(series.iter().flat_map(|s| s.1.iter().copied())),
        Stand::OnTop => range(heights),
    };
    draw(width as u32, |area| {
        let names: Vec<&str> = series.iter().map(|s| s.0.as_str()).collect();
        heading(area, title, &names)?;
        let at = vertical(area, label, &range, width)?;
        for (c, category) in categories.iter().enumerate() {
            let left = LEFT + pitch * c as i32 + bar / 3;
            let mut base = 0.0;
            for (n, (_, values)) in series.iter().enumerate() {
                let x = if stand == Stand::Beside { left + bar * n as i32 } else { left };
                let value = base + values[c];
                let corners = [(x, at(value)), (x + bar - 1, at(base))];
                area.draw(&Rectangle::new(corners, colour(n).filled()))?;
                if stand == Stand::OnTop {
                    base = value;
                }
            }
            let style = font(11)
                .transform(FontTransform::Rotate270)
                .pos(Pos::new(HPos::Right, VPos::Center));
            let middle = left + bar * across / 2;
            area.draw(&Text::new(category.clone(), (middle, HEIGHT as i32 - BOTTOM + 6), style))?;
        }
        let zero = at(0.0);
        area.draw(&PathElement::new(vec![(LEFT, zero), (width - RIGHT, zero)], BLACK))?;
        Ok(())
    })
}

/// Lines over a parameter.
pub fn lines(title: &str, x: &str, y: &str, series: &[Series<(f64, f64)>]) -> String {
    let legend = series.iter().map(|(name, _)| 30 + 7 * name.len() as i32).sum::<i32>();
    let width = 640.max(LEFT + legend).max(LEFT + 9 * title.len() as i32);
    let values = || series.iter().flat_map(|s| s.1.iter().copied());
    let vertical_range = range(values().map(|p| p.1));
    let low = values().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let high = values().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    draw(width as u32, |area| {
        let names: Vec<&str> = series.iter().map(|s| s.0.as_str()).collect();
        heading(area, title, &names)?;
        let at = vertical(area, y, &vertical_range, width)?;
        let (left, right) = (f64::from(LEFT + 10), f64::from(width - RIGHT - 10));
        let across = |value: f64| (left + (value - low) / (high - low) * (right - left)) as i32;
        let floor = HEIGHT as i32 - BOTTOM;
        let mut places: Vec<f64> = values().map(|p| p.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        if places.len() > 12 {
            places = marks(&(low..high));
        }
        for value in places {
            let style = font(11).pos(Pos::new(HPos::Center, VPos::Top));
            let text = crate::report::number(value);
            let text = if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            } else {
                text
            };
            area.draw(&Text::new(text, (across(value), floor + 8), style))?;
            let tick = vec![(across(value), floor), (across(value), floor + 4)];
            area.draw(&PathElement::new(tick, BLACK))?;
        }
        let style = font(12).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(x.to_string(), ((LEFT + width - RIGHT) / 2, floor + 30), style))?;
        let axis = vec![(LEFT, floor), (width - RIGHT, floor)];
        area.draw(&PathElement::new(axis, BLACK))?;
        for (n, (_, points)) in series.iter().enumerate() {
            let line: Vec<_> = points.iter().map(|p| (across(p.0), at(p.1))).collect();
            area.draw(&PathElement::new(line.clone(), colour(n).stroke_width(2)))?;
            for place in line {
                area.draw(&Circle::new(place, 3, colour(n).filled()))?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(marks(&(0.0..52.0)), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(marks(&(-3.0..3.0)), [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn every_name_and_bar_is_drawn() {
        let categories = ["bfs".to_string(), "nw".to_string()];
        let series = [("INT".to_string(), vec![1.0, -2.0]), ("FP".to_string(), vec![3.0, 4.0])];
        for svg in [bars("t", "y", &categories, &series), stacked("t", "y", &categories, &series)] {
            for name in ["bfs", "nw", "INT", "FP"] {
                assert!(svg.contains(name), "{name}");
            }
            // The background, two in the legend, four bars.
            assert_eq!(svg.matches("<rect").count(), 7);
        }
        let svg = lines("t", "x", "y", &[("a".into(), vec![(1.0, 2.0), (2.0, 3.0)])]);
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
