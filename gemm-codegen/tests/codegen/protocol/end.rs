//! How a block of a cluster ends: its producer waits until all consumers to which it copies have left its
//! stages, which are then never accessed again.

use super::clusters::{Shape, faults};
use super::{Fault, Protocol};

/// Leaves the producers this number of the waits of `drain`.
fn drain_only(shape: Shape, changed: &mut Protocol, waits: usize) {
    for role in changed.roles.iter_mut().step_by(2) {
        let end = role.steps.len() - (shape.stages - waits);
        role.steps.truncate(end);
    }
}

#[test]
fn a_block_stays_until_all_have_left_its_stages() {
    let without = faults(|shape, changed| drain_only(shape, changed, 0));
    assert_eq!(without, [Fault::Ended]);
    let one_too_few = faults(|shape, changed| drain_only(shape, changed, shape.stages - 1));
    assert_eq!(one_too_few, [Fault::Ended]);
}

#[test]
fn consumers_leave_the_stage_of_the_last_k_tile() {
    let not_left = faults(|shape, changed| {
        let arrivals = shape.cluster[0] + shape.cluster[1] - 1;
        for role in changed.roles.iter_mut().skip(1).step_by(2) {
            let end = role.steps.len() - if shape.k_tiles > 0 { arrivals } else { 0 };
            role.steps.truncate(end);
        }
    });
    assert_eq!(not_left, [Fault::Deadlock]);
}
