//! Access to memory: dispatch and fences.

use super::{access, async_copy, atomic, tensor_copy, tensor_store};
use crate::exec::step::{Executed, Step};
use crate::lanes::lanes_of;
use crate::program::{MemoryFence, MemoryOp};
use crate::trace::Tracer;

pub(super) fn execute(step: &mut Step<'_>, op: &MemoryOp) -> Executed {
    let active = step.active;
    match op {
        MemoryOp::Load(access, d) => return access::load(step, access, d),
        MemoryOp::Store(access, a) => return access::store(step, access, a),
        MemoryOp::Atomic(access, at) => return atomic::execute(step, access, *at),
        MemoryOp::TensorCopy(copy) => return tensor_copy::execute(step, copy),
        MemoryOp::TensorStore(store) => return tensor_store::execute(step, store),
        MemoryOp::BulkCommit => {
            lanes_of(active).for_each(|lane| step.warp.stores.commit(lane));
            step.trace(Tracer::commit_stores);
        }
        MemoryOp::BulkWait(wait) => return tensor_store::wait(step, *wait),
        MemoryOp::AsyncCopy(copy) => return async_copy::execute(step, copy),
        MemoryOp::AsyncCommit => {
            step.warp.copies.commit(active);
            step.trace(Tracer::commit_copies);
        }
        MemoryOp::AsyncWait(groups) => {
            step.warp.copies.wait(active, *groups, &mut step.common.shared);
            step.trace(|tracer, agent| tracer.wait_for_copies(agent, *groups));
        }
        MemoryOp::AsyncWaitAll => {
            step.warp.copies.wait_all(active, &mut step.common.shared);
            step.trace(|tracer, agent| {
                tracer.commit_copies(agent);
                tracer.wait_for_copies(agent, 0);
            });
        }
        MemoryOp::Fence(kind) => fence(step, *kind),
        MemoryOp::MbarrierFence => show_mbarriers(step, true),
        MemoryOp::ProxyFence => {
            show_mbarriers(step, false);
            step.common.shared.fence_proxies(step.warp.in_cluster, active);
        }
    }
    Ok(())
}

/// Shows the mbarriers that threads have initialised to copies, and perhaps releases them.
fn show_mbarriers(step: &mut Step<'_>, releases: bool) {
    let Step { common, warp, .. } = step;
    lanes_of(step.active)
        .for_each(|lane| common.shared.show_mbarriers(warp.member(lane), releases));
}

fn fence(step: &mut Step<'_>, fence: MemoryFence) {
    for lane in lanes_of(step.active) {
        if let Some(order) = step.common.order.as_mut().filter(|_| fence.device) {
            order.fence(step.warp.thread(lane));
        }
        step.common.shared.fence_memory(step.warp.member(lane), fence);
    }
}
