//! `mma = m64nNkK`: the instruction of warpgroups, named outright.

use gemm_codegen::{Element, Field, Mma, Rule, Spec, Target, WgmmaShape, emit};

use super::shared::{TN, broken, extent, help, message, on, plan, product, with};

/// A product by the instruction of this name, everything else derived.
fn named(element: Element, name: &str) -> Spec {
    let shape = WgmmaShape::named(name).expect(name);
    with(product(element, TN), |schedule| schedule.mma = Some(Mma::Wgmma(Some(shape))))
}

/// The same of f16, with this tile and these warpgroups.
fn tiled(name: &str, tile: [u16; 3], groups: [u16; 2]) -> Spec {
    with(named(Element::F16, name), |schedule| {
        schedule.tile = Some(tile.map(extent));
        schedule.warpgroups = Some(groups.map(extent));
        schedule.stages = Some(extent(2));
    })
}

#[test]
fn a_name_is_that_of_an_instruction() {
    for name in ["m64n256k16", "m64n8k32", "m64n7k3"] {
        assert_eq!(WgmmaShape::named(name).map(|shape| shape.to_string()).as_deref(), Some(name));
    }
    for name in ["m64n256", "m64nk16", "m64n0k16", "m64n016k16", "m32n8k16", "m64n8k16x"] {
        assert_eq!(WgmmaShape::named(name), None, "{name}");
    }
}

#[test]
fn n_and_k_are_those_of_the_tile_and_of_the_elements() {
    let shape = [(Rule::WgmmaShape, Field::Mma)];
    let of = |name, tile, groups| broken(&tiled(name, tile, groups));
    assert_eq!(of("m64n256k16", [128, 256, 64], [2, 1]), []);
    assert_eq!(of("m64n128k16", [128, 256, 64], [1, 2]), []);
    for other in ["m64n248k16", "m64n264k16", "m64n128k16", "m64n256k8", "m64n256k32"] {
        assert_eq!(of(other, [128, 256, 64], [2, 1]), shape, "{other}");
    }
    for (element, k) in
        [(Element::F16, 16), (Element::Bf16, 16), (Element::F32, 8), (Element::I8, 32)]
    {
        for written in [8, 16, 32] {
            let broken = broken(&named(element, &format!("m64n256k{written}")));
            assert_eq!(broken, if written == k { &[][..] } else { &shape }, "{element} {written}");
        }
    }
}

#[test]
fn a_disagreement_has_both_numbers_and_the_right_name() {
    let both = tiled("m64n128k8", [128, 256, 64], [2, 1]);
    assert_eq!(
        message(&both),
        "m64n128k8 has N = 128, but a warpgroup has 256 columns, and K = 8, but wgmma of f16 has \
         K = 16"
    );
    assert_eq!(help(&both), "write `mma = m64n256k16`, or `mma = wgmma`");
}

#[test]
fn columns_that_do_not_exist_are_not_compared() {
    let parts = tiled("m64n64k16", [128, 200, 64], [1, 3]);
    assert!(broken(&parts).iter().all(|(rule, _)| *rule != Rule::WgmmaShape));
    assert!(!broken(&parts).is_empty());
}

#[test]
fn tile_and_warpgroups_follow_from_the_name() {
    let derived = |spec: &Spec| (plan(spec).warps().block, plan(spec).warps().grid);
    assert_eq!(derived(&named(Element::F16, "m64n192k16")), ([128, 192, 64], [2, 1, 1]));
    let groups =
        |name| with(tiled(name, [128, 256, 64], [1, 1]), |schedule| schedule.warpgroups = None);
    assert_eq!(derived(&groups("m64n256k16")), ([128, 256, 64], [2, 1, 1]));
    assert_eq!(derived(&groups("m64n128k16")), ([128, 256, 64], [1, 2, 1]));
    let along_n = with(named(Element::F16, "m64n64k16"), |schedule| {
        schedule.warpgroups = Some([1, 3].map(extent));
    });
    assert_eq!(derived(&along_n), ([128, 192, 64], [1, 3, 1]));
}

#[test]
fn a_name_changes_no_text() {
    let outright = tiled("m64n128k16", [128, 128, 64], [2, 1]);
    let short = with(outright.clone(), |schedule| schedule.mma = Some(Mma::Wgmma(None)));
    assert_eq!(emit(&plan(&outright)), emit(&plan(&short)));
}

#[test]
fn a_target_without_the_instruction_is_refused_once() {
    let wrong = |targets: &[Target]| broken(&on(named(Element::F16, "m64n256k16"), targets));
    let atom = |number| (Rule::AtomOnTarget, Field::Target(number));
    assert_eq!(wrong(&[Target::Sm90a]), []);
    // Another copy would be no help: wgmma reads what tensor copies bring.
    assert_eq!(wrong(&[Target::Sm80]), [atom(0)]);
    assert_eq!(wrong(&[Target::Sm80, Target::Sm90a, Target::Sm100]), [atom(0), atom(2)]);
    let by_warps = with(product(Element::F16, TN), |schedule| {
        schedule.copy = gemm_codegen::PerSide::both(Some(gemm_codegen::CopyAtom::TMA));
    });
    let copies = [(Rule::CopyOnTarget, Field::Target(0))];
    assert_eq!(broken(&on(by_warps, &[Target::Sm80, Target::Sm90])), copies);
}
