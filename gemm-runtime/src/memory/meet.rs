//! Whether places that repeat at several distances meet.

use std::ops::Range;

use crate::memory::batch::Steps;

/// Whole multiples of a distance, from the least to the most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiples {
    pub(crate) distance: i128,
    pub(crate) least: i128,
    pub(crate) most: i128,
}

impl Multiples {
    /// The places of an index, relative to its first.
    pub(crate) fn forth(Steps { count, stride }: Steps) -> Multiples {
        Multiples { distance: stride as i128, least: 0, most: count as i128 - 1 }
    }

    /// The same in a smaller unit; `units` of it are an element.
    pub(crate) fn scaled(self, units: i128) -> Multiples {
        Multiples { distance: self.distance * units, ..self }
    }

    /// From any of these places to the first.
    pub(crate) fn back(self) -> Multiples {
        Multiples { least: -self.most, most: -self.least, ..self }
    }
}

/// A multiple of each whose sum lies in a window, if there are any. The search is short where longer
/// distances precede shorter ones.
pub(crate) fn sum_within(terms: &[Multiples], window: &Range<i128>) -> Option<Vec<i128>> {
    let Some((term, rest)) = terms.split_first() else {
        return window.contains(&0).then(Vec::new);
    };
    // What is left for this term if the others add the most, or the least.
    let left = rest.iter().fold(window.start..window.end - 1, |left, of| {
        left.start - of.most * of.distance..left.end - of.least * of.distance
    });
    let multiples = match term.distance {
        0 if left.start > 0 || left.end < 0 => return None,
        0 => {
            // All multiples are 0.
            let one = term.least.max(term.most.min(0));
            one..=one.min(term.most)
        }
        distance => {
            let least = -(-left.start).div_euclid(distance);
            term.least.max(least)..=term.most.min(left.end.div_euclid(distance))
        }
    };
    multiples.into_iter().find_map(|multiple| {
        let added = multiple * term.distance;
        let mut of_rest = sum_within(rest, &(window.start - added..window.end - added))?;
        of_rest.insert(0, multiple);
        Some(of_rest)
    })
}
