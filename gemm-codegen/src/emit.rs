//! [`emit`]: a plan's text, from the constants down to the kernel.
//!
//! The device functions are files (`level/**/*.cuh`, `ptx/*.cuh`) that speak of named constants;
//! what is written here are those constants, the tiles and the kernel that puts them together.

use crate::auto::Footprint;
use crate::banner;
use crate::body::{self, name::cuda_name, wrap::wrap_lines};
use crate::element::Element;
use crate::kernel::{Kernel, LaunchShape};
use crate::level::global_to_shared::{CopyAtom, tensor};
use crate::level::mma::AtomMatrix;
use crate::level::pdl::Pdl;
use crate::level::{epilogue, global_to_shared, mainloop, shared_to_register};
use crate::parameter::ParameterKind;
use crate::parameters::Parameters;
use crate::plan::{Plan, SidePlan};
use crate::spec::Side;

/// Bytes to which shared memory is aligned: the banks once.
const SHARED_ALIGN: u32 = 128;

/// Writes the kernel of a plan. The text is a function of the plan alone and includes nothing.
pub fn emit(plan: &Plan) -> Kernel {
    let parameters = Parameters::new(plan);
    let body = body::cuda::emit(&plan.body, &plan.spec);
    let mut sections = vec![banner::banner(plan), parameters.alignments(plan.batch().is_some())];
    sections.push(elements(plan));
    sections.push(tiling(plan));
    if plan.sides.a.global_to_shared.atom == CopyAtom::Tma {
        sections.push(tensor::cuda_map(plan.factors()).to_owned());
    }
    sections.extend(plan.mma.tile.map(|tile| tile.cuda()));
    let sides = [&plan.sides.a, &plan.sides.b];
    let copies = sides.map(|side| &side.global_to_shared);
    // What several levels call stands where the first of them does.
    let files = |sections: &mut Vec<String>, texts: &[&str]| {
        for text in texts {
            if !sections.iter().any(|section| section == text) {
                sections.push((*text).to_owned());
            }
        }
    };
    files(&mut sections, &global_to_shared::cuda_policies(copies));
    sections.extend(Side::BOTH.map(|side| tile(plan, side)));
    sections.push(staging(plan, &parameters));
    let (copy, batched) = (plan.sides.a.global_to_shared.atom, plan.batch().is_some());
    sections.extend(plan.split_k.map(|split_k| split_k.cuda_part()));
    sections.push(plan.raster.cuda(batched, plan.split_k.is_some()));
    files(&mut sections, &[plan.warps.cuda()]);
    files(&mut sections, &plan.pdl.map_or(Vec::new(), Pdl::cuda));
    files(&mut sections, &global_to_shared::cuda(copies));
    let loads = sides.map(|side| &side.shared_to_register);
    match copy {
        CopyAtom::Tma => {
            files(&mut sections, &shared_to_register::cuda_each(loads));
            sections.push(plan.mma.cuda_atom());
        }
        CopyAtom::CpAsync { .. } | CopyAtom::LdGlobal { .. } => {
            files(&mut sections, &shared_to_register::cuda(loads));
            sections.push(plan.mma.cuda_atom());
            files(&mut sections, plan.factors().cuda_step());
        }
    }
    let prologue = plan.pdl.and_then(Pdl::prologue);
    files(&mut sections, &prologue.into_iter().collect::<Vec<_>>());
    sections.push(mainloop::cuda(copy, prologue.is_some(), plan.mma.first()));
    sections.extend(body.fragments.iter().map(|fragment| fragment.text.to_owned()));
    sections.push(body.function);
    let vectors = [include_str!("level/word.cuh"), include_str!("level/epilogue/vector.cuh")];
    files(&mut sections, &vectors);
    let reads = parameters.reads(plan);
    let together = epilogue::reads_together(&reads);
    files(&mut sections, if together { &[include_str!("level/epilogue/fetch.cuh")] } else { &[] });
    sections.push(epilogue::cuda_values(&plan.contraction, &reads));
    sections.extend(epilogue::cuda_outputs(&parameters.outputs(), plan.results()));
    sections.extend(plan.split_k.map(|split_k| split_k.cuda(plan.mma.accumulator)));
    files(&mut sections, &plan.epilogue.cuda(&plan.mma));
    sections.push(plan.epilogue.cuda_epilogue(parameters.outputs().len(), together));

    let before = sections.join("\n");
    let hash = fnv1a(&(before.clone() + &kernel(plan, &parameters, "")));
    let entry = format!("{}_{hash:016x}", cuda_name(&plan.spec.name));
    Kernel {
        name: plan.spec.name.clone().into(),
        text: format!("{before}\n{}", kernel(plan, &parameters, &entry)).into(),
        entry: entry.into(),
        outputs: parameters.outputs().len(),
        parameters: parameters.list.into(),
        reads_output: plan.body.old.is_some(),
        launch: LaunchShape::of(plan),
        footprint: Footprint::of(plan),
    }
}

