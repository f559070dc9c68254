//! [`Memo`]: what was chosen for the shapes of late.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::RwLock;

use crate::device::Place;

/// Choices that are remembered. A model has a few dozen shapes, of which a function sees some.
const SLOTS: usize = 32;

/// What a choice depends on, beside the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(super) place: Place,
    /// The tuning of the device, 0 for none.
    pub(super) tuning: u64,
    /// M, N, K.
    pub(crate) shape: [usize; 3],
    /// Matrices of an output.
    pub(crate) batch: usize,
    /// What the arguments are aligned to, as one number.
    pub(super) alignments: u64,
    /// Whether tensor copies can read the operands.
    pub(super) tensors: bool,
}

/// The numbers of the kernels that were chosen, one for each hash of a question: a later question
/// takes the place of an earlier one, so it stays as small as it is.
///
/// Looking allocates nothing and waits for nobody: a slot that is being written just then is as good
/// as an empty one, and what is not found is chosen anew.
#[derive(Debug)]
pub(super) struct Memo([RwLock<Option<(Question, usize)>>; SLOTS]);

impl Memo {
    pub(super) const fn new() -> Memo {
        Memo([const { RwLock::new(None) }; SLOTS])
    }

    pub(super) fn get(&self, question: &Question) -> Option<usize> {
        let slot = self.slot(question).try_read().ok()?;
        slot.filter(|(known, _)| known == question).map(|(_, number)| number)
    }

    pub(super) fn put(&self, question: Question, number: usize) {
        if let Ok(mut slot) = self.slot(&question).try_write() {
            *slot = Some((question, number));
        }
    }

    fn slot(&self, question: &Question) -> &RwLock<Option<(Question, usize)>> {
        let mut hasher = DefaultHasher::new();
        question.hash(&mut hasher);
        &self.0[hasher.finish() as usize % SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(m: usize) -> Question {
        let place = Place::Emulator { number: 1 };
        Question { place, tuning: 0, shape: [m, 64, 64], batch: 1, alignments: 7, tensors: true }
    }

    #[test]
    fn what_was_put_is_found_under_its_question_alone() {
        let memo = Memo::new();
        assert_eq!(memo.get(&question(5)), None);
        memo.put(question(5), 3);
        assert_eq!(memo.get(&question(5)), Some(3));
        let place = Place::Emulator { number: 2 };
        for other in [
            question(6),
            Question { batch: 2, ..question(5) },
            Question { tuning: 1, ..question(5) },
            Question { alignments: 8, ..question(5) },
            Question { tensors: false, ..question(5) },
            Question { place, ..question(5) },
            Question { shape: [64, 5, 64], ..question(5) },
        ] {
            assert_eq!(memo.get(&other), None);
        }
    }

    #[test]
    fn later_shapes_take_the_place_of_earlier_ones() {
        let memo = Memo::new();
        for m in 0..10 * SLOTS {
            memo.put(question(m), m);
            assert_eq!(memo.get(&question(m)), Some(m));
        }
        let kept = (0..10 * SLOTS).filter(|m| memo.get(&question(*m)) == Some(*m)).count();
        assert!((1..=SLOTS).contains(&kept), "{kept}");
    }

    #[test]
    fn a_slot_that_is_written_is_not_waited_for() {
        let memo = Memo::new();
        memo.put(question(5), 3);
        let held = memo.slot(&question(5)).write().expect("nobody panics");
        assert_eq!(memo.get(&question(5)), None);
        memo.put(question(5), 4);
        drop(held);
        assert_eq!(memo.get(&question(5)), Some(3));
    }
}
