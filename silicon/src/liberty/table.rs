//! Look-up tables of delay over slew and load, linear between and beyond their points.

use super::syntax::Group;

/// A function of two variables, given on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Input slew, or the clock's for a set-up time.
    slews: Vec<f64>,
    /// Load, or the data's slew for a set-up time.
    loads: Vec<f64>,
    /// One row a slew.
    values: Vec<Vec<f64>>,
}

impl Table {
    /// The value at a slew and a load.
    pub fn at(&self, slew: f64, load: f64) -> f64 {
        let (row, up) = segment(&self.slews, slew);
        let (column, right) = segment(&self.loads, load);
        let along = |row: usize| {
            let values = &self.values[row];
            match values.get(column + 1) {
                Some(next) => values[column] + (next - values[column]) * right,
                None => values[column],
            }
        };
        let low = along(row);
        if row + 1 < self.slews.len() {
            low + (along(row + 1) - low) * up
        } else {
            low
        }
    }

    /// Reads `cell_rise (template) { index_1 ..; values (..); }`; `None` if it makes no sense.
    ///
    /// `templates` are the library's, for the axes that the table does not give itself.
    pub(super) fn read(group: &Group, templates: &[&Group]) -> Option<Table> {
        let template = templates.iter().find(|template| template.name() == group.name());
        let axis = |index: &str| -> Option<Vec<f64>> {
            let own = group.values(index).or_else(|| template.and_then(|t| t.values(index)));
            own.map(numbers)
        };
        let variable = |name: &str| template.and_then(|t| t.attribute(name)).unwrap_or("");
        let rows: Vec<Vec<f64>> =
            group.values("values")?.iter().map(|row| numbers(std::slice::from_ref(row))).collect();
        let first = axis("index_1").unwrap_or_else(|| vec![0.0]);
        let second = axis("index_2").unwrap_or_else(|| vec![0.0]);
        // A table may be written as one long row.
        let flat: Vec<f64> = rows.into_iter().flatten().collect();
        if first.is_empty() || second.is_empty() || flat.len() != first.len() * second.len() {
            return None;
        }
        let grid: Vec<Vec<f64>> = flat.chunks(second.len()).map(<[f64]>::to_vec).collect();
        let is_load = |variable: &str| {
            matches!(variable, "total_output_net_capacitance" | "constrained_pin_transition")
        };
        if is_load(variable("variable_1")) {
            let values =
                (0..second.len()).map(|j| grid.iter().map(|row| row[j]).collect()).collect();
            return Some(Table { slews: second, loads: first, values });
        }
        Some(Table { slews: first, loads: second, values: grid })
    }

    /// The same table with every axis and value in other units.
    pub(super) fn scaled(mut self, slew: f64, load: f64, value: f64) -> Table {
        self.slews.iter_mut().for_each(|x| *x *= slew);
        self.loads.iter_mut().for_each(|x| *x *= load);
        self.values.iter_mut().flatten().for_each(|x| *x *= value);
        self
    }
}

fn numbers(texts: &[String]) -> Vec<f64> {
    texts
        .iter()
        .flat_map(|text| text.split([',', ' ', '\t']))
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// The segment of an axis to interpolate in, and how far along it `x` is.
fn segment(axis: &[f64], x: f64) -> (usize, f64) {
    if axis.len() < 2 {
        return (0, 0.0);
    }
    let above = axis.partition_point(|point| *point <= x);
    let at = above.clamp(1, axis.len() - 1) - 1;
    (at, (x - axis[at]) / (axis[at + 1] - axis[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liberty::syntax::parse;

    fn read(template: &str, values: &str) -> Table {
        let text = format!(
            "library (l) {{ lu_table_template (t) {{ {template} index_1 (\"0, 10\"); \
             index_2 (\"0, 100\"); }} cell_rise (t) {{ values ({values}); }} }}"
        );
        let library = parse(&text).expect("well formed");
        let templates: Vec<&Group> = library.all("lu_table_template").collect();
        let group = library.all("cell_rise").next().expect("a table");
        Table::read(group, &templates).expect("a table")
    }

    #[test]
    fn linear_between_and_beyond() {
        let table = read("variable_1 : input_net_transition;", "\"1, 2\", \"3, 8\"");
        assert_eq!(table.at(0.0, 0.0), 1.0);
        assert_eq!(table.at(5.0, 50.0), 3.5);
        assert_eq!(table.at(0.0, 200.0), 3.0);
        assert_eq!(table.at(20.0, 0.0), 5.0);
    }

    #[test]
    fn axes_may_be_the_other_way_round() {
        let table = read("variable_1 : total_output_net_capacitance;", "\"1, 2\", \"3, 8\"");
        assert_eq!(table.at(100.0, 0.0), 2.0);
        assert_eq!(table.at(0.0, 10.0), 3.0);
    }
}
