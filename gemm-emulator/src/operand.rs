//! The global memory that a launch may access.

/// One operand of a launch: rows of equal length at equal distances. A vector is one row.
///
/// Operands may share bytes: the same matrix may be given twice, and the rows of one may lie in the gaps of another.
/// Each must lie within one allocation. One without bytes may be anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name in messages.
    pub name: String,
    /// Where its first row starts.
    pub address: u64,
    /// How many rows it has.
    pub rows: u64,
    /// Length of a row in bytes.
    pub row_bytes: u64,
    /// Bytes from the start of a row to the start of the next, at least `row_bytes`. One row alone has none.
    pub pitch_bytes: u64,
    /// Whether the kernel may store to it.
    pub writable: bool,
    /// Whether a launch that [overlaps](crate::Launch::overlaps) its predecessor may read it before
    /// `griddepcontrol.wait`: the predecessor does not write it.
    pub early: bool,
}

impl Operand {
    /// Bytes from the start of the first row to the end of the last. `None` if the rows overlap, or if they do not
    /// fit an address space.
    pub(crate) fn span(&self) -> Option<u64> {
        let after_first = match (self.rows, self.row_bytes) {
            (0, _) | (_, 0) => return Some(0),
            (1, _) => 0,
            (rows, row_bytes) if row_bytes <= self.pitch_bytes => {
                (rows - 1).checked_mul(self.pitch_bytes)?
            }
            _ => return None,
        };
        let span = after_first.checked_add(self.row_bytes)?;
        self.address.checked_add(span).map(|_| span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(rows: u64, row_bytes: u64, pitch_bytes: u64) -> Option<u64> {
        let (name, address) = ("x".to_owned(), 1 << 40);
        let (writable, early) = (false, false);
        Operand { name, address, rows, row_bytes, pitch_bytes, writable, early }.span()
    }

    #[test]
    fn a_span_ends_with_the_last_row() {
        assert_eq!(span(3, 10, 16), Some(42));
        assert_eq!(span(3, 16, 16), Some(48));
        assert_eq!(span(1, 10, 0), Some(10));
        assert_eq!(span(0, 10, 16), Some(0));
        assert_eq!(span(3, 0, 0), Some(0));
    }

    #[test]
    fn rows_neither_overlap_nor_leave_the_address_space() {
        assert_eq!(span(2, 16, 15), None);
        assert_eq!(span(3, 1, u64::MAX), None);
        assert_eq!(span(2, 1, u64::MAX - (1 << 40)), None);
    }
}
