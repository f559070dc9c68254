use super::*;

fn shared() -> Shared {
    Shared::new(96, &[(0, 32), (64, 32)], true, None)
}

#[test]
fn reads_need_a_write_before() {
    let mut shared = shared();
    assert_eq!(shared.load(4, 4, 0), Err(SharedProblem::NeverWritten { at: 4 }));
    shared.store(4, 2, [7, 0, 0, 0], 0).expect("stores");
    assert_eq!(shared.load(4, 4, 0), Err(SharedProblem::NeverWritten { at: 6 }));
    assert_eq!(shared.load(4, 2, 0), Ok([7, 0, 0, 0]));
}

#[test]
fn space_between_variables_is_outside() {
    let mut shared = shared();
    assert_eq!(shared.store(32, 4, [0; 4], 0), Err(SharedProblem::Outside));
    assert_eq!(shared.load(48, 16, 0), Err(SharedProblem::Outside));
    assert_eq!(shared.load(96, 1, 0), Err(SharedProblem::Outside));
    assert_eq!(shared.load(u64::MAX - 3, 4, 0), Err(SharedProblem::Outside));
}

#[test]
fn a_copy_is_seen_first_by_its_thread_then_its_warp_then_all() {
    let mut shared = shared();
    let landing = shared.copy(16, 16, [1, 2, 3, 4], 5).expect("copies");
    let in_flight = Err(SharedProblem::InFlight { at: 16, thread: 5 });
    assert_eq!(shared.load(16, 16, 5), in_flight);
    assert_eq!(shared.store(16, 4, [0; 4], 5), in_flight.map(|_: [u32; 4]| ()));
    shared.land(landing);
    assert_eq!(shared.load(16, 16, 5), Ok([1, 2, 3, 4]));
    let hidden = Err(SharedProblem::NotPublished { at: 16, thread: 5 });
    assert_eq!(shared.load(16, 16, 6), hidden);
    shared.publish_in_warp(0, u32::MAX);
    assert_eq!(shared.load(16, 16, 6), Ok([1, 2, 3, 4]));
    assert_eq!(shared.load(16, 16, 32), hidden);
    shared.publish();
    assert_eq!(shared.load(16, 16, 32), Ok([1, 2, 3, 4]));
}
