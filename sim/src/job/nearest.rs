//! The name somebody probably meant.

/// The candidate with the fewest single-letter changes from `name`.
pub(super) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|candidate| distance(name, candidate))
}

/// `; did you mean ...?`, or nothing when there is no candidate.
pub(super) fn hint<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// Letters to insert, delete or replace (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name() {
        assert_eq!(nearest("kernal", ["grid", "kernel", "block"]), Some("kernel"));
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(hint("x", []), "");
    }
}
