//! A value that a help names is legal: who writes it breaks no rule anew, and none at that place.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use gemm_codegen::{
    Axis, CacheOperator, CopyAtom, Diagnostic, Element, Field, Mma, Plan, Side, Spec, Swizzle,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::any_spec::spec;
use super::lanes;
use super::shared::{TN, fma};

/// A value that a help names, by its key.
type Named = (&'static str, Box<dyn Fn(&mut Spec)>);

fn extent(number: u32) -> NonZeroU16 {
    let written = u16::try_from(number).ok().and_then(NonZeroU16::new);
    written.unwrap_or_else(|| panic!("{number} cannot be written"))
}

/// The numbers of `48 or 64`, and what follows them.
fn numbers(text: &str) -> (Vec<u32>, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || ", or".contains(c)));
    let (list, rest) = text.split_at(end.unwrap_or(text.len()));
    let list = list.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    (list.map(|word| word.parse().expect("a number")).collect(), rest)
}

fn with_bytes(atom: Option<CopyAtom>, bytes: u32) -> CopyAtom {
    let bytes = extent(bytes);
    match atom.expect("a copy of a wrong size was written") {
        CopyAtom::CpAsync { policy, .. } => {
            let cache = if bytes.get() == 16 { CacheOperator::Cg } else { CacheOperator::Ca };
            CopyAtom::CpAsync { bytes, cache, policy }
        }
        _ => CopyAtom::LdGlobal { bytes },
    }
}

/// The values that a help names. Of a tile or a grid that is derived, one extent cannot be written
/// alone.
fn named(spec: &Spec, broken: &Diagnostic) -> Vec<Named> {
    let Some(help) = broken.help.strip_prefix("use ") else { return Vec::new() };
    let axis = |letter: &str| Axis::ALL.into_iter().position(|axis| axis.letter() == letter);
    if let Some((along, rest)) = help.strip_prefix("BLK_").and_then(|rest| rest.split_once(" = ")) {
        let at = axis(along.chars().next().map(|c| c.to_string()).unwrap_or_default().as_str());
        let (Some(at), true) = (at, spec.schedule.tile.is_some()) else { return Vec::new() };
        let write = |number: u32| -> Named {
            let edit = move |spec: &mut Spec| {
                spec.schedule.tile.as_mut().expect("it is written")[at] = extent(number);
            };
            ("tile", Box::new(edit))
        };
        return numbers(rest).0.into_iter().map(write).collect();
    }
    if let Some(rest) = help.strip_prefix("fma(") {
        let [m, n] = numbers(rest).0[..] else { panic!("{help}") };
        let mma = Mma::Fma { m: extent(m), n: extent(n) };
        return vec![("mma", Box::new(move |spec| spec.schedule.mma = Some(mma)))];
    }
    if let (Field::Swizzle(side) | Field::SwizzleBits(side, _), Some(rest)) =
        (broken.at, help.strip_prefix('['))
    {
        let [b, m, s] = numbers(rest).0[..] else { panic!("{help}") };
        let [b, m, s] = [b, m, s].map(|bits| bits as u8);
        let edit = move |spec: &mut Spec| {
            *spec.schedule.swizzle.get_mut(side) = Some(Swizzle { b, m, s });
        };
        return vec![("swizzle", Box::new(edit))];
    }
    let (list, rest) = numbers(help);
    let write = |number: u32| -> Option<Named> {
        if rest.starts_with("stages") {
            let edit = move |spec: &mut Spec| spec.schedule.stages = Some(extent(number));
            return Some(("stages", Box::new(edit)));
        }
        if let (true, Field::CopyBytes(side)) = (rest == "B", broken.at) {
            return Some(("copy", Box::new(move |spec| resize(spec, side, number))));
        }
        let along = rest.strip_prefix("warp")?.split_once("along ")?.1;
        let at = axis(along.get(..1)?).filter(|_| spec.schedule.warps.is_some())?;
        let edit = move |spec: &mut Spec| {
            spec.schedule.warps.as_mut().expect("it is written")[at] = extent(number);
        };
        Some(("warps", Box::new(edit)))
    };
    list.into_iter().filter_map(write).collect()
}

fn resize(spec: &mut Spec, side: Side, bytes: u32) {
    let atom = spec.schedule.copy.get_mut(side);
    *atom = Some(with_bytes(*atom, bytes));
}

/// Follows each help of a spec, and counts the keys that change.
fn follow(spec: &Spec, keys: &mut BTreeMap<&'static str, u32>) {
    let Err(before) = Plan::new(spec) else { return };
    for broken in &before {
        for (key, edit) in named(spec, broken) {
            *keys.entry(key).or_default() += 1;
            let mut followed = spec.clone();
            edit(&mut followed);
            let after = Plan::new(&followed).err();
            let is_left = |left: &Diagnostic| {
                left.at != broken.at
                    && before.iter().any(|known| (known.rule, known.at) == (left.rule, left.at))
            };
            let worse = after.iter().flatten().find(|left| !is_left(left));
            assert!(worse.is_none(), "{}: {}\n{worse:?}", broken.message, broken.help);
        }
    }
}

#[test]
fn a_value_that_a_help_names_is_legal() {
    let mut keys = BTreeMap::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..4000 {
        let spec = spec().new_tree(&mut runner).expect("a spec is drawn").current();
        follow(&spec, &mut keys);
    }
    for key in ["tile", "warps", "mma", "copy", "stages", "swizzle"] {
        assert!(keys.get(key).is_some_and(|count| *count >= 10), "{key}: {keys:?}");
    }
}

#[test]
fn a_register_tile_of_doubles_that_a_help_names_fits() {
    for [m, n] in [[12, 10], [16, 16]] {
        let mut spec = lanes::product(Element::F64, TN);
        spec.schedule.mma = fma(m, n);
        let broken = Plan::new(&spec).expect_err("it takes too many registers");
        let named = named(&spec, broken.iter().next().expect("a rule"));
        let [("mma", edit)] = &named[..] else { panic!("{broken}") };
        edit(&mut spec);
        Plan::new(&spec).unwrap_or_else(|broken| panic!("fma({m}, {n}): {broken}"));
    }
}
