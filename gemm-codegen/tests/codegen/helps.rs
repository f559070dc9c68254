//! A value that a help names does not break the rule that gave the help.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use gemm_codegen::{Axis, Diagnostic, Element, Field, Mma, Plan, Rule, Spec, Swizzle};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::any_spec::spec;
use super::lanes;
use super::shared::{TN, fma};

/// The numbers after `before` in a text, one or a list in brackets or with `or`.
fn numbers(text: &str, before: &str) -> Option<Vec<u32>> {
    let rest = text.split_once(before)?.1;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || ", or".contains(c)));
    let words = rest[..end.unwrap_or(rest.len())].split(|c: char| !c.is_ascii_digit());
    words.filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

fn extent(number: u32) -> NonZeroU16 {
    let written = u16::try_from(number).ok().and_then(NonZeroU16::new);
    written.unwrap_or_else(|| panic!("{number} cannot be written"))
}

/// The specs that an author writes who follows a help, by the key that changes.
fn followed(spec: &Spec, broken: &Diagnostic) -> Vec<(&'static str, Spec)> {
    let mut all = Vec::new();
    let mut change = |key, edit: &dyn Fn(&mut Spec)| {
        let mut spec = spec.clone();
        edit(&mut spec);
        all.push((key, spec));
    };
    for (at, axis) in Axis::ALL.into_iter().enumerate() {
        let extents = numbers(&broken.help, &format!("use BLK_{} = ", axis.letter()));
        // Of a tile that is derived, one extent cannot be written alone.
        let extents = extents.filter(|_| spec.schedule.tile.is_some());
        for number in extents.into_iter().flatten().take(2) {
            change("tile", &|spec| {
                spec.schedule.tile.iter_mut().for_each(|tile| tile[at] = extent(number));
            });
        }
    }
    if let Some([m, n]) = numbers(&broken.help, "use fma(").as_deref() {
        let mma = Mma::Fma { m: extent(*m), n: extent(*n) };
        change("mma", &|spec| spec.schedule.mma = Some(mma));
    }
    if let Some([stages]) = numbers(&broken.help, "use at most ").as_deref()
        && broken.help.contains("stages")
    {
        change("stages", &|spec| spec.schedule.stages = Some(extent(*stages)));
    }
    if let (Field::Swizzle(side), Some([b, m, s, ..])) =
        (broken.at, numbers(&broken.help, "use [").as_deref())
    {
        let [b, m, s] = [b, m, s].map(|bits| *bits as u8);
        change("swizzle", &|spec| *spec.schedule.swizzle.get_mut(side) = Some(Swizzle { b, m, s }));
    }
    all
}

/// Follows each help of a spec, and counts the keys that change.
fn follow(spec: &Spec, keys: &mut BTreeMap<&'static str, u32>) {
    let broken = Plan::new(spec).err();
    for broken in broken.iter().flatten() {
        for (key, followed) in followed(spec, broken) {
            *keys.entry(key).or_default() += 1;
            let after = Plan::new(&followed).err();
            let again = after.iter().flatten().find(|left| {
                let is_same = (left.rule, left.at) == (broken.rule, broken.at);
                is_same || key == "mma" && left.rule == Rule::RegistersFit
            });
            assert!(again.is_none(), "{}: {}\n{again:?}", broken.message, broken.help);
        }
    }
}

#[test]
fn a_followed_help_satisfies_its_rule() {
    let mut keys = BTreeMap::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..4000 {
        let spec = spec().new_tree(&mut runner).expect("a spec is drawn").current();
        follow(&spec, &mut keys);
    }
    for key in ["tile", "mma", "stages", "swizzle"] {
        assert!(keys.get(key).is_some_and(|count| *count >= 10), "{key}: {keys:?}");
    }
}

#[test]
fn a_register_tile_of_doubles_that_a_help_names_fits() {
    for [m, n] in [[12, 10], [16, 16]] {
        let mut spec = lanes::product(Element::F64, TN);
        spec.schedule.mma = fma(m, n);
        let broken = Plan::new(&spec).expect_err("it takes too many registers");
        let [named] = &followed(&spec, broken.iter().next().expect("a rule"))[..] else {
            panic!("{broken}");
        };
        Plan::new(&named.1).unwrap_or_else(|broken| panic!("fma({m}, {n}): {broken}"));
    }
}
