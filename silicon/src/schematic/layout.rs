//! Places a diagram in columns, so that wires run from left to right and cross little.
//!
//! A wire over several columns goes through a place of its own in each, shared by all wires of one
//! source. Wires that would run backwards, out of registers mostly, are not drawn: their target
//! carries the source's name as a tag.

use std::collections::{BTreeMap, BTreeSet};

use super::diagram::{Diagram, Shape};

/// Vertical room between two places.
const GAP: f64 = 14.0;

/// A diagram with a place for everything.
#[derive(Debug)]
pub struct Layout {
    /// Places by column, from top to bottom.
    pub columns: Vec<Vec<usize>>,
    /// Every node, then every way-point.
    pub places: Vec<Place>,
    /// Wires between places of neighbouring columns.
    pub wires: BTreeSet<(usize, usize)>,
    /// Sources that a node reads without a wire.
    pub tags: BTreeMap<usize, Vec<usize>>,
}

/// Where a node or a way-point is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The node, or the source of the wire that passes.
    pub node: usize,
    /// Whether a wire only passes here.
    pub passing: bool,
    /// Column from the left.
    pub column: usize,
    /// Middle, from the top.
    pub y: f64,
    /// Height.
    pub height: f64,
}

/// Lays out a diagram whose node `n` needs `height(n, tags)`.
pub fn layout(diagram: &Diagram, height: impl Fn(usize, usize) -> f64) -> Layout {
    let columns = levels(diagram);
    let mut tags: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut forward: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(from, to) in &diagram.wires {
        if columns[from] < columns[to] {
            forward.entry(from).or_default().push(to);
        } else {
            tags.entry(to).or_default().push(from);
        }
    }
    let mut places: Vec<Place> = (0..diagram.nodes.len())
        .map(|node| Place {
            node,
            passing: false,
            column: columns[node],
            y: 0.0,
            height: height(node, tags.get(&node).map_or(0, Vec::len)),
        })
        .collect();
    let mut wires = BTreeSet::new();
    for (from, targets) in forward {
        let furthest = targets.iter().map(|to| columns[*to]).max().unwrap_or(0);
        let mut chain = vec![from];
        for column in columns[from] + 1..furthest {
            places.push(Place { node: from, passing: true, column, y: 0.0, height: 2.0 });
            let last = places.len() - 1;
            wires.insert((chain[chain.len() - 1], last));
            chain.push(last);
        }
        for to in targets {
            wires.insert((chain[columns[to] - columns[from] - 1], to));
        }
    }
    let count = places.iter().map(|place| place.column + 1).max().unwrap_or(0);
    let mut grid: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, place) in places.iter().enumerate() {
        grid[place.column].push(index);
    }
    let mut layout = Layout { columns: grid, places, wires, tags };
    layout.order();
    layout.settle();
    layout
}

/// The column of each node: after all that it reads, registers' outputs aside. Outputs are last.
fn levels(diagram: &Diagram) -> Vec<usize> {
    let count = diagram.nodes.len();
    let reads: Vec<Vec<usize>> = (0..count)
        .map(|to| {
            let from_logic =
                |from: &usize| diagram.nodes[*from].shape != Shape::Register && *from != to;
            let sources = diagram.wires.iter().filter(|wire| wire.1 == to).map(|wire| wire.0);
            sources.filter(from_logic).collect()
        })
        .collect();
    // Column 0 is for inputs.
    let first = |node: usize| usize::from(diagram.nodes[node].shape != Shape::Input);
    let mut columns = vec![None; count];
    for node in 0..count {
        level(node, &first, &reads, &mut columns, &mut vec![false; count]);
    }
    let mut columns: Vec<usize> = columns.into_iter().map(|column| column.unwrap_or(0)).collect();
    let last = (0..count)
        .filter(|node| diagram.nodes[*node].shape != Shape::Output)
        .map(|node| columns[node] + 1)
        .max()
        .unwrap_or(1);
    for (node, column) in columns.iter_mut().enumerate() {
        if diagram.nodes[node].shape == Shape::Output {
            *column = last;
        }
    }
    columns
}

/// Longest way from a source; a wire that closes a circle is left out.
fn level(
    node: usize,
    first: &impl Fn(usize) -> usize,
    reads: &[Vec<usize>],
    columns: &mut [Option<usize>],
    open: &mut Vec<bool>,
) -> usize {
    if let Some(column) = columns[node] {
        return column;
    }
    open[node] = true;
    let mut column = first(node);
    for &from in &reads[node] {
        if !open[from] {
            column = column.max(level(from, first, reads, columns, open) + 1);
        }
    }
    open[node] = false;
    columns[node] = Some(column);
    column
}

