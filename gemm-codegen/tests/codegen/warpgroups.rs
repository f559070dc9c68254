//! Kernels of warpgroups: the tiles, warpgroups and registers that are legal, each at its boundary.

use gemm_codegen::{
    Accumulator, AtomMatrix, Availability, CacheOperator, Element, Feed, Field, Mma, Plan,
    Promotion, Ring, Rule, Schedule, Scheduler, Side, Spec, Target, Walk, emit,
};

use super::shared::{
    Indices, TN, broken, cp_async, extent, help, matrix, operand, output, plan, product, with,
};

/// A product by warpgroups, both factors along K.
fn groups(tile: [u16; 3], grid: [u16; 2]) -> Spec {
    groups_of(product(Element::F16, TN), tile, grid)
}

/// The same of another product.
pub(super) fn groups_of(product: Spec, tile: [u16; 3], grid: [u16; 2]) -> Spec {
    with(product, |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some(tile.map(extent));
        schedule.warpgroups = Some(grid.map(extent));
        schedule.stages = Some(extent(2));
    })
}

#[test]
fn everything_else_is_derived() {
    let spec = with(product(Element::Bf16, TN), |schedule| schedule.mma = Some(Mma::Wgmma(None)));
    let plan = plan(&spec);
    assert_eq!((plan.warps().block, plan.warps().grid), ([128, 256, 64], [2, 1, 1]));
    assert_eq!(plan.targets(), [Target::Sm90a]);
    let roles = plan.roles().expect("a producer and consumers");
    assert_eq!((roles.consumers, roles.registers), (2, Some([24, 240])));
    assert_eq!(*plan.scheduler(), Scheduler::OneTile(None));
    assert_eq!((plan.threads(), plan.warps().threads), (384, 256));
    assert_eq!(emit(&plan).launch.threads, 384);
    assert!(Side::BOTH.iter().all(|side| matches!(plan.feed(*side), Feed::Descriptor(_))));
}

#[test]
fn a_warpgroup_has_whole_atoms_and_at_most_256_columns() {
    let at = |axis| (Rule::AtomsTileWarp, Field::Tile(axis));
    use gemm_codegen::Axis::{M, N};
    assert_eq!(broken(&groups([64, 8, 64], [1, 1])), []);
    assert_eq!(broken(&groups([64, 256, 64], [1, 1])), []);
    assert_eq!(broken(&groups([192, 136, 64], [3, 1])), []);
    assert_eq!(broken(&groups([96, 64, 64], [1, 1])), [at(M)]);
    assert_eq!(broken(&groups([64, 60, 64], [1, 1])), [at(N)]);
    let columns = (Rule::WarpgroupColumns, Field::Tile(N));
    let boxes = (Rule::TensorCopy, Field::Tile(N));
    assert_eq!(broken(&groups([64, 264, 64], [1, 1]))[0], columns);
    assert_eq!(broken(&groups([64, 264, 64], [1, 3])), [boxes], "88 columns each");
    assert_eq!(broken(&groups([64, 64, 32], [1, 1]))[0].0, Rule::TensorCopy, "half a box");
}

#[test]
fn integers_and_singles_lie_along_k() {
    let of = |element, tile, sides| broken(&groups_of(product(element, sides), tile, [1, 1]));
    use gemm_codegen::Axis::N;
    let columns = [(Rule::WarpgroupColumns, Field::Tile(N))];
    for legal in [8, 16, 24, 32, 48, 240, 256] {
        assert_eq!(of(Element::I8, [64, legal, 128], TN), [], "{legal}");
    }
    for illegal in [40, 56, 248] {
        assert_eq!(of(Element::I8, [64, illegal, 128], TN), columns, "{illegal}");
        assert_eq!(of(Element::F32, [64, illegal, 32], TN), [], "{illegal}");
    }
    let [a, [n, k], out] = TN;
    let across = [(Rule::TensorCopy, Field::OperandIndex(1, 1))];
    assert_eq!(of(Element::I8, [64, 64, 128], [a, [k, n], out]), across);
    assert_eq!(of(Element::F32, [64, 64, 32], [a, [k, n], out]), across);
    assert_eq!(of(Element::Bf16, [64, 64, 64], [a, [k, n], out]), []);
}

