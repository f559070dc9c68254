//! The entry point, which reads as the algorithm: a block's tile, its main loop, its epilogue.

use super::movers::movers;
use crate::axis::Side;
use crate::body::wrap::wrap_lines;
use crate::level::epilogue::Epilogue;
use crate::level::pdl::Pdl;
use crate::level::pipeline::Brought;
use crate::parameters::Parameters;
use crate::plan::Plan;
use crate::problem::ParameterKind;
use crate::side::SidePlan;
use crate::spec::Walk;

/// Bytes to which shared memory is aligned: the banks once.
const SHARED_ALIGN: u32 = 128;

/// The entry point.
pub(super) fn kernel(plan: &Plan, parameters: &Parameters, entry: &str) -> String {
    let [opening, parting] = roles(plan, parameters);
    wrap_lines(&format!(
        "// minBlocksPerSM = 1: without it ptxas spills.\n\
         extern \"C\" __global__ void {cluster}__launch_bounds__(THREADS, 1) {entry}(\n    {signature}) {{\n    \
         extern __shared__ __align__({align}) unsigned char shared_bytes[];\n    \
         Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);\n\
         {opening}\
         {block}\
         {matrices}\
         {parting}    \
         const Warp warp = warps();\n\
         {work}\
         }}\n",
        signature = parameters.signature(),
        align = align(plan),
        cluster = cluster_dims(plan),
        block = plan.scheduler.cuda_block(plan.batch().len(), plan.cluster()),
        matrices = parameters.steps_to_matrices(plan),
        work = match plan.scheduler.walk() {
            Some(walk) => walked(plan, parameters, walk),
            None => one_tile(plan, parameters),
        },
    ))
}

/// The attribute of blocks that form clusters.
fn cluster_dims(plan: &Plan) -> &'static str {
    match (plan.cluster(), plan.scheduler.cluster_split_k()) {
        (Some(_), _) => "\n__cluster_dims__(CLUSTER, 1, 1) ",
        (None, Some(_)) => "\n__cluster_dims__(SPLITS, 1, 1) ",
        (None, None) => "",
    }
}

/// What a block does for its only tile.
fn one_tile(plan: &Plan, parameters: &Parameters) -> String {
    let zero = match plan.pipeline.roles() {
        Some(_) => ";\n    Place place = {0, 0}",
        None => " = {}",
    };
    format!(
        "    Accumulators acc{zero};\n\
         {places}\
         {sums}\
         {operands}    \
         {epilogue}\n\
         {stores}",
        places = places(plan),
        stores = stores(plan),
        sums = sums(plan, parameters),
        operands = operands(plan, parameters, "    "),
        epilogue = epilogue(plan, parameters),
    )
}

/// What it does for each of several.
fn walked(plan: &Plan, parameters: &Parameters, walk: Walk) -> String {
    let factors = Side::BOTH.map(|side| parameters.name(plan.problem.factor(side).operand));
    let mainloop = plan.pipeline.cuda_call(factors, false);
    let [of_all, of_each] = match plan.batch() {
        [] => [operands(plan, parameters, "    "), String::new()],
        _ => [String::new(), operands(plan, parameters, "        ")],
    };
    let epilogue = epilogue(plan, parameters);
    let [before, each] = match walk {
        Walk::Cooperative => [
            String::new(),
            format!(
                "        {mainloop}\n\
                 {of_each}        \
                 {epilogue}\n"
            ),
        ],
        Walk::Pingpong => [
            "    const int group = threadIdx.x / 128;\n    \
             if (group == 1) {  // begins with the second tile\n        \
             give_turn(0);\n        \
             tiles.skip(), place.skip(tiles_of(k));\n    \
             }\n"
            .to_owned(),
            format!(
                "        await_turn(group);\n        \
                 {mainloop}\n\
                 {of_each}        \
                 {epilogue}\n        \
                 tiles.skip(), place.skip(tiles_of(k));  // which the other has\n"
            ),
        ],
    };
    format!(
        "{of_all}    \
         Accumulators acc;\n    \
         Place place = {{0, 0}};\n\
         {places}\
         {before}    \
         while (tiles.next(block)) {{\n\
         {each}    \
         }}\n\
         {stores}",
        places = places(plan),
        stores = stores(plan),
    )
}

/// The lines, after this indentation, that collect what the body reads, and several outputs.
fn operands(plan: &Plan, parameters: &Parameters, indent: &str) -> String {
    let values = format!("{indent}const Values values = {{{}}};\n", values(plan, parameters));
    match outputs(plan, parameters) {
        (Some(several), _) => format!("{values}{indent}{several}\n"),
        (None, _) => values,
    }
}

/// The line that waits for the copy unit, which may still read what a block has staged.
fn stores(plan: &Plan) -> &'static str {
    match (plan.epilogue.stored_box(), plan.epilogue.fetched()) {
        (Some(_), None) => {
            "    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block\n"
        }
        _ => "",
    }
}

