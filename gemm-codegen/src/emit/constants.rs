//! The constants of a text: extents of each level, the tiles and the map of shared memory.

use super::products::{products, several};
use super::steps::{promoted, steps};
use crate::axis::Side;
use crate::body::name::cuda_name;
use crate::form::Form;
use crate::layout::TileOrder;
use crate::level::feed::Feed;
use crate::level::global_to_shared::{self, tensor};
use crate::level::mma::{AtomMatrix, ScalesIn, Unit, Wgmma};
use crate::level::pipeline::Beside;
use crate::level::scheduler::{Cluster, ClusterSplitK, cuda_block};
use crate::level::shared_tile::SharedTile;
use crate::level::shared_to_register::SharedToRegister;
use crate::parameter::MAX_ALIGN;
use crate::parameters::Parameters;
use crate::plan::Plan;
use crate::spec::Walk;
use crate::text::Sections;
use crate::text::wrap::wrap_comment;

/// Writes them, outermost level first.
pub(super) fn write(text: &mut Sections, plan: &Plan, parameters: &Parameters) {
    text.add(match plan.mma.unit {
        Unit::Warpgroup(wgmma) => tiling_of_groups(plan, wgmma),
        Unit::TensorCore(_) | Unit::Fma(_) => tiling(plan),
    });
    if plan.form.copies_tensors() {
        tensor::write_map(text, plan.factors(), plan.tensor_copies(), several(plan));
    }
    if let Unit::Fma(lanes) = plan.mma.unit {
        text.add(lanes.cuda());
    }
    let copies = [&plan.sides.a, &plan.sides.b].map(|side| &side.global_to_shared);
    global_to_shared::write_policies(text, copies);
    write_tiles(text, plan);
    text.add(staging(plan, parameters));
    let counts = plan.stage_counts();
    let beside = Beside {
        counts: counts.as_ref(),
        apart: plan.epilogue.is_apart(),
        fetched: plan.epilogue.fetched().is_some(),
        scales: plan.scaling.is_some_and(|scaling| scaling.place != ScalesIn::Registers),
    };
    plan.form.write_shared(text, plan.scheduler, &beside);
}

/// The tiles of both sides in shared memory, and what they are made of.
fn write_tiles(text: &mut Sections, plan: &Plan) {
    let is_swizzled =
        |side| !matches!(plan.shared_tile(side).layout.order, TileOrder::Columns { .. });
    if plan.form == Form::Groups || Side::BOTH.into_iter().any(is_swizzled) {
        text.add(include_str!("../level/shared_tile/swizzle.cuh"));
    }
    Side::BOTH.into_iter().for_each(|side| text.add(base(plan, side, "", "").1));
    Side::BOTH.into_iter().for_each(|side| text.add(tile(plan, side)));
    if let Some(scaling) = plan.scaling {
        let copies = Side::BOTH.map(|side| plan.global_to_shared(side));
        let align =
            |operand: usize| format!("ALIGN_{}", cuda_name(&plan.spec.operands[operand].name));
        scaling.write_tiles(text, &global_to_shared::cuda_no_policy(copies), align);
    }
}

/// The extents of each level.
fn tiling(plan: &Plan) -> String {
    let ([block_m, block_n, block_k], [steps, whole]) = (plan.warps.block, steps(plan));
    let [warps_m, warps_n, warps_k] = plan.warps.grid;
    let [mma_m, mma_n, mma_k] = plan.mma.shape();
    let [a, b] = [AtomMatrix::A, AtomMatrix::B].map(|matrix| plan.mma.fragment(matrix).words());
    let c = plan.mma.fragment(AtomMatrix::C).registers();
    let (register, packed) = match plan.mma.accumulator.bits() {
        16 => (plan.mma.accumulator.register(), ", two halves a register"),
        _ => ("Sum", ""),
    };
    format!(
        "// The tiling: block > warp > mma.\n\
         constexpr int BLK_M = {block_m}, BLK_N = {block_n}, BLK_K = {block_k};\n\
         constexpr int WARPS_M = {warps_m}, WARPS_N = {warps_n}, WARPS_K = {warps_k};\n\
         constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;\n\
         constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;\n\
         constexpr int MMA_M = {mma_m}, MMA_N = {mma_n}, MMA_K = {mma_k};\n\
         constexpr int A_REGISTERS = {a}, B_REGISTERS = {b}, C_REGISTERS = {c};  // of a lane, for one atom\n\
         constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;\n\
         {steps}\
         constexpr int STAGES = {stages}, RASTER = {raster};\n\
         {promoted}\
         constexpr int SHARED_BYTES = {shared};\n\
         static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, \"warps and atoms tile BLK_M\");\n\
         static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, \"warps and atoms tile BLK_N\");\n\
         {whole}\
         static_assert(STAGES >= 2 && THREADS <= 1024, \"a ring, and a legal block\");\n\
         {products}\
         \n\
         typedef {sum} Sum;  // of an accumulator; as it is staged and as the body takes it\n\
         typedef {register} Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane{packed}\n\
         {block}\
         struct Warp {{ int m, n, k; }};  // first row, column and k of a warp's tile in the block's\n",
        sum = plan.mma.accumulator.value().cuda(),
        block = cuda_block(plan.batch().len(), !plan.segments.is_empty()),
        products = products(plan),
        stages = plan.ring.stages,
        raster = plan.raster.width(),
        promoted = promoted(plan),
        shared = plan.shared_memory.bytes(),
    )
}

