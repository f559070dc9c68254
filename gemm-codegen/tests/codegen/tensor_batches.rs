//! Batches with tensor copies: which maps have the matrices as a third dimension, and where blocks
//! find the matrix of a tile.

use gemm_codegen::abi::{Count, Word};
use gemm_codegen::auto::candidates;
use gemm_codegen::body::BinaryOp;
use gemm_codegen::{Element, Field, Kernel, Mma, Operand, OperandKind, Rule, Schedule, Spec, Walk};

use super::shared::{
    F16, TN, broken, combined, contains_all, extent, kernel, operand, product, tiled, with,
};
use super::tensor_copies::derived;

const MATRICES: Word = Word::Count(Count::Matrices);

/// The same with batches of the output and of these factors.
fn batched(mut spec: Spec, factors: [bool; 2]) -> Spec {
    for (operand, is_batch) in spec.operands.iter_mut().zip(factors) {
        operand.batch = is_batch.then(|| "B".to_owned()).into_iter().collect();
    }
    spec.outputs[0].batch = vec!["B".to_owned()];
    spec
}

/// A product by warpgroups whose body adds a vector for each matrix.
fn of_groups(factors: [bool; 2], change: impl FnOnce(&mut Schedule)) -> Kernel {
    let bias = OperandKind::Vector { element: Element::F32, index: "N".to_owned() };
    let bias = Operand { batch: vec!["B".to_owned()], ..operand("bias", bias) };
    let spec = combined(batched(product(F16, TN), factors), BinaryOp::Add, bias);
    kernel(&with(spec, |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some([128, 128, 64].map(extent));
        change(schedule);
    }))
}

/// How often a text has a word.
fn count(kernel: &Kernel, word: &str) -> usize {
    kernel.text.matches(word).count()
}

#[test]
fn the_map_of_a_batch_has_a_coordinate_for_its_matrix() {
    let of_a = ["{k0, block.m};", "{k0, block.m, block.batch};"];
    let of_b = ["{k0, block.n};", "{k0, block.n, block.batch};"];
    for factors in [[true, true], [true, false], [false, true]] {
        let kernel = kernel(&batched(tiled(derived(F16), [64, 64, 64], [2, 2]), factors));
        let boxes = [of_a[usize::from(factors[0])], of_b[usize::from(factors[1])]];
        contains_all(&kernel.text, &boxes);
        let flat = usize::from(factors.contains(&false));
        let ranks = ["cp.async.bulk.tensor.2d", "cp.async.bulk.tensor.3d"];
        assert_eq!(ranks.map(|rank| count(&kernel, rank)), [flat, 1], "{factors:?}");
        let maps: Vec<bool> = kernel.parameters.iter().map(|one| one.batch.is_batched()).collect();
        assert_eq!(maps, [factors[0], factors[1], true]);
        assert_eq!(count(&kernel, "long long stride_"), 1, "a map knows its distances");
        assert_eq!(count(&kernel, "    out += block.batch * stride_out;\n"), 1);
        assert!(!kernel.abi.has(MATRICES));
    }
}

#[test]
fn the_map_of_two_indices_has_a_coordinate_for_each() {
    let two = |spec: Spec, of_a: &[&str], of_b: &[&str]| {
        let mut spec = spec;
        let indices = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        spec.operands[0].batch = indices(of_a);
        spec.operands[1].batch = indices(of_b);
        spec.outputs[0].batch = indices(&["B", "H"]);
        spec
    };
    let plain = two(tiled(derived(F16), [64, 64, 64], [2, 2]), &["B", "H"], &[]);
    let of_warps = kernel(&plain);
    let ranks = ["cp.async.bulk.tensor.2d", "cp.async.bulk.tensor.3d", "cp.async.bulk.tensor.4d"];
    assert_eq!(ranks.map(|rank| count(&of_warps, rank)), [1, 0, 1]);
    for walk in Walk::ALL {
        let spec = two(product(F16, TN), &["B", "H"], &["H"]);
        let kernel = kernel(&with(spec, |schedule| {
            schedule.mma = Some(Mma::Wgmma(None));
            schedule.walk = Some(walk);
        }));
        assert!(kernel.abi.has(MATRICES) && kernel.abi.has(Word::Count(Count::Values(1))));
        let lines = [
            "struct BatchBox { int col, row; Matrix matrix; };",
            "{k0, block.m, block.batch};",
            ",\n    int count_1,\n    int matrices) {\n",
            "    Tiles tiles(m, n, {count_1}, matrices);\n",
            "raster(m, n, counts, int(tile))",
        ];
        contains_all(&kernel.text, &lines);
        assert_eq!(ranks.map(|rank| count(&kernel, rank)), [0, 0, 2], "copies and stores");
    }
}