/// A product of 8-bit floats into f32, by one warpgroup with these columns.
fn float8([a, b]: [Element; 2], columns: u16, [of_a, of_b, out]: [Indices<'_>; 3]) -> Spec {
    let operands = vec![operand("a", matrix(a, of_a)), operand("b", matrix(b, of_b))];
    let outputs = vec![output(Element::F32, out)];
    let spec = Spec { operands, outputs, ..groups([64, columns, 128], [1, 1]) };
    // Promotion takes the registers of another instruction's sums.
    with(spec, |of| of.promote = Some(Promotion::Never))
}

#[test]
fn floats_of_8_bits_mix_and_have_columns_in_steps_of_8() {
    use Element::{E4m3, E5m2};
    for mix @ [a, b] in [[E4m3, E4m3], [E4m3, E5m2], [E5m2, E4m3], [E5m2, E5m2]] {
        for columns in [8, 40, 248, 256] {
            let text = emit(&plan(&float8(mix, columns, TN))).text;
            let opcode = format!("wgmma.mma_async.sync.aligned.m64n{columns}k32.f32.{a}.{b} {{");
            assert!(text.contains(&opcode), "{opcode}");
            assert!(text.contains(", add, 1, 1;"), "neither is negated, none can be transposed");
        }
        assert_eq!(broken(&float8(mix, 264, TN))[0].0, Rule::WarpgroupColumns);
        assert_eq!(broken(&float8(mix, 60, TN))[0].0, Rule::AtomsTileWarp);
    }
}

#[test]
fn floats_of_8_bits_lie_along_k_and_are_summed_in_f32() {
    let mix = [Element::E4m3, Element::E5m2];
    let [[m, k], [n, _], out] = TN;
    let of = |side: Side| vec![(Rule::TensorCopy, Field::OperandIndex(side as usize, 1))];
    assert_eq!(broken(&float8(mix, 64, [[k, m], [n, k], out])), of(Side::A));
    assert_eq!(broken(&float8(mix, 64, [[m, k], [k, n], out])), of(Side::B));
    assert_eq!(broken(&float8(mix, 64, [[m, k], [n, k], [n, m]])), [], "the output in any order");
    let summed = |accumulator| with(float8(mix, 64, TN), |of| of.acc = Some(accumulator));
    assert_eq!(broken(&summed(Accumulator::F32)), []);
    let halves = Plan::new(&summed(Accumulator::F16)).unwrap_err();
    let diagnostic = halves.iter().next().expect("one");
    assert_eq!((diagnostic.rule, diagnostic.at), (Rule::AccumulatorOfAtom, Field::Accumulator));
    assert_eq!(
        diagnostic.message,
        "wgmma of e4m3 and e5m2 has no f16 accumulator: sums in f32 are as fast"
    );
}

/// [`groups`] whose B is stored along N.
fn across(tile: [u16; 3], grid: [u16; 2]) -> Spec {
    let [a, [n, k], out] = TN;
    let operands = product(Element::F16, [a, [k, n], out]).operands;
    Spec { operands, ..groups(tile, grid) }
}

#[test]
fn a_warpgroup_has_whole_panels_of_b() {
    use gemm_codegen::Axis::N;
    assert_eq!(broken(&across([64, 256, 64], [1, 2])), []);
    assert_eq!(broken(&across([64, 192, 64], [1, 3])), []);
    assert_eq!(broken(&groups([64, 192, 64], [1, 2])), [], "rows of B along K");
    let columns = [(Rule::WarpgroupColumns, Field::Tile(N))];
    for (tile, grid) in [([64, 192, 64], [1, 2]), ([64, 64, 64], [1, 2]), ([64, 384, 64], [1, 3])] {
        let legal = tile[1] % (64 * grid[1]) == 0;
        assert_eq!(broken(&across(tile, grid)), if legal { &[][..] } else { &columns }, "{tile:?}");
    }
    let help = help(&across([64, 192, 64], [1, 2]));
    assert_eq!(help, "use BLK_N = 128 or 256 for 2 warpgroups along N");
}

#[test]
fn one_to_three_warpgroups_multiply() {
    for (tile, grid) in [([64, 64, 64], [1, 1]), ([128, 64, 64], [2, 1]), ([64, 192, 64], [1, 3])] {
        assert_eq!(broken(&groups(tile, grid)), [], "{grid:?}");
    }
    let [m, n] = [gemm_codegen::Axis::M, gemm_codegen::Axis::N].map(Field::Warpgroups);
    assert_eq!(broken(&groups([256, 64, 64], [4, 1])), [(Rule::WarpgroupsOfBlock, m)]);
    assert_eq!(broken(&groups([128, 64, 64], [2, 2])), [(Rule::WarpgroupsOfBlock, n)]);
}

#[test]
fn the_sums_fit_what_setmaxnreg_gives_a_consumer() {
    // Of two warpgroups 240 registers a thread, of three 160; 28 are for addresses.
    let fits = |tile, grid| broken(&groups(tile, grid)).is_empty();
    assert!(fits([256, 208, 64], [2, 1]) && !fits([256, 216, 64], [2, 1]), "208 + 28");
    let fits_across = |tile| broken(&across(tile, [1, 3])).is_empty();
    assert!(
        fits_across([128, 384, 64]) && !fits_across([128, 576, 64]),
        "128 + 28, 192 + 28 > 160"
    );
    assert!(fits([192, 200, 64], [3, 1]) && !fits([192, 208, 64], [3, 1]), "104 + 26 > 128");
    assert!(fits([128, 256, 64], [2, 1]), "128 + 26 < 168");
    let registers = *plan(&groups([192, 200, 64], [3, 1])).registers();
    assert_eq!((registers.accumulators, registers.limit), (100, 160));
}

#[test]
fn who_executes_an_atom_shares_the_tile() {
    let of_warps = |schedule: &mut Schedule| schedule.warps = Some([2, 1, 1].map(extent));
    let axis = gemm_codegen::Axis::M;
    let spec = with(groups([128, 64, 64], [2, 1]), of_warps);
    assert_eq!(broken(&spec), [(Rule::WarpsOfAtom, Field::Warps(axis))]);
    let spec = with(groups([128, 64, 64], [2, 1]), |schedule| schedule.mma = Some(Mma::M16n8k16));
    assert!(broken(&spec).contains(&(Rule::WarpsOfAtom, Field::Warpgroups(axis))));
}

#[test]
fn what_blocks_of_warpgroups_cannot_do_is_refused() {
    let base = || groups([128, 64, 64], [2, 1]);
    let copied = with(base(), |schedule| schedule.copy.a = cp_async(16, CacheOperator::Cg));
    let rules: Vec<Rule> = broken(&copied).into_iter().map(|(rule, _)| rule).collect();
    assert!(rules.contains(&Rule::WarpgroupCopies), "{rules:?}");
    let on = |target| with(base(), |schedule| schedule.targets = Some(vec![target]));
    assert_eq!(broken(&on(Target::Sm90a)), []);
    assert_eq!(broken(&on(Target::Sm90)), [(Rule::AtomOnTarget, Field::Target(0))]);
    assert_eq!(broken(&on(Target::Sm100)), [(Rule::AtomOnTarget, Field::Target(0))]);
    assert!(Availability::Only(Target::Sm90a).includes(Target::Sm90a));
}

#[test]
fn the_copy_unit_stores_tiles_that_begin_at_16_bytes() {
    let stored = |element, columns| {
        let mut spec = groups([64, columns, 64], [1, 1]);
        spec.outputs[0].element = element;
        let parameters = emit(&plan(&spec)).parameters;
        parameters.last().expect("an output").epilogue_box.is_some()
    };
    for (element, legal, other) in [(Element::I8, 144, 136), (Element::E4m3, 128, 120)] {
        assert!(stored(element, legal) && !stored(element, other), "{element}");
    }
    assert!([64, 72, 136, 248].into_iter().all(|columns| stored(Element::F16, columns)));
}

#[test]
fn a_block_waits_for_its_predecessor_before_it_parts() {
    for pdl in [None, Some(Vec::new())] {
        let spec = with(groups([128, 64, 64], [2, 1]), |schedule| schedule.pdl = pdl.clone());
        let text = emit(&plan(&spec)).text;
        let entry = text.find("__global__").expect("an entry point");
        let at = |what: &str| entry + text[entry..].find(what).unwrap_or_else(|| panic!("{what}"));
        assert!(at("wait_for_predecessor();") < at("started = start("));
        assert_eq!(text.contains("launch_dependents();"), pdl.is_some());
    }
}

#[test]
fn a_ring_has_two_stages_or_more() {
    let deep = |stages| with(groups([64, 64, 64], [1, 1]), |s| s.stages = Some(extent(stages)));
    assert_eq!(plan(&deep(2)).ring(), Ring { stages: 2, rings: 1 });
    assert_eq!(broken(&deep(1)), [(Rule::PipelineDepth, Field::Stages)]);
    assert!(Plan::new(&deep(13)).is_ok() && Plan::new(&deep(15)).is_err(), "16 KB each");
}

#[test]
fn sums_lie_as_those_of_16_rows_and_8_columns() {
    for (element, k) in [(Element::F16, 64), (Element::F32, 32), (Element::I8, 128)] {
        let mma = *plan(&groups_of(product(element, TN), [64, 64, k], [1, 1])).mma();
        assert_eq!(mma.shape(), [64, 64, u32::from(k) / 4], "{element}");
        let maps = AtomMatrix::ALL.map(|matrix| mma.fragment(matrix));
        assert_eq!([maps[2].rows(), maps[2].columns(), maps[2].registers()], [16, 8, 4]);
    }
}

#[test]
fn blocks_that_walk_consist_of_warpgroups() {
    let walking = |spec, walk| with(spec, |schedule| schedule.walk = Some(walk));
    let of = |tile, grid, walk| broken(&walking(groups(tile, grid), walk));
    for walk in Walk::ALL {
        let warps = walking(product(Element::F16, TN), walk);
        assert_eq!(broken(&warps), [(Rule::WalkOfWarpgroups, Field::Walk)]);
        assert_eq!(of([64, 128, 64], [1, 1], walk), []);
    }
    let at = Field::Warpgroups(gemm_codegen::Axis::M);
    assert_eq!(of([128, 128, 64], [2, 1], Walk::Cooperative), []);
    assert_eq!(of([128, 128, 64], [2, 1], Walk::Pingpong), [(Rule::PingpongWarpgroups, at)]);
    let plan = plan(&walking(groups([128, 128, 64], [1, 1]), Walk::Pingpong));
    assert_eq!((plan.threads(), plan.scheduler().walk()), (384, Some(Walk::Pingpong)));
}

#[test]
fn what_is_staged_lies_beside_a_ring_that_is_filled_meanwhile() {
    // Stages of 48 KiB and 16 B of barriers, and two epilogue tiles of 8 KiB for each warpgroup.
    let of = |stages: u16, walk| {
        with(groups([128, 256, 64], [2, 1]), |schedule| {
            schedule.stages = Some(extent(stages));
            schedule.walk = walk;
        })
    };
    let bytes = |walk| plan(&of(4, walk)).shared_memory().bytes();
    assert_eq!(bytes(None), 4 * (49_152 + 16));
    assert_eq!(bytes(Some(Walk::Cooperative)), 4 * (49_152 + 16) + 4 * 8192);
    let narrow = |stages: u16, walk| {
        with(groups([128, 8, 64], [2, 1]), |schedule| {
            schedule.stages = Some(extent(stages));
            schedule.walk = walk;
        })
    };
    // 17,408 B and 16 B a stage, of 232,448 B: 13 stages, or 11 beside 32 KiB.
    let is_legal = |stages, walk| broken(&narrow(stages, walk)).is_empty();
    assert!(is_legal(13, None) && !is_legal(14, None));
    let walk = Some(Walk::Cooperative);
    assert!(is_legal(11, walk) && !is_legal(12, walk));
}

#[test]
fn the_sums_leave_room_for_what_a_walk_keeps() {
    let fits = |tile, walk| {
        broken(&with(groups(tile, [1, 1]), |schedule| schedule.walk = Some(walk))).is_empty()
    };
    // Of one warpgroup and its producer 255 registers a thread, of two 240; 40 are for addresses.
    assert!(fits([192, 136, 64], Walk::Cooperative) && !fits([192, 144, 64], Walk::Cooperative));
    assert!(fits([128, 200, 64], Walk::Pingpong) && !fits([128, 208, 64], Walk::Pingpong));
}