/// The same of a block of warpgroups: each multiplies all its columns at once.
fn tiling_of_groups(plan: &Plan, wgmma: Wgmma) -> String {
    let ([block_m, block_n, block_k], [steps, whole]) = (plan.warps.block, steps(plan));
    let [groups_m, groups_n, _] = plan.warps.grid;
    let [mma_m, mma_n, mma_k] = wgmma.shape();
    format!(
        "// The tiling: block > warpgroup > mma.\n\
         constexpr int BLK_M = {block_m}, BLK_N = {block_n}, BLK_K = {block_k};\n\
         {cluster}\
         constexpr int GROUPS_M = {groups_m}, GROUPS_N = {groups_n};  // warpgroups that multiply\n\
         constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;\n\
         constexpr int THREADS = {threads};  // and one that copies\n\
         constexpr int MMA_M = {mma_m}, MMA_N = {mma_n}, MMA_K = {mma_k};\n\
         constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = {sums};  // of a lane, for one atom\n\
         {steps}\
         constexpr int STAGES = {stages}, RASTER = {raster};\n\
         {promoted}\
         constexpr int SHARED_BYTES = {shared};\n\
         static_assert(GROUPS_M * ATOMS_M * MMA_M == BLK_M, \"warpgroups and atoms tile BLK_M\");\n\
         static_assert(GROUPS_N * MMA_N == BLK_N, \"warpgroups tile BLK_N\");\n\
         {whole}\
         {products}\
         \n\
         typedef {sum} Sum;  // of an accumulator; as it is staged and as the body takes it\n\
         typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane\n\
         {block}\
         struct Warpgroup {{ int m, n; }};  // first row and column of its tile in the block's\n",
        threads = match plan.scheduler.walk() {
            Some(Walk::Pingpong) => "128 * (2 + 1)",
            Some(Walk::Cooperative) | None => "128 * (GROUPS_M * GROUPS_N + 1)",
        },
        cluster = cluster(plan),
        promoted = promoted(plan),
        sums = wgmma.sums(),
        sum = plan.mma.accumulator.value().cuda(),
        block = cuda_block(plan.batch().len(), !plan.segments.is_empty()),
        products = products(plan),
        stages = plan.ring.stages,
        raster = plan.raster.width(),
        shared = plan.shared_memory.bytes(),
    )
}

/// The constants of the blocks of a cluster, which is a block where nothing else is said: walks are over
/// the tiles of clusters.
fn cluster(plan: &Plan) -> String {
    let alone = plan.scheduler.walk().map(|_| Cluster { blocks: [1, 1] });
    let copies = plan.cluster().or(alone).map(Cluster::cuda_constants);
    let splits = plan.scheduler.cluster_split_k().map(ClusterSplitK::cuda_constants);
    copies.or(splits).unwrap_or_default()
}

/// The struct of one side's tile in shared memory.
fn tile(plan: &Plan, side: Side) -> String {
    let part = plan.sides.get(side);
    let letter = side.letter().to_uppercase();
    let axis = if side == Side::A { "M" } else { "N" };
    let depth = if plan.ring.rings == 1 { "BLK_K" } else { "WARP_K" };
    let over = |count: u32| if count > 1 { format!(" / {count}") } else { String::new() };
    let SharedTile { lines, numbers, .. } = part.tile;
    let [along_mn, along_k] =
        [format!("BLK_{axis}{}", over(lines)), format!("{depth}{}", over(numbers))];
    let [rows, cols] =
        if part.tile.k_contiguous { [along_mn, along_k] } else { [along_k, along_mn] };
    let align = align(plan, side);
    let copies = Side::BOTH.map(|side| plan.global_to_shared(side));
    let is_fed = matches!(part.feed, Feed::Descriptor(_));
    format!(
        "{comment}struct {name} : {base} {{\n    \
         static constexpr bool K_CONTIGUOUS = {k_contiguous};\n\
         {registers}\
         {copies}\
         {boxes}\
         {members}\
         }};\n\
         {of_factor}",
        comment = wrap_comment(&format!("{letter}, {}, in shared memory.", operands(plan, side))),
        name = side.tile(),
        base = base(plan, side, &rows, &cols).0,
        k_contiguous = part.tile.k_contiguous,
        copies = part.global_to_shared.cuda_members(&align, copies, is_fed),
        boxes = boxes(plan, side),
        of_factor = of_factor(plan, side),
        registers = match part.feed {
            Feed::Registers(loads) => registers(plan, &loads, &part.tile),
            Feed::Descriptor(_) => String::new(),
        },
        members = part.feed.cuda_members(&part.tile) + &plan.epilogue.cuda_interleaved(side),
    )
}