/// With batches over as many of these indices of both factors.
fn over(mut spec: Spec, rank: usize) -> Spec {
    let indices: Vec<String> =
        ["B", "H", "G", "F"][..rank].iter().map(|i| (*i).to_owned()).collect();
    spec.operands.iter_mut().for_each(|operand| operand.batch.clone_from(&indices));
    spec.outputs[0].batch = indices;
    spec
}

#[test]
fn a_tensor_copy_has_coordinates_for_three_indices() {
    let of_warps = || tiled(derived(F16), [64, 64, 64], [2, 2]);
    let of_groups = || with(product(F16, TN), |schedule| schedule.mma = Some(Mma::Wgmma(None)));
    for spec in [of_warps(), of_groups()] {
        let three = kernel(&over(spec.clone(), 3));
        contains_all(
            &three.text,
            &[
                "return {number / i2 / i1, number / i2 % i1, number % i2};",
                "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];",
                "\"r\"(box.matrix.i2)",
            ],
        );
        assert_eq!(broken(&over(spec, 4)), [(Rule::TensorCopy, Field::OutputBatch(0))]);
    }
    let four = kernel(&over(product(F16, TN), 4));
    contains_all(
        &four.text,
        &["long long stride_3_a,\n", "    int count_1,\n    int count_2,\n    int count_3) {\n"],
    );
}

#[test]
fn candidates_of_four_indices_copy_no_tensors() {
    let tensors = |rank: usize| {
        let all = candidates(&over(product(F16, TN), rank)).expect("the derived schedule is legal");
        assert!(all.len() > 1, "{rank}");
        all.iter().filter(|one| one.plan.tensor_box(0).is_some()).count()
    };
    assert_eq!([tensors(3) > 0, tensors(4) > 0], [true, false]);
}

#[test]
fn blocks_that_walk_count_the_tiles_of_all_matrices() {
    for walk in Walk::ALL {
        let walks = |schedule: &mut Schedule| {
            schedule.walk = Some(walk);
            schedule.tile = None;
        };
        let walked = of_groups([true, true], walks);
        assert!(walked.abi.has(MATRICES));
        let lines = [
            ",\n    int matrices) {\n",
            "    Tiles tiles(m, n, matrices);\n",
            "        const Values values = {bias + block.batch * stride_bias};\n",
            "        const Outputs outputs = {out + block.batch * stride_out, ld_out};\n",
            "values, outputs, map_out, block.batch,",
        ];
        contains_all(&walked.text, &lines);
        assert_eq!(count(&walked, "+= block.batch"), 0);
    }
    let one_tile = of_groups([true, true], |_| ());
    assert!(!one_tile.abi.has(MATRICES));
    assert_eq!(count(&one_tile, "int matrices"), 0);
    contains_all(&one_tile.text, &["    bias += block.batch * stride_bias;\n"]);
    let one_matrix = kernel(&with(product(F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.walk = Some(Walk::Cooperative);
    }));
    assert!(!one_matrix.abi.has(MATRICES));
    assert_eq!([count(&one_matrix, "matrices"), count(&one_matrix, "batch")], [0; 2]);
}

#[test]
fn the_blocks_of_a_cluster_share_a_batch_or_a_matrix_for_all() {
    for (factors, extents) in
        [[true, true], [true, false], [false, true]].into_iter().zip([[2, 1], [2, 1], [1, 2]])
    {
        let kernel = of_groups(factors, |schedule| schedule.cluster = Some(extents.map(extent)));
        let shared = factors[usize::from(extents == [2, 1])];
        let [flat, deep] = ["2d", "3d"].map(|rank| {
            let copy = format!("tensor.{rank}.shared::cluster.global");
            let bytes = ".mbarrier::complete_tx::bytes\"\n";
            kernel.text.contains(&format!("{copy}{bytes}"))
        });
        assert_eq!([flat, deep], [!shared, shared], "{factors:?} {extents:?}");
        assert_eq!(count(&kernel, "void multicast_box("), 1, "one, for maps of one rank");
    }
}

#[test]
fn a_cluster_that_shares_both_sides_multicasts_boxes_of_each_rank() {
    for (factors, ranks) in [([true, true], 1), ([true, false], 2), ([false, true], 2)] {
        let kernel = of_groups(factors, |schedule| schedule.cluster = Some([2, 2].map(extent)));
        assert_eq!(count(&kernel, "void multicast_box("), ranks, "{factors:?}");
        assert_eq!(count(&kernel, "void copy_box("), 0, "{factors:?}");
    }
}

#[test]
fn the_copy_unit_stores_to_the_matrix_of_the_tile() {
    let kernel = of_groups([true, false], |_| ());
    let lines = [
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];",
        "shared_to_global(map, of_pass, matrix, tile.row, tile.col);",
        "    f16* out, long long ld_out, long long stride_out,\n    \
         const __grid_constant__ TensorMap map_out) {\n",
    ];
    contains_all(&kernel.text, &lines);
    assert_eq!(count(&kernel, "tensor.2d.global"), 0);
}
