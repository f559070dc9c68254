//! An ownership map as a table.

use std::fmt;

use super::fragment::{Fragment, Owner};

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, alternate) = (self.rows(), self.columns(), f.alternate());
        let cell = |row, column| match self.owner(row, column) {
            Some(Owner { lane, register, .. }) if alternate => format!("T{lane:02}:{register}"),
            Some(Owner { lane, .. }) => format!("T{lane:02}"),
            None => String::new(),
        };
        let width = cell(0, 0).len();
        let title = format!("{}({rows}x{columns})", self.matrix().letter());
        write!(f, "{title}")?;
        for column in 0..columns {
            write!(f, " {column:>width$}")?;
        }
        for row in 0..rows {
            write!(f, "\n{row:>margin$}", margin = title.len())?;
            for column in 0..columns {
                write!(f, " {}", cell(row, column))?;
            }
        }
        writeln!(f)
    }
}