/// The registers of a lane that `shared_to_register` fills: of a k-step, or where warpgroups convert of a load.
fn registers(plan: &Plan, loads: &SharedToRegister, tile: &SharedTile) -> String {
    let letter = tile.side.letter().to_uppercase();
    let axis = if tile.side == Side::A { "M" } else { "N" };
    let of_load = loads.registers_of_load(tile);
    let (count, of) = match (plan.form, of_load, tile.side) {
        (Form::Groups, None, _) => return String::new(),
        (Form::Groups, Some(count), _) => (count.to_string(), "load"),
        // An element has the lines of two atoms.
        (_, Some(_), Side::B) => (format!("ATOMS_{axis} / 2 * {letter}_REGISTERS"), "k-step"),
        (_, _, _) => (format!("ATOMS_{axis} * {letter}_REGISTERS"), "k-step"),
    };
    format!("    static constexpr int REGISTERS = {count};  // of a {of}\n")
}

/// The operands that are the factors of a side, by their names.
fn operands(plan: &Plan, side: Side) -> String {
    let factors = plan.problem.axes.sharing(side);
    let mut names: Vec<String> =
        factors.map(|factor| format!("`{}`", plan.spec.operands[factor.operand].name)).collect();
    let further = plan.segments.iter().skip(1);
    let further = further.map(|of| &of.spec.operands[of.problem.factor(side).operand].name);
    names.extend(
        further
            .map(|name| format!("`{name}`"))
            .filter(|name| *name != names[0])
            .collect::<Vec<_>>(),
    );
    match (&names[..], plan.problem.added()) {
        ([name], _) => format!("the operand {name}"),
        (names, _) if !plan.segments.is_empty() => format!("one of {}", names.join(", ")),
        ([name, of_term], Some(_)) => format!("the operand {name}, after {of_term}"),
        (names, _) => format!("the operands {}", names.join(", ")),
    }
}

/// The struct template that a side's tile is, and its file.
fn base(plan: &Plan, side: Side, rows: &str, cols: &str) -> (String, &'static str) {
    let (part, element) = (plan.sides.get(side), plan.problem.factor(side).element.to_string());
    match part.feed {
        Feed::Registers(_) => part.tile.layout.cuda(&element, rows, cols),
        Feed::Descriptor(_) => (
            format!("BoxTile<{element}, {rows}, {cols}>"),
            include_str!("../level/shared_tile/box_tile.cuh"),
        ),
    }
}

/// The members by which tensor copies bring a side's tile, where they do.
fn boxes(plan: &Plan, side: Side) -> String {
    if !plan.form.copies_tensors() {
        return String::new();
    }
    plan.tensor_copies().cuda_members(side, plan.shared_tile(side), several(plan).is_some())
}

/// The struct of what a side's tile has of one of several factors.
fn of_factor(plan: &Plan, side: Side) -> String {
    if plan.problem.factors(side).len() == 1 {
        return String::new();
    }
    let (tile, is_box) = (plan.shared_tile(side), plan.form.copies_tensors());
    format!("\n{}", global_to_shared::cuda_part(tile, is_box))
}

/// What divides the address and the rows of every factor of a side.
fn align(plan: &Plan, side: Side) -> String {
    if plan.planes.is_some() {
        return MAX_ALIGN.to_string();
    }
    let names = plan
        .problem
        .axes
        .sharing(side)
        .map(|factor| format!("ALIGN_{}", cuda_name(&plan.spec.operands[factor.operand].name)));
    names.reduce(|least, name| format!("({name} < {least} ? {name} : {least})")).unwrap_or_default()
}

/// What the epilogue stages at a time.
fn staging(plan: &Plan, parameters: &Parameters) -> String {
    let outputs = parameters.outputs();
    let types = match plan.partials().is_empty() {
        true => plan.epilogue.cuda_types(&outputs, plan.own_results()),
        false => plan.epilogue.cuda_types_of_reduced(&outputs, plan.own_results(), plan.vector()),
    };
    plan.epilogue.cuda_constants(&types, &plan.mma, outputs.len() > 1)
}
