//! Tables and numbers of the page.

/// A table; the first column to the left, the others as `columns` says: `l` or `r`.
pub fn table(
    columns: &str,
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let rule: Vec<&str> =
        columns.chars().map(|side| if side == 'r' { "---:" } else { "---" }).collect();
    let mut text = format!("| {} |\n| {} |\n", header.join(" | "), rule.join(" | "));
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// um2, with as many digits as mean something.
pub fn um2(area: f64) -> String {
    if area < 1000.0 {
        format!("{area:.1}")
    } else {
        thousands(area.round() as u64)
    }
}

/// mm2 from um2.
pub fn mm2(area: f64) -> String {
    format!("{:.4}", area / 1e6)
}

/// A number with its thousands apart.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a measured cost stays within a claim, in words and as a ratio.
pub fn verdict(ours: f64, claim: f64) -> String {
    let ratio = ours / claim;
    if ratio <= 1.0 {
        format!("holds: {} of it", percent(ratio))
    } else {
        format!("does not hold: {ratio:.2} times as much")
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    let share = share * 100.0;
    if share < 1.0 {
        format!("{share:.2} %")
    } else {
        format!("{share:.1} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        assert_eq!(um2(128.636), "128.6");
        assert_eq!(mm2(55_000.0), "0.0550");
    }

    #[test]
    fn a_claim_that_is_exceeded_does_not_hold() {
        assert_eq!(verdict(90.0, 100.0), "holds: 90.0 % of it");
        assert_eq!(verdict(220.0, 100.0), "does not hold: 2.20 times as much");
    }
}