/// The FNV-1a hash: names a text, guards nothing.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn elements(plan: &Plan) -> String {
    let all = plan.contraction.operands.iter().chain(&plan.contraction.outputs);
    let mut used: Vec<Element> = all.filter_map(ParameterKind::element).collect();
    used.push(plan.mma.accumulator.staged());
    let needed = Element::ALL.into_iter().filter(|element| used.contains(element));
    needed.map(Element::cuda).collect::<Vec<_>>().join("\n")
}

fn tiling(plan: &Plan) -> String {
    let [block_m, block_n, block_k] = plan.warps.block;
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
         constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage\n\
         constexpr int STAGES = {stages}, RASTER = {raster};\n\
         constexpr int SHARED_BYTES = {shared};\n\
         static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, \"warps and atoms tile BLK_M\");\n\
         static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, \"warps and atoms tile BLK_N\");\n\
         static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, \"warps and atoms tile BLK_K\");\n\
         static_assert(STAGES >= 2 && THREADS <= 1024, \"a ring, and a legal block\");\n\
         \n\
         typedef {sum} Sum;  // of an accumulator; as it is staged and as the body takes it\n\
         typedef {register} Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane{packed}\n\
         {block}\
         struct Warp {{ int m, n, k; }};  // first row, column and k of a warp's tile in the block's\n",
        sum = plan.mma.accumulator.value().cuda(),
        block = plan.raster.cuda_block(plan.batch().is_some()),
        stages = plan.ring.stages,
        raster = plan.raster.width(),
        shared = plan.shared_memory.bytes(),
    )
}

/// The struct of one side's tile in shared memory.
fn tile(plan: &Plan, side: Side) -> String {
    let part = plan.sides.get(side);
    let letter = side.letter().to_uppercase();
    let axis = if side == Side::A { "M" } else { "N" };
    let depth = if plan.rings() == 1 { "BLK_K" } else { "WARP_K" };
    let [along_mn, along_k] = [format!("BLK_{axis}"), depth.to_owned()];
    let [rows, cols] =
        if part.tile.k_contiguous { [along_mn, along_k] } else { [along_k, along_mn] };
    let [order, extents] = part.tile.layout.cuda_order(&rows, &cols);
    let operand = cuda_name(&plan.spec.operands[plan.contraction.operand(side)].name);
    let element = plan.contraction.element(side);
    let align = format!("ALIGN_{operand}");
    let copies = Side::BOTH.map(|side| plan.global_to_shared(side));
    format!(
        "// {letter} in shared memory: {order}.\n\
         struct Tile{letter} {{\n    \
         typedef {element} Element;\n    \
         static constexpr int ROWS = {rows}, COLS = {cols};\n    \
         {extents}\n    \
         static constexpr bool K_CONTIGUOUS = {k_contiguous};\n    \
         static constexpr int REGISTERS = ATOMS_{axis} * {letter}_REGISTERS;  // of a k-step\n\
         {copies}\
         {layout}\
         {members}\
         }};\n\
         {copies_fit}",
        k_contiguous = part.tile.k_contiguous,
        copies = part.global_to_shared.cuda_members(&align, copies),
        copies_fit = part.global_to_shared.cuda_proof(&letter, element),
        layout = part.tile.layout.cuda_members(),
        members =
            part.shared_to_register.cuda_members(&part.tile) + &plan.epilogue.cuda_turns(side),
    )
}

fn staging(plan: &Plan, parameters: &Parameters) -> String {
    let epilogue = &plan.epilogue;
    let (rows, cols) = if epilogue.n_contiguous { ("M", "N") } else { ("N", "M") };
    // What is staged at a time: its name, how many a warp has, and its rows.
    let [unit_name, unit_of, units, unit_rows] = match plan.mma.tile {
        None => ["PASS_ATOMS", "atoms of each warp", "ATOMS_{}", "MMA_{}"],
        Some(_) => ["PASS_RUNS", "runs of each lane", "RUNS_{}", "(LANES_{} * RUN_{})"],
    }
    .map(|text| text.replace("{}", rows));
    let [rings, fit] = match plan.rings() {
        1 => ["", "the ring fits"],
        _ => ["WARPS_K * ", "rings fit"],
    };
    let outputs = parameters.outputs();
    let (what, each) = if outputs.len() == 1 { ("output", "") } else { ("outputs", " each") };
    format!(
        "static_assert({rings}STAGES * (TileA::BYTES + TileB::BYTES{barriers}) <= SHARED_BYTES, \"{fit}\");\n\
         \n\
         // The {what}: {rows} rows of {cols} elements{each}, staged {unit_name} {unit_of} at a time.\n\
         {types}\
         constexpr int {unit_name} = {pass_units}, PASSES = {units} / {unit_name};\n\
         constexpr int PASS_ROWS = {unit_name} * {unit_rows}, WARP_ROWS = WARP_{rows};\n\
         constexpr int STAGED_ROWS = WARPS_{rows} * PASS_ROWS, STAGED_COLS = BLK_{cols};\n\
         constexpr int STAGED_PITCH = STAGED_COLS + {padding};  // keeps the banks apart\n\
         constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k\n\
         static_assert(PASSES * {unit_name} == {units}, \"passes tile the warp\");\n\
         static_assert(WARPS_K * STAGED_SUMS * sizeof(Sum) <= SHARED_BYTES, \"the staging fits\");\n",
        barriers = match plan.shared_memory.barrier_bytes {
            0 => String::new(),
            _ => format!(" + {}", tensor::BARRIER_BYTES),
        },
        types = epilogue.cuda_types(&outputs, plan.results()),
        pass_units = epilogue.pass_units,
        padding = epilogue.staged_pitch - epilogue.staged_cols,
    )
}

