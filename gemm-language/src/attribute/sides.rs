//! `key = value` for both operands, or `key(a = value, b = value)`.

use gemm_codegen::Side;

use super::Reader;
use super::entry::{Entry, Piece, Written};
use crate::errors::Errors;

impl Reader<'_> {
    /// Reads the value of each side; a value written for both is A's.
    pub(super) fn sides<T>(
        &mut self,
        entry: &Entry,
        read: fn(&mut Self, &Piece) -> Option<T>,
    ) -> Vec<(Side, T)> {
        let pieces = match &entry.form {
            Written::Equals(value) => [Some(value.clone()), None],
            Written::List(list) if !list.is_empty() => {
                let mut sides = [None, None];
                for piece in list.split() {
                    side(&piece, &mut sides, self.errors);
                }
                sides
            }
            _ => {
                self.wrong_form(entry);
                [None, None]
            }
        };
        let values = pieces.map(|piece| read(self, &piece?));
        Side::BOTH.into_iter().zip(values).filter_map(|(s, value)| Some((s, value?))).collect()
    }
}

/// Reads `a = value` into its place.
fn side(piece: &Piece, sides: &mut [Option<Piece>; 2], errors: &mut Errors) {
    let entry = match piece.parse::<Entry>() {
        Ok(entry) => entry,
        Err(error) => return errors.push_syn(error),
    };
    let Some(index) = Side::BOTH.iter().position(|side| entry.key == side.letter()) else {
        return errors.push(
            &entry.key,
            format!("unknown operand `{}`", entry.key),
            "`a` is the first argument of `matmul`, `b` the second",
        );
    };
    let Written::Equals(value) = entry.form else {
        let message = format!("`{}` has the wrong form", entry.key);
        return errors.push(&entry, message, format!("write `{} = ..`", entry.key));
    };
    if sides[index].is_some() {
        return errors.push(
            &entry.key,
            format!("`{}` is given twice", entry.key),
            "remove one of the two",
        );
    }
    sides[index] = Some(value);
}
