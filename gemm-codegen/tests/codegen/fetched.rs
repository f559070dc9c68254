//! Which matrices that the body reads are fetched by tensor copies, in kernels of warpgroups.

use gemm_codegen::body::{BinaryOp, Node};
use gemm_codegen::{
    Element, Epilogue, Fetched, Mma, Operand, Plan, Spec, Splits, Staging, Walk, emit,
};

use crate::shared::{F16, Indices, combined, extent, matrix, operand, plan, tn, with};

const OF_OUT: Indices<'_> = ["M", "N"];

fn staging(plan: &Plan) -> Staging {
    match plan.epilogue() {
        Epilogue::Groups(groups) => groups.staging,
        Epilogue::Block(_) => panic!("warpgroups stage by themselves"),
    }
}

/// A sum with these matrices, in blocks of such a tile, stages and walk.
fn sum(
    matrices: &[(Element, Indices<'_>)],
    tile: [u16; 3],
    stages: u16,
    walk: Option<Walk>,
) -> Spec {
    let named = ["first", "second", "third"].into_iter().zip(matrices);
    let spec = named.fold(tn(), |spec, (name, (element, indices))| {
        combined(spec, BinaryOp::Add, operand(name, matrix(*element, *indices)))
    });
    with(spec, |schedule| {
        (schedule.mma, schedule.walk) = (Some(Mma::Wgmma(None)), walk);
        schedule.tile = Some(tile.map(extent));
        schedule.stages = Some(extent(stages));
    })
}

fn staging_of(spec: &Spec) -> Staging {
    staging(&plan(spec))
}

fn fetched(matrices: u32, stages: u32) -> Staging {
    Staging::Fetched(Fetched { matrices, stages })
}

#[test]
fn matrices_are_fetched_that_lie_as_the_output_does() {
    let of = |matrices: &[_]| staging_of(&sum(matrices, [64, 192, 64], 2, None));
    assert_eq!(of(&[]), Staging::Results);
    assert_eq!(of(&[(F16, OF_OUT)]), fetched(1, 3));
    assert_eq!(of(&[(F16, OF_OUT), (Element::Bf16, OF_OUT)]), fetched(2, 3));
    assert_eq!(of(&[(F16, ["N", "M"])]), Staging::Sums, "along M");
    assert_eq!(of(&[(Element::F32, OF_OUT)]), Staging::Sums, "of 4 bytes");
    assert_eq!(of(&[(F16, OF_OUT), (F16, ["N", "M"])]), Staging::Sums, "one of two");
}

#[test]
fn a_tile_has_an_epilogue_tile_or_more() {
    let of = |columns| staging_of(&sum(&[(F16, OF_OUT)], [64, columns, 64], 2, None));
    assert_eq!([8, 56].map(of), [Staging::Sums; 2]);
    assert_eq!([64, 72, 128].map(of), [fetched(1, 2); 3]);
    assert_eq!([136, 256].map(of), [fetched(1, 3); 2]);
}

#[test]
fn epilogue_tiles_have_room_besides_the_ring() {
    // Stages of 48 KiB and their barriers: of 227 KiB, four leave 35,776 bytes, three 84,944.
    let of = |matrices: usize, stages, walk| {
        staging_of(&sum(&[(F16, OF_OUT); 3][..matrices], [128, 256, 64], stages, walk))
    };
    for walk in [None, Some(Walk::Cooperative)] {
        assert_eq!(of(1, 4, walk), fetched(1, 2), "2 of 16 KiB and 64 B");
        assert_eq!(of(2, 4, walk), Staging::Sums, "2 of 32 KiB");
        assert_eq!(of(1, 3, walk), fetched(1, 3));
        assert_eq!(of(2, 3, walk), fetched(2, 2), "2 of 32 KiB, but not 3");
        assert_eq!(of(3, 3, walk), Staging::Sums, "2 of 48 KiB");
    }
}

#[test]
fn the_output_is_fetched_where_its_old_elements_are_read() {
    let spec = |columns| {
        let mut spec = sum(&[], [64, columns, 64], 2, Some(Walk::Pingpong));
        spec.outputs[0].in_place = Some("c".to_owned());
        let old = spec.body.push(Node::Deref("c".to_owned()));
        spec.body.root = spec.body.push(Node::Binary(BinaryOp::Add, spec.body.root, old));
        spec
    };
    assert_eq!(staging_of(&spec(64)), fetched(1, 2));
    assert_eq!(staging_of(&spec(72)), Staging::Sums, "8 columns would be computed twice");
    let text = emit(&plan(&spec(128))).text;
    assert!(text.contains("    const TensorMap &out;\n"));
    assert!(text.contains("const Maps maps = {map_out};"));
}

#[test]
fn several_outputs_and_parts_of_columns_are_staged_as_sums() {
    let spec = sum(&[(F16, OF_OUT)], [64, 128, 64], 2, None);
    let split = with(spec, |schedule| schedule.split_k = Some(Splits::Every(extent(2))));
    assert_eq!(staging_of(&split), Staging::Sums);
}

#[test]
fn matrices_of_a_batch_and_others_have_their_own_maps() {
    let batch = vec!["B".to_owned()];
    let mut spec = sum(&[(F16, OF_OUT), (F16, OF_OUT)], [64, 64, 64], 2, Some(Walk::Cooperative));
    let batched = |operand: &mut Operand| operand.batch = batch.clone();
    spec.operands.iter_mut().take(3).for_each(batched);
    spec.outputs[0].batch = batch.clone();
    let text = emit(&plan(&spec)).text;
    for line in [
        "global_to_tile(first, stage, matrix, row, col, barrier);",
        "global_to_tile(second, stage + EPILOGUE_TILE * sizeof(Staged), row, col, barrier);",
        "maps, block.batch, block.m + warpgroup.m,\n                    block.n + warpgroup.n);",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