/// The entry point.
fn kernel(plan: &Plan, parameters: &Parameters, entry: &str) -> String {
    let mut signature = vec!["int m, int n, int k".to_owned()];
    signature.extend(parameters.signature());
    signature.extend(plan.split_k.map(|split_k| split_k.cuda_parameters().to_owned()));
    let [share, tile] = match plan.split_k {
        None => ["", ""],
        Some(split_k) => [split_k.cuda_share(), ", share.tile"],
    };
    let sums = sums(plan, parameters);
    let values = parameters.reads(plan).into_iter().map(|(name, kind)| match kind {
        ParameterKind::Matrix { .. } => format!("{name}, ld_{name}"),
        ParameterKind::DeviceScalar(_) => format!("to_value(*{name})"),
        _ => name,
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let outputs = parameters.outputs().into_iter().map(|(name, _)| format!("{name}, ld_{name}"));
    let outputs = outputs.collect::<Vec<_>>().join(", ");
    // Of several, a struct has the pointers.
    let (several, written) = match parameters.outputs().len() {
        1 => (String::new(), &*outputs),
        _ => (format!("    const Outputs outputs = {{{outputs}}};\n"), "outputs"),
    };
    let place = match plan.contraction.n_contiguous() {
        true => "block.m, block.n, m, n",
        false => "block.n, block.m, n, m",
    };
    let align = Side::BOTH.map(|side| {
        let SidePlan { tile, shared_to_register, .. } = plan.sides.get(side);
        shared_to_register.align(tile)
    });
    let boxes = plan.sides.a.global_to_shared.align();
    let align = align.into_iter().fold(SHARED_ALIGN.max(boxes), u32::max);
    wrap_lines(&format!(
        "// One block an SM is enough to ask for: with no minimum ptxas rather spills a register.\n\
         extern \"C\" __global__ void __launch_bounds__(THREADS, 1) {entry}(\n    {signature}) {{\n    \
         extern __shared__ __align__({align}) unsigned char shared[];\n\
         {share}    \
         const Block block = grid(m, n{tile});\n\
         {matrices}    \
         const Warp warp = warps();\n    \
         Accumulators acc = {{}};\n\
         {sums}    \
         const Values values = {{{values}}};\n\
         {several}    \
         Sum* const staged = reinterpret_cast<Sum*>(shared);\n    \
         epilogue(acc, staged, warp, values, {written}, {place});\n\
         }}\n",
        signature = signature.join(",\n    "),
        matrices = parameters.steps_to_matrices(plan),
    ))
}

/// The kernel's lines from accumulators of zero to the sums of a tile.
fn sums(plan: &Plan, parameters: &Parameters) -> String {
    let [a, b] = Side::BOTH.map(|side| parameters.name(plan.contraction.operand(side)));
    let [before, behind] = plan.pdl.map_or([""; 2], Pdl::around_mainloop);
    let tensors = plan.sides.a.global_to_shared.atom == CopyAtom::Tma;
    let (part, meeting) = match plan.split_k {
        None => ("", ""),
        Some(split_k) => ("    const Part part = part_of(share, k);\n", split_k.cuda_meeting()),
    };
    let mainloop = match (tensors, plan.split_k) {
        (true, None) => format!("mainloop(acc, shared, block, warp, {a}, {b}, 0, k);"),
        (true, Some(_)) => {
            format!("mainloop(acc, shared, block, warp, {a}, {b}, part.from, part.k);")
        }
        (false, None) => {
            format!("mainloop(acc, shared, block, warp, {a}, ld_{a}, {b}, ld_{b}, m, n, k);")
        }
        (false, Some(_)) => format!(
            "mainloop(\n        acc, shared, block, warp,\n        \
             skip<TileA>({a}, ld_{a}, part), ld_{a},\n        \
             skip<TileB>({b}, ld_{b}, part), ld_{b},\n        \
             m, n, part.k);"
        ),
    };
    format!("{part}{before}    {mainloop}\n{behind}{meeting}")
}
