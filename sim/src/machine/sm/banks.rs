//! Register banks: each reads one warp-wide operand a cycle.

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Banks {
    /// The first cycle in which each is free.
    free: Vec<u64>,
    /// Cycles from the read of the last operand to a unit.
    behind: u64,
    /// Reads that had to wait.
    pub conflicts: u64,
}

impl Banks {
    /// Idle banks; operands are there `operand_cycles` (at least 2) after issue if none has to wait.
    pub fn new(count: usize, operand_cycles: u64) -> Self {
        Banks { free: vec![0; count], behind: operand_cycles - 1, conflicts: 0 }
    }

    /// Reads a warp's operands from the next cycle on; returns the first cycle in which all are there.
    ///
    /// Warps start in different banks, so that the same register of several does not always meet.
    pub fn read(&mut self, warp: usize, operands: &[u16], now: u64) -> u64 {
        let mut last = now;
        let banks = self.free.len();
        for &register in operands {
            let bank = &mut self.free[(register as usize + warp) % banks];
            let at = (*bank).max(now + 1);
            if at > now + 1 {
                self.conflicts += 1;
            }
            *bank = at + 1;
            last = last.max(at);
        }
        last + self.behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_one_bank_are_read_one_after_the_other() {
        let mut banks = Banks::new(4, 2);
        assert_eq!(banks.read(0, &[0, 1, 2], 10), 12);
        assert_eq!(banks.read(0, &[3, 7], 20), 23, "registers 3 and 7 share a bank");
        assert_eq!(banks.read(1, &[3], 20), 22, "warp 1's register 3 lies one bank on");
        assert_eq!(banks.conflicts, 1);
        assert_eq!(Banks::new(4, 5).read(0, &[0, 1, 2], 10), 15);
    }
}
