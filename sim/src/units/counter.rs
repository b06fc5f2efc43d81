//! A counter of a given width that wraps and remembers that it did.

/// Counts modulo 2^`WIDTH`; `WIDTH` is at most 32.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counter<const WIDTH: usize> {
    value: u64,
    wrapped: bool,
}

impl<const WIDTH: usize> Counter<WIDTH> {
    pub(crate) fn value(self) -> u32 {
        self.value as u32
    }

    /// Whether the count ever went past the last value.
    pub(crate) fn wrapped(self) -> bool {
        self.wrapped
    }

    pub(crate) fn add(&mut self, amount: u64) {
        let sum = self.value + amount;
        self.wrapped |= sum >> WIDTH != 0;
        self.value = sum % (1 << WIDTH);
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;

    #[test]
    fn wraps_at_its_width_and_remembers() {
        let mut small = Counter::<4>::default();
        small.add(15);
        assert_eq!((small.value(), small.wrapped()), (15, false));
        small.add(2);
        small.add(1);
        assert_eq!((small.value(), small.wrapped()), (2, true));
        let mut wide = Counter::<32>::default();
        wide.add(u32::MAX.into());
        assert_eq!((wide.value(), wide.wrapped()), (u32::MAX, false));
        wide.add(1);
        assert_eq!((wide.value(), wide.wrapped()), (0, true));
    }
}
