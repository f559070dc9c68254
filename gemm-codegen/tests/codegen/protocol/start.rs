//! How a block begins: its producer initialises the barriers and requests the first ring of k-tiles,
//! before the other threads know that there are barriers.

use gemm_codegen::{Element, Mma, Walk, emit};

use super::one_tile::{CONSUMER, PRODUCER, START, faults};
use super::{Fault, Step};
use crate::shared::{TN, extent, plan, product, with};

#[test]
fn copies_are_requested_when_there_are_barriers() {
    let requested_first = faults(|protocol, _| {
        let steps = &mut protocol.roles[PRODUCER].steps;
        steps.sort_by_key(|step| matches!(step, Step::Initialise { .. }));
    });
    assert_eq!(requested_first, [Fault::NotInitialised]);
    let some_without = faults(|protocol, _| {
        let steps = &mut protocol.roles[PRODUCER].steps;
        steps.retain(|step| !matches!(step, Step::Initialise { stage: 1.. }));
    });
    assert_eq!(some_without, [Fault::NotInitialised]);
}

#[test]
fn consumers_wait_until_there_are_barriers() {
    let at_once = faults(|protocol, _| {
        protocol.roles.iter_mut().for_each(|role| role.steps.retain(|step| *step != START));
    });
    assert_eq!(at_once, [Fault::NotInitialised]);
    // One that the others do not wait for.
    let alone = faults(|protocol, _| {
        protocol.roles[CONSUMER].steps.retain(|step| *step != START);
    });
    assert_eq!(alone, [Fault::NotInitialised]);
}

/// The lines of the entry point up to where consumers and producer part, in their order.
fn lines(walk: Option<Walk>, cluster: Option<[u16; 2]>) -> Vec<&'static str> {
    let first =
        ["prefetch_map(a);", "prefetch_map(b);", "prefetch_map(map_out);", "init_barriers(ring);"];
    let [before, after] = match cluster {
        Some(_) => [Some("cluster_meet();"), None],
        None => [None, Some("__syncthreads();")],
    };
    let start = Some(match walk {
        Some(_) => "started = start(ring, tiles.first(), a, b, 0, k);",
        None => "started = start(ring, block, a, b, 0, k);",
    });
    let parts = ["if (threadIdx.x >= CONSUMERS)", "RingState state = state_after(started);"];
    let optional = [before, start, after].into_iter().flatten();
    first.into_iter().chain(optional).chain(parts).collect()
}

#[test]
fn the_text_has_these_steps_in_this_order() {
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        for cluster in [None, Some([2, 1])] {
            let spec = with(product(Element::F16, TN), |schedule| {
                (schedule.mma, schedule.walk) = (Some(Mma::Wgmma(None)), walk);
                schedule.cluster = cluster.map(|blocks| blocks.map(extent));
            });
            let text = emit(&plan(&spec)).text;
            let mut at = text.find("extern \"C\"").expect("an entry point");
            for line in lines(walk, cluster) {
                let found = text[at..].find(line);
                at += found.unwrap_or_else(|| panic!("{walk:?}, {cluster:?}: {line}"));
            }
        }
    }
}
