//! Candidates of integer weights.

use super::*;
use crate::form::Form;
use crate::spec::Operand;

/// bf16 tokens by weights of such integers with a scale for each 128 of K.
fn weights(element: Element) -> Spec {
    let mut spec = samples::product(Element::Bf16, "matmul(x, w * s)");
    let indices = || ["N", "K"].map(str::to_owned);
    spec.operands[1].kind = OperandKind::Matrix { element, indices: indices() };
    let scales =
        OperandKind::Tiled { element: Element::Bf16, indices: indices(), extents: [1, 128] };
    spec.operands.push(Operand { name: "s".to_owned(), batch: Vec::new(), kind: scales });
    spec
}

#[test]
fn warpgroups_multiply_weights_by_more_than_a_few_tokens_where_there_are_some() {
    for element in [Element::I4x2, Element::I4x32, Element::I8, Element::I8x16] {
        let all = candidates(&weights(element)).unwrap();
        for m in [1, 8, 64, 128, 512, 2048] {
            let of = |machine| chosen(&all, [m, 4096, 4096], machine);
            let on_h200 = of(&H200);
            let by_groups = on_h200.plan.form() == Form::Groups;
            assert_eq!(by_groups, m > 8, "{element} {m}: {}", on_h200.id);
            assert!(on_h200.swapped, "{element} {m}: {}", on_h200.id);
            assert!(matches!(of(&A100).plan.form(), Form::Warps(_)), "{element} {m}");
        }
    }
}

/// As measured on an H200: 17.4 and 54.0 µs by warpgroups, 19.6 and 61.6 by warps; packed, warps are faster.
#[test]
fn warps_are_slower_at_weights_of_4_bits_that_are_not_packed() {
    for [n, k] in [[14336, 4096], [8192, 28672]] {
        let of = |element| {
            let all = candidates(&weights(element)).unwrap();
            let best = chosen(&all, [16, n, k], &H200);
            (best.plan.form() == Form::Groups, best.id.clone())
        };
        let [plain, packed] = [of(Element::I4x2), of(Element::I4x32)];
        assert!(plain.0 && !packed.0, "{plain:?} {packed:?}");
    }
}

/// The fastest of all that were timed on an H200, or as fast within 1 %.
#[test]
fn the_fastest_of_few_tokens_is_chosen_for_packed_weights() {
    let of_128 = candidates(&weights(Element::I4x32)).unwrap();
    let of_32 = candidates(&blocks()).unwrap();
    for (all, shape, fastest) in [
        (&of_128, [1, 4096, 4096], "32x8x512B-2x1x4-4-stream-swap"),
        (&of_128, [16, 4096, 4096], "32x16x512B-2x1x4-4-stream-swap"),
        (&of_128, [1, 14336, 4096], "64x8x128B-4x1x1-6-stream-swap"),
        (&of_128, [16, 14336, 4096], "128x16x128B-8x1x1-6-stream-swap"),
        (&of_128, [1, 8192, 28672], "32x8x512B-2x1x4-4-stream-swap"),
        (&of_128, [16, 8192, 28672], "128x16x256B-4x1x2-4-split2-stream-swap"),
        (&of_32, [1, 4096, 4096], "32x8x512B-2x1x4-4-stream-swap"),
        (&of_32, [16, 4096, 4096], "32x16x512B-2x1x4-3-stream-swap"),
        (&of_32, [1, 14336, 4096], "32x8x256B-2x1x2-4-stream-swap"),
        (&of_32, [16, 14336, 4096], "128x16x256B-4x1x2-3-stream-swap"),
        (&of_32, [1, 8192, 28672], "32x8x512B-2x1x4-4-stream-swap"),
        (&of_32, [16, 8192, 28672], "128x16x256B-4x1x2-4-split2-stream-swap"),
    ] {
        assert_eq!(chosen(all, shape, &H200).id, fastest, "{shape:?}");
    }
}

/// bf16 tokens by packed weights of 4 bits with a scale and an offset for each 32 of K.
fn blocks() -> Spec {
    let mut spec = weights(Element::U4x32);
    spec.body = samples::product(Element::Bf16, "matmul(x, w * s + c)").body;
    let indices = || ["N", "K"].map(str::to_owned);
    let kind =
        || OperandKind::Tiled { element: Element::F32, indices: indices(), extents: [1, 32] };
    spec.operands[2].kind = kind();
    spec.operands.push(Operand { name: "c".to_owned(), batch: Vec::new(), kind: kind() });
    spec
}

#[test]
fn a_footprint_has_the_bytes_of_scales_and_offsets() {
    let of = |spec: &Spec| {
        let all = candidates(spec).unwrap();
        let swapped = all.iter().find(|one| one.id == "32x8x512B-2x1x4-4-stream-swap").unwrap();
        let footprint = crate::emit(&swapped.plan).footprint;
        (footprint.scale_bytes, footprint.scaled)
    };
    assert_eq!(of(&weights(Element::I4x32)), ([1024 / 128 * 2, 0], [1, 128]));
    assert_eq!(of(&blocks()), ([1024 / 32 * 8, 0], [2, 32]));
}

#[test]
fn each_preset_of_conversions_is_legal_for_some_weights() {
    let of = |element| candidates(&weights(element)).unwrap();
    let ids: Vec<String> =
        [Element::I4x2, Element::I8].into_iter().flat_map(of).map(|one| one.id).collect();
    for preset in &CONVERTED {
        assert!(ids.contains(&preset.to_string()), "{preset}");
    }
}

#[test]
fn no_candidate_of_warpgroups_is_deeper_than_its_boxes() {
    for candidate in candidates(&weights(Element::I4x2)).unwrap() {
        let is_deep = candidate.plan.form() == Form::Groups && candidate.plan.block()[2] > 128;
        assert!(!is_deep, "{}", candidate.id);
    }
}

/// The gate and the projection of SwiGLU by such weights, each with scales of its own.
fn gated(element: Element) -> Spec {
    let mut spec = weights(element);
    spec.body = samples::product(Element::Bf16, "silu(matmul(x, w * s)) * matmul(x, u * t)").body;
    for (operand, name) in [(1, "u"), (2, "t")] {
        let like = spec.operands[operand].clone();
        spec.operands.push(Operand { name: name.to_owned(), ..like });
    }
    spec
}

#[test]
fn warps_multiply_two_products_of_weights_by_few_tokens() {
    for element in [Element::I4x2, Element::I4x32, Element::I8, Element::I8x16] {
        let all = candidates(&gated(element)).unwrap();
        for m in [1, 8, 16, 64, 512] {
            let best = chosen(&all, [m, 4096, 4096], &H200);
            assert!(matches!(best.plan.form(), Form::Warps(_)), "{element} {m}: {}", best.id);
            let is_narrow = best.plan.block()[0] == 16;
            assert_eq!(is_narrow, m <= 16, "{element} {m}: {}", best.id);
        }
    }
}

#[test]
fn weights_that_are_loaded_early_have_all_candidates() {
    let ids = |spec: &Spec| -> Vec<String> {
        candidates(spec).unwrap().into_iter().map(|candidate| candidate.id).collect()
    };
    for element in [Element::I4x2, Element::I4x32, Element::I8, Element::I8x16] {
        let mut spec = weights(element);
        let all = ids(&spec);
        spec.schedule.pdl = Some(["w", "s"].map(str::to_owned).to_vec());
        assert_eq!(ids(&spec), all, "{element}");
    }
}
