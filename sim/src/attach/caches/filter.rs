//! A filter cache: the words that were last read from an array, so that reading them again wakes nothing.
//!
//! Future work of the thesis (section 5.2). An entry holds the words of one block that have been read, each
//! with a valid bit, so that filling it opens no more of the array than the access itself does. Entries are
//! found beside the tags and leave in the order of their last use; a refill drops its block's entry.

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Block and valid words, the latest used last.
    entries: Vec<(usize, u32)>,
    lines: usize,
}

impl Filter {
    /// An empty filter of so many lines.
    pub fn new(lines: usize) -> Filter {
        Filter { entries: Vec::with_capacity(lines), lines }
    }

    /// Reads words of a block: true if all are here. Words that are not are taken in.
    pub fn read(&mut self, block: usize, words: u32) -> bool {
        let found = self.entries.iter().position(|(b, _)| *b == block);
        let valid = found.map_or(0, |at| self.entries.remove(at).1);
        if found.is_none() && self.entries.len() == self.lines {
            self.entries.remove(0);
        }
        self.entries.push((block, valid | words));
        valid & words == words
    }

    /// A block has got another line.
    pub fn drop_block(&mut self, block: usize) {
        self.entries.retain(|(b, _)| *b != block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_here_once_they_were_read_and_the_oldest_line_leaves() {
        let mut filter = Filter::new(2);
        assert!(!filter.read(7, 0b0011));
        assert!(filter.read(7, 0b0001));
        assert!(!filter.read(7, 0b0101), "word 2 is new");
        assert!(filter.read(7, 0b0111));
        assert!(!filter.read(8, 1) && filter.read(7, 1));
        assert!(!filter.read(9, 1), "block 8 was used least recently and leaves");
        assert!(filter.read(7, 1) && !filter.read(8, 1));
        filter.drop_block(8);
        assert!(!filter.read(8, 1));
    }
}
