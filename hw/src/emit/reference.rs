//! Resolves a path of rust-hdl's syntax tree, such as `cluster[i]$mask`, to bits of a signal.

use super::affine::Affine;
use super::expr::Place;
use super::signal::Table;
use super::Error;

/// Splits `cluster[i]$mask$next` into `cluster$mask` and its indices `["i"]`.
fn split(path: &str) -> (String, Vec<&str>) {
    let path = path.strip_suffix("$next").unwrap_or(path);
    let mut name = String::new();
    let mut indices = vec![];
    let mut rest = path;
    while let Some(open) = rest.find('[') {
        name.push_str(&rest[..open]);
        let close = rest[open..].find(']').map_or(rest.len(), |at| open + at);
        indices.push(&rest[open + 1..close]);
        rest = rest.get(close + 1..).unwrap_or("");
    }
    name.push_str(rest);
    (name, indices)
}

/// The place that `path` names; `loops` are the loop variables in scope.
pub fn resolve(table: &Table, path: &str, loops: &[String], place: &str) -> Result<Place, Error> {
    let (name, indices) = split(path);
    let Some(id) = table.find(&name) else {
        return Err(table.error(
            format!("`{name}` is not a signal of this block"),
            place.to_string(),
            "a const generic is no value in rust-hdl: use a literal, a Constant or a loop",
        ));
    };
    let signal = &table.signals[id];
    if indices.len() != signal.dims.len() {
        return Err(table.error(
            format!("`{path}` has {} indices, not {}", indices.len(), signal.dims.len()),
            place.to_string(),
            "index every array down to its elements",
        ));
    }
    let mut offset = Affine::default();
    let mut bounds = vec![];
    for (text, &dim) in indices.iter().zip(&signal.dims) {
        let index = Affine::parse(text, loops).map_err(|piece| {
            table.error(
                format!("index `[{text}]` of `{name}` contains {piece}"),
                place.to_string(),
                "use loop variables and numbers only; for a computed index loop and compare",
            )
        })?;
        offset = offset.times(dim as i64).plus(&index, 1);
        bounds.push((index, dim));
    }
    let width = signal.width;
    Ok(Place { signal: id, offset: offset.times(width as i64), width, dynamic: None, bounds })
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn paths_lose_their_indices() {
        assert_eq!(split("cluster[i]$data[j+1]$next"), ("cluster$data".into(), vec!["i", "j+1"]));
        assert_eq!(split("mask"), ("mask".into(), vec![]));
    }
}
