//! A block from inside: its diagram, laid out and drawn.

use std::collections::BTreeMap;

use super::diagram::{Diagram, Node, Shape};
use super::layout::{layout, Layout};
use super::svg::{Picture, CHARACTER, SMALL};
use super::symbol::range;

const MARGIN: f64 = 16.0;
const HEAD: f64 = 34.0;
/// Room for wires between two columns.
const CHANNEL: f64 = 70.0;
const TAG_ROW: f64 = 13.0;

/// The drawing of a diagram.
pub fn draw(title: &str, diagram: &Diagram) -> String {
    let layout = layout(diagram, |node, tags| {
        let node = &diagram.nodes[node];
        let own = match node.shape {
            Shape::Input | Shape::Output => 20.0,
            _ if node.note.is_empty() => 28.0,
            _ => 40.0,
        };
        own + tags as f64 * TAG_ROW
    });
    let widths: Vec<f64> = layout
        .columns
        .iter()
        .map(|column| {
            column
                .iter()
                .filter(|place| !layout.places[**place].passing)
                .map(|place| width(layout.places[*place].node, diagram, &layout))
                .fold(24.0, f64::max)
        })
        .collect();
    let mut lefts = Vec::new();
    let mut x = MARGIN;
    for width in &widths {
        lefts.push(x);
        x += width + CHANNEL;
    }
    let page = Page { diagram, layout: &layout, lefts, widths };
    let mut picture = Picture::default();
    picture.text("name", "start", MARGIN, MARGIN + 8.0, title);
    page.wires(&mut picture);
    for place in 0..layout.places.len() {
        if !layout.places[place].passing {
            page.node(&mut picture, place);
        }
    }
    let bottom = HEAD + layout.height() + MARGIN;
    let note = "clock and reset are not drawn; a blue name is a register or signal that is read without a wire";
    picture.text("small", "start", MARGIN, bottom + 6.0, note);
    let wide = (x - CHANNEL).max(note.len() as f64 * SMALL + MARGIN) + MARGIN;
    picture.finish(&format!("{title}: inside"), wide, bottom + MARGIN)
}

fn label(node: &Node) -> String {
    format!("{}{}", node.name, range(node.width))
}

fn width(node: usize, diagram: &Diagram, layout: &Layout) -> f64 {
    let tags = layout.tags.get(&node).into_iter().flatten();
    let tag = tags.map(|from| diagram.nodes[*from].name.len() as f64 * SMALL).fold(0.0, f64::max);
    let node = &diagram.nodes[node];
    let text = (label(node).len() as f64 * CHARACTER).max(node.note.len() as f64 * SMALL);
    text.max(tag) + 24.0
}

struct Page<'a> {
    diagram: &'a Diagram,
    layout: &'a Layout,
    lefts: Vec<f64>,
    widths: Vec<f64>,
}

impl Page<'_> {
    fn edge(&self, place: usize, right: bool) -> f64 {
        let place = &self.layout.places[place];
        let left = self.lefts[place.column];
        if place.passing {
            return left + if right { self.widths[place.column] } else { 0.0 };
        }
        let width = width(place.node, self.diagram, self.layout);
        let start = left + self.indent(place.node, place.column);
        start + if right { width } else { 0.0 }
    }

    /// Inputs end and outputs begin at the edge of the drawing; all else is centred.
    fn indent(&self, node: usize, column: usize) -> f64 {
        let free = self.widths[column] - width(node, self.diagram, self.layout);
        match self.diagram.nodes[node].shape {
            Shape::Input => free,
            Shape::Output => 0.0,
            _ => free / 2.0,
        }
    }

    fn y(&self, place: usize) -> f64 {
        HEAD + self.layout.places[place].y
    }

    fn wires(&self, picture: &mut Picture) {
        // Wires into one node arrive at different heights, in the order of their sources.
        let mut arriving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(from, to) in &self.layout.wires {
            arriving.entry(to).or_default().push(from);
        }
        for (to, mut sources) in arriving {
            sources.sort_by(|a, b| self.y(*a).total_cmp(&self.y(*b)).then(a.cmp(b)));
            let place = &self.layout.places[to];
            let count = sources.len() as f64;
            for (index, from) in sources.into_iter().enumerate() {
                let offset = (index as f64 + 0.5) / count - 0.5;
                let room = if place.passing { 0.0 } else { place.height - 8.0 };
                self.wire(picture, from, to, self.y(to) + offset * room);
            }
        }
        for (index, place) in self.layout.places.iter().enumerate() {
            if place.passing {
                let y = self.y(index);
                let (x0, x1) = (self.edge(index, false), self.edge(index, true));
                picture.path(self.class(place.node), &format!("M{x0:.1} {y:.1} H{x1:.1}"));
            }
        }
    }

    fn class(&self, node: usize) -> &'static str {
        if self.diagram.nodes[node].width == 1 {
            "wire"
        } else {
            "bus"
        }
    }

    fn wire(&self, picture: &mut Picture, from: usize, to: usize, y1: f64) {
        let (x0, y0, x1) = (self.edge(from, true), self.y(from), self.edge(to, false));
        let bend = CHANNEL * 0.6;
        picture.path(
            self.class(self.layout.places[from].node),
            &format!(
                "M{x0:.1} {y0:.1} C{:.1} {y0:.1} {:.1} {y1:.1} {x1:.1} {y1:.1}",
                x0 + bend,
                x1 - bend
            ),
        );
    }

    fn node(&self, picture: &mut Picture, index: usize) {
        let place = &self.layout.places[index];
        let node = &self.diagram.nodes[place.node];
        let (left, right) = (self.edge(index, false), self.edge(index, true));
        let (top, height) = (self.y(index) - place.height / 2.0, place.height);
        let middle = (left + right) / 2.0;
        match node.shape {
            Shape::Input | Shape::Output => {
                let tip = 8.0;
                let path = format!(
                    "M{left:.1} {top:.1} H{:.1} L{right:.1} {:.1} L{:.1} {:.1} H{left:.1} Z",
                    right - tip,
                    top + height / 2.0,
                    right - tip,
                    top + height
                );
                picture.path("port", &path);
            }
            Shape::Register => {
                picture.rect("register", left, top, right - left, height, 0.0);
                let mark = format!("M{left:.1} {:.1} l6 4 l-6 4", top + height - 11.0);
                picture.path("mark", &mark);
            }
            Shape::Logic => picture.rect("logic", left, top, right - left, height, 12.0),
            Shape::Child => picture.rect("child", left, top, right - left, height, 0.0),
        }
        let port = matches!(node.shape, Shape::Input | Shape::Output);
        let class = if port { "" } else { "name" };
        let first = if port { top + 14.0 } else { top + 18.0 };
        picture.text(class, "middle", middle, first, &label(node));
        let mut y = first + 14.0;
        if !node.note.is_empty() {
            picture.text("small", "middle", middle, y, &node.note);
            y += TAG_ROW;
        }
        for from in self.layout.tags.get(&place.node).into_iter().flatten() {
            picture.text("tag", "middle", middle, y, &self.diagram.nodes[*from].name);
            y += TAG_ROW;
        }
    }
}
