//! Drowsy bits and divided word lines.

use super::markdown::{percent, table, thousands, um2};
use super::Report;

/// Blocks of a cache, and the bits of data that they hold: cache, module, blocks, bytes.
const CACHES: [(&str, &str, usize, usize); 6] = [
    ("L1 data", "drowsy_regions", 128, 16 << 10),
    ("constant", "drowsy_regions", 128, 8 << 10),
    ("texture", "drowsy_regions__blocks_96", 96, 12 << 10),
    ("shared memory", "drowsy_regions__blocks_384", 384, 48 << 10),
    ("instruction", "drowsy_regions__blocks_16", 16, 2 << 10),
    ("L2 slice", "drowsy_regions__blocks_1024", 1024, 128 << 10),
];

impl Report<'_> {
    pub(super) fn caches(&self) -> String {
        let rows: Vec<Vec<String>> = CACHES
            .iter()
            .filter_map(|(cache, module, blocks, bytes)| {
                let cost = self.cost(module)?;
                Some(vec![
                    cache.to_string(),
                    format!("`{module}`"),
                    thousands(*blocks as u64),
                    percent(*blocks as f64 / (8 * bytes) as f64),
                    um2(cost.um2()),
                    um2(cost.um2() / *blocks as f64),
                ])
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        let gates =
            self.manifest.modules().iter().filter(|module| module.block == "dwl_gate").filter_map(
                |module| {
                    let cost = self.cost(&module.module)?;
                    let lines = module.ports.iter().find(|port| port.name == "word_line_o")?.width;
                    Some(vec![
                        format!("`{}`", module.module),
                        thousands(lines as u64),
                        um2(cost.um2()),
                        format!("{:.2}", cost.um2() / lines as f64),
                    ])
                },
            );
        format!(
            "## Power-aware caches: drowsy bits and divided word lines\n\n\
             The thesis gives no area, only that a drowsy bit is read beside the tags and that the power of the divided word line is\n\
             taken into account. At a region of one block there is one bit a block:\n\n{}\n\
             The share of bits is small as the thesis implies; the area a block is not, because each bit is a flip-flop with its own\n\
             decoding. In an array the bit would be a memory cell beside the tag.\n\n\
             A small word line is one AND gate; a memory array would draw it into its pitch:\n\n{}",
            table(
                "llrrrr",
                &["cache", "module", "drowsy bits", "of the data bits", "um2", "um2 a block"],
                rows
            ),
            table("lrrr", &["module", "small word lines", "um2", "um2 a line"], gates)
        )
    }
}
