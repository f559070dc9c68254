use super::*;
use crate::memory::mbarrier::{MbarrierArrival, Phase, Waiter};
use crate::program::{Ordering, Scope};
use fastrand::Rng;

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

/// The mbarrier of the copies, for which a thread has waited or not, without landing any.
const BARRIER: u64 = 64;

fn asks(shared: &mut Shared) -> bool {
    let ordering = Ordering { orders: true, scope: Scope::Block };
    let waiter = Waiter { thread: 0, ordering, patient: false };
    shared.wait(BARRIER, Phase::Parity(0), waiter).expect("an mbarrier")
}

/// Copies 16 bytes to each of two places; an mbarrier expects all 32.
fn copied(races: bool, seed: u64) -> (Shared, Rng) {
    let mut random = Rng::with_seed(seed);
    let of = Some((Team::alone(32), 0));
    let mut shared = Shared::new(96, &[(0, 32), (64, 32)], races, of);
    let ordering = Ordering { orders: true, scope: Scope::Block };
    shared.initialize_mbarrier(BARRIER, 1, 0).expect("is free");
    shared.show_mbarriers(0, true);
    let arrival = MbarrierArrival { count: 1, expected: 32, incomplete: false, ordering };
    shared.arrive(BARRIER, arrival, 0).expect("is the only one");
    for address in [0, 16] {
        let copy = Start { address, bytes: &[7; 16], barrier: BARRIER, thread: 0, pc: 0 };
        shared.copy_tensor(&copy, Some(&mut random)).expect("copies");
    }
    (shared, random)
}

#[test]
fn copies_land_early_or_late_by_seed_and_in_any_order() {
    let (mut at_once, mut soon, mut firsts) = (0, 0, [0; 2]);
    for seed in 0..64 {
        let (mut shared, mut random) = copied(true, seed);
        let landed = |shared: &Shared, at: usize| shared.state[at] == VALID;
        at_once += u32::from(asks(&mut shared));
        for _ in 0..16 {
            match (landed(&shared, 0), landed(&shared, 16)) {
                (true, false) => firsts[0] += 1,
                (false, true) => firsts[1] += 1,
                _ => {}
            }
            shared.drift(&mut random).expect("lands");
        }
        soon += u32::from(asks(&mut shared));
        assert_eq!(shared.settle(BARRIER as u32, Phase::Parity(0)), Ok(true));
        assert!(landed(&shared, 0) && landed(&shared, 16));
    }
    assert!(at_once > 0 && soon > at_once && soon < 48, "{at_once} at once, {soon} soon");
    assert!(firsts[0] > 0 && firsts[1] > 0, "{firsts:?}");
}

#[test]
fn an_early_copy_is_not_seen_without_a_wait() {
    for seed in 0..16 {
        let (mut shared, mut random) = copied(true, seed);
        let in_flight = Err(SharedProblem::TensorInFlight { at: 0, thread: 0, barrier: 64 });
        assert_eq!(shared.load(0, 16, 1), in_flight);
        assert_eq!(shared.load(0, 16, 0), in_flight, "the thread that has started it");
        shared.drift(&mut random).expect("lands");
        assert_eq!(shared.load(0, 16, 1), in_flight);
        assert!(shared.copy_left().is_some(), "nothing has waited");
        shared.settle(64, Phase::Parity(0)).expect("lands");
        assert!(shared.copy_left().is_some(), "nothing has waited");
        assert!(asks(&mut shared) && shared.copy_left().is_none());
        assert!(shared.load(0, 16, 0).is_ok());
        // Without stamps only the state tells, so that copies are late.
        assert!(!asks(&mut copied(false, seed).0));
    }
}
