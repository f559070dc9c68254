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
