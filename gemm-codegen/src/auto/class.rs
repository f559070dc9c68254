//! Classes of candidates: those of one class give each row of the output the same bits.

use super::{Candidate, Footprint, Machine};
use crate::axis::Axis;
use crate::problem::ParameterKind;

/// The rows by which classes are compared: of a step of few sequences, of a step of many, and of a prompt. Of one
/// number alone the fastest class may be several times slower than another for the others: for 16 rows, N = K = 4096
/// on an H200 it has tiles of 32 × 32, and is estimated to take 6.6 times as long for 2048.
const ROWS: [usize; 3] = [16, 128, 2048];

/// Numbers the classes of candidates.
pub(super) fn number(all: &mut [Candidate]) {
    let mut firsts: Vec<usize> = Vec::new();
    for number in 0..all.len() {
        let plan = &all[number].plan;
        let known = firsts.iter().find(|first| all[**first].plan.gives_bits_of(plan)).copied();
        all[number].class = known.unwrap_or_else(|| {
            firsts.push(number);
            number
        });
    }
}

/// A candidate that runs on a device, for any number of rows, any batch and any alignment.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// [Its class](Candidate::class).
    pub class: usize,
    /// Whether M of the candidate is N of the function.
    pub swapped: bool,
    /// What its speed depends on.
    pub footprint: &'a Footprint,
}

impl Member<'_> {
    /// The logarithms of the estimates for [`ROWS`] along this axis.
    fn estimates(&self, rows: Axis, [m, n, k]: [usize; 3], machine: &Machine) -> [f64; ROWS.len()] {
        ROWS.map(|count| {
            let [m, n] = if rows == Axis::N { [m, count] } else { [count, n] };
            let shape = if self.swapped { [n, m, k] } else { [m, n, k] };
            self.footprint.seconds(shape, 1, machine).ln()
        })
    }
}

/// The axis of the rows of an output; of a vector, that of its elements.
fn rows(output: ParameterKind) -> Axis {
    match output {
        ParameterKind::Matrix { rows, .. } => rows,
        ParameterKind::Vector { length, .. } => length,
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            Axis::M
        }
    }
}

/// The class among whose `members` a launch chooses: the one with the least geometric mean of the estimates for
/// three numbers of rows of the first `output`, each that of its fastest member. So it depends on the device, K and
/// the columns of the output, and is the same for any number of rows. `None` without members.
pub fn fastest_class(
    members: &[Member<'_>],
    output: ParameterKind,
    shape: [usize; 3],
    machine: &Machine,
) -> Option<usize> {
    let rows = rows(output);
    let first = members.first()?.class;
    if members.iter().all(|member| member.class == first) {
        return Some(first);
    }
    let mut classes: Vec<(usize, [f64; ROWS.len()])> = Vec::new();
    for member in members {
        let seconds = member.estimates(rows, shape, machine);
        match classes.iter_mut().find(|(class, _)| *class == member.class) {
            Some((_, least)) => {
                least.iter_mut().zip(seconds).for_each(|(least, one)| *least = least.min(one));
            }
            None => classes.push((member.class, seconds)),
        }
    }
    let mean = |of: &[f64; ROWS.len()]| of.iter().sum::<f64>();
    let fastest = classes.iter().min_by(|(_, x), (_, y)| mean(x).total_cmp(&mean(y)));
    fastest.map(|(class, _)| *class)
}