impl Layout {
    fn neighbours(&self) -> [Vec<Vec<usize>>; 2] {
        let mut before = vec![Vec::new(); self.places.len()];
        let mut after = vec![Vec::new(); self.places.len()];
        for &(from, to) in &self.wires {
            before[to].push(from);
            after[from].push(to);
        }
        [before, after]
    }

    /// Orders each column by the mean position of its neighbours, to and fro.
    fn order(&mut self) {
        let neighbours = self.neighbours();
        let mut rank = vec![0.0; self.places.len()];
        for column in &self.columns {
            for (position, place) in column.iter().enumerate() {
                rank[*place] = position as f64 / column.len() as f64;
            }
        }
        for sweep in 0..16 {
            let side = &neighbours[sweep % 2];
            let count = self.columns.len();
            for step in 0..count {
                let at = if sweep % 2 == 0 { step } else { count - 1 - step };
                let wish = |place: usize| {
                    let near = &side[place];
                    if near.is_empty() {
                        rank[place]
                    } else {
                        near.iter().map(|other| rank[*other]).sum::<f64>() / near.len() as f64
                    }
                };
                let mut sorted: Vec<(f64, usize)> =
                    self.columns[at].iter().map(|place| (wish(*place), *place)).collect();
                sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let length = sorted.len() as f64;
                for (position, (_, place)) in sorted.iter().enumerate() {
                    rank[*place] = (position as f64 + 0.5) / length;
                }
                self.columns[at] = sorted.into_iter().map(|(_, place)| place).collect();
            }
        }
    }

    /// Gives each place a height on the page near its neighbours', keeping order and distance.
    fn settle(&mut self) {
        let [before, after] = self.neighbours();
        for column in &self.columns {
            let mut y = 0.0;
            for place in column {
                self.places[*place].y = y + self.places[*place].height / 2.0;
                y += self.places[*place].height + GAP;
            }
        }
        for round in 0..24 {
            for at in 0..self.columns.len() {
                let at = if round % 2 == 0 { at } else { self.columns.len() - 1 - at };
                let wishes: Vec<f64> = self.columns[at]
                    .iter()
                    .map(|place| {
                        let near = before[*place].iter().chain(&after[*place]);
                        let (sum, count) = near.fold((0.0, 0.0), |(sum, count), other| {
                            (sum + self.places[*other].y, count + 1.0)
                        });
                        if count > 0.0 {
                            sum / count
                        } else {
                            self.places[*place].y
                        }
                    })
                    .collect();
                self.spread(at, &wishes);
            }
        }
        let top = self.places.iter().map(|place| place.y - place.height / 2.0);
        let top = top.fold(f64::INFINITY, f64::min);
        self.places.iter_mut().for_each(|place| place.y -= top);
    }

    /// Moves the places of a column towards their wishes without overlap: neighbours that want the
    /// same room form a group that is centred on the mean of its members' wishes.
    fn spread(&mut self, column: usize, wishes: &[f64]) {
        // Members, the wish for the first one's top edge summed over them, total height.
        let mut groups: Vec<(Vec<usize>, f64, f64)> = Vec::new();
        for (place, wish) in self.columns[column].iter().zip(wishes) {
            let height = self.places[*place].height;
            groups.push((vec![*place], wish - height / 2.0, height + GAP));
            while let [.., above, below] = &groups[..] {
                let top = |group: &(Vec<usize>, f64, f64)| group.1 / group.0.len() as f64;
                if top(above) + above.2 <= top(below) {
                    break;
                }
                let (members, sum, height) = groups.pop().expect("two groups");
                let into = groups.last_mut().expect("one group");
                into.1 += sum - members.len() as f64 * into.2;
                into.2 += height;
                into.0.extend(members);
            }
        }
        for (members, sum, _) in groups {
            let mut y = sum / members.len() as f64;
            for place in members {
                self.places[place].y = y + self.places[place].height / 2.0;
                y += self.places[place].height + GAP;
            }
        }
    }

    /// Height of the whole.
    pub fn height(&self) -> f64 {
        self.places.iter().map(|place| place.y + place.height / 2.0).fold(0.0, f64::max)
    }
}