/// The call that stores the sums of a tile.
fn epilogue(plan: &Plan, parameters: &Parameters) -> String {
    let (_, outputs) = outputs(plan, parameters);
    let staged = match (plan.epilogue, plan.epilogue.fetched()) {
        (Epilogue::Block(_), _) => "shared.staged, warp",
        (Epilogue::Groups(_), None) => "shared.staged",
        (Epilogue::Groups(_), Some(_)) => "slabs, slab",
    };
    let ends = if plan.problem.n_contiguous() { "m, n" } else { "n, m" };
    format!("epilogue(acc, {staged}, values, {outputs}, {}, {ends});", first_of(plan))
}

/// The lines, where places of slabs are filled before a tile ends, that begin with the first one.
fn places(plan: &Plan) -> &'static str {
    match plan.epilogue.fetched() {
        Some(_) => {
            "    const Slabs slabs(shared, threadIdx.x / 128);\n    \
             SlabPlace slab = {0, 0};\n"
        }
        None => "",
    }
}

/// Bytes to which shared memory is aligned: what the copies and the loads of both sides need.
fn align(plan: &Plan) -> u32 {
    let loads = Side::BOTH.map(|side| {
        let SidePlan { tile, feed, .. } = plan.sides.get(side);
        feed.loads().map_or(0, |loads| loads.align(tile))
    });
    let copies = plan.sides.a.global_to_shared.align();
    loads.into_iter().fold(SHARED_ALIGN.max(copies), u32::max)
}

/// The members of `values`: what the body reads besides the accumulator.
fn values(plan: &Plan, parameters: &Parameters) -> String {
    let values = parameters.read_numbers(plan).map(|number| {
        let (name, pointer) = (parameters.name(number), parameters.pointer(number, plan));
        match parameters.list[number].kind {
            ParameterKind::Matrix { .. } => format!("{pointer}, ld_{name}"),
            ParameterKind::Vector { .. } => pointer,
            ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => parameters.scalar(number),
        }
    });
    values.collect::<Vec<_>>().join(", ")
}

/// A line that collects several outputs in a struct, and the arguments of `epilogue` for what it
/// stores to.
fn outputs(plan: &Plan, parameters: &Parameters) -> (Option<String>, String) {
    // What is moved for a warpgroup, movers store.
    let boxes = plan.epilogue.stored_box().filter(|_| plan.epilogue.fetched().is_none());
    let map = |name: &str| match (boxes, plan.batch()) {
        (Some(_), []) => format!(", map_{name}"),
        (Some(_), _) => format!(", map_{name}, block.batch"),
        (None, _) => String::new(),
    };
    let outputs = parameters.output_numbers().map(|number| {
        let (name, pointer) = (parameters.name(number), parameters.pointer(number, plan));
        format!("{pointer}, ld_{name}{map}", map = map(name))
    });
    let outputs = outputs.collect::<Vec<_>>().join(", ");
    match parameters.outputs().len() {
        1 => (None, outputs),
        _ => (Some(format!("const Outputs outputs = {{{outputs}}};")), "outputs".to_owned()),
    }
}

/// The lines, before the block's tile is known and after, in which threads take their roles, where
/// they have any. The producer reads and consumers store, so each waits for the predecessor kernel, if
/// not both at once.
fn roles(plan: &Plan, parameters: &Parameters) -> [String; 2] {
    let Some(roles) = plan.pipeline.roles() else { return [String::new(), String::new()] };
    let brought = Brought {
        factors: Side::BOTH.map(|side| parameters.name(plan.problem.factor(side).operand)),
        has_part: plan.scheduler.has_part(),
        pdl: plan.pdl,
    };
    let movers = plan.epilogue.fetched().map(|_| movers(plan, parameters, &first_of(plan)));
    let movers = movers.unwrap_or_default();
    let [before, _] = plan.pdl.map_or([""; 2], Pdl::around_mainloop);
    let (part, parting) = (plan.scheduler.cuda_part(), roles.parting(brought, &movers));
    [roles.opening(&parameters.maps(), &movers), format!("{part}{before}{parting}")]
}

/// The first row and column of the output that the group of `warp` stores, as the output has them.
fn first_of(plan: &Plan) -> String {
    let [m0, n0] = match plan.epilogue {
        Epilogue::Block(_) => ["block.m", "block.n"],
        Epilogue::Groups(_) => ["block.m + warp.m", "block.n + warp.n"],
    };
    // The columns that the block has reduced.
    let own = plan.scheduler.cluster_split_k().map_or("", |_| " + cluster_rank() * STORED_N");
    match plan.problem.n_contiguous() {
        true => format!("{m0}, {n0}{own}"),
        false => format!("{n0}{own}, {m0}"),
    }
}

/// The lines from zeroed accumulators to the sums of a tile.
fn sums(plan: &Plan, parameters: &Parameters) -> String {
    let factors = Side::BOTH.map(|side| parameters.name(plan.problem.factor(side).operand));
    let [before, after] = plan.pdl.map_or([""; 2], Pdl::around_mainloop);
    // With roles, these lines stand before the threads part.
    let [part, before] = match plan.pipeline.roles() {
        Some(_) => [""; 2],
        None => [plan.scheduler.cuda_part(), before],
    };
    let mainloop = plan.pipeline.cuda_call(factors, plan.scheduler.has_part());
    let reduction = plan.scheduler.cuda_reduction();
    format!("{part}{before}    {mainloop}\n{after}{reduction}")
}
