//! [`Memo`]: the choices for recent shapes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::RwLock;

use crate::launch::axis_extents::AxisExtents;
use crate::place::Place;
use crate::report::ChosenBy;

/// Remembered choices. A model has a few dozen shapes, and a function sees some of them.
const SLOTS: usize = 32;

/// Everything that a choice depends on, except the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::launch) struct ChoiceKey {
    pub(super) place: Place,
    /// The tuning of the device, 0 for none.
    pub(super) tuning: u64,
    /// M, N, K: N are the columns of all products in turn.
    pub(in crate::launch) shape: [usize; 3],
    /// The extents along all axes, which are those of each product in turn.
    pub(in crate::launch) extents: AxisExtents,
    /// Matrices of an output.
    pub(in crate::launch) batch: usize,
    /// The alignments of the arguments, as one number.
    pub(super) alignments: u64,
    /// Bytes of A and of B that have to be copied before tensor copies can read them.
    pub(super) unreadable: [u64; 2],
}

/// The choices, one for each hash of a key: a later key replaces an earlier one,
/// so the size is fixed.
///
/// A look-up allocates nothing and does not wait: a slot that is being written counts as empty, and
/// the choice is made again.
#[derive(Debug)]
pub(in crate::launch) struct Memo<V = Remembered>([RwLock<Option<(ChoiceKey, V)>>; SLOTS]);

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::launch) struct Remembered {
    /// The number of the chosen kernel.
    pub(in crate::launch) number: usize,
    /// By what it was chosen.
    pub(in crate::launch) by: ChosenBy,
}

impl<V: Copy> Memo<V> {
    pub(super) const fn new() -> Memo<V> {
        Memo([const { RwLock::new(None) }; SLOTS])
    }

    pub(in crate::launch) fn get(&self, key: &ChoiceKey) -> Option<V> {
        let slot = self.slot(key).try_read().ok()?;
        slot.filter(|(known, _)| known == key).map(|(_, choice)| choice)
    }

    pub(in crate::launch) fn put(&self, key: ChoiceKey, choice: V) {
        if let Ok(mut slot) = self.slot(&key).try_write() {
            *slot = Some((key, choice));
        }
    }

    fn slot(&self, key: &ChoiceKey) -> &RwLock<Option<(ChoiceKey, V)>> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        &self.0[hasher.finish() as usize % SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    fn key(m: usize) -> ChoiceKey {
        let place = Place::Emulator { number: 1 };
        ChoiceKey {
            place,
            tuning: 0,
            shape: [m, 64, 64],
            extents: AxisExtents::of_shape(Shape { m, n: 64, k: 64 }),
            batch: 1,
            alignments: 7,
            unreadable: [0; 2],
        }
    }

    #[test]
    fn a_choice_is_found_only_under_its_key() {
        let memo = Memo::<usize>::new();
        assert_eq!(memo.get(&key(5)), None);
        memo.put(key(5), 3);
        assert_eq!(memo.get(&key(5)), Some(3));
        let place = Place::Emulator { number: 2 };
        for other in [
            key(6),
            ChoiceKey { batch: 2, ..key(5) },
            ChoiceKey { tuning: 1, ..key(5) },
            ChoiceKey { alignments: 8, ..key(5) },
            ChoiceKey { unreadable: [0, 640], ..key(5) },
            ChoiceKey { place, ..key(5) },
            ChoiceKey { shape: [64, 5, 64], ..key(5) },
        ] {
            assert_eq!(memo.get(&other), None);
        }
    }

    #[test]
    fn later_shapes_take_the_place_of_earlier_ones() {
        let memo = Memo::<usize>::new();
        for m in 0..10 * SLOTS {
            memo.put(key(m), m);
            assert_eq!(memo.get(&key(m)), Some(m));
        }
        let kept = (0..10 * SLOTS).filter(|m| memo.get(&key(*m)) == Some(*m)).count();
        assert!((1..=SLOTS).contains(&kept), "{kept}");
    }

    #[test]
    fn a_slot_that_is_being_written_counts_as_empty() {
        let memo = Memo::<usize>::new();
        memo.put(key(5), 3);
        let held = memo.slot(&key(5)).write().expect("nobody panics");
        assert_eq!(memo.get(&key(5)), None);
        memo.put(key(5), 4);
        drop(held);
        assert_eq!(memo.get(&key(5)), Some(3));
    }
}
