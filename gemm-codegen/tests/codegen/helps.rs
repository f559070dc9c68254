//! A value that a help names is legal: writing it breaks no other rule, and none at that place.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use gemm_codegen::{Axis, Diagnostic, Element, Field, Mma, Plan, Schedule, Spec, Swizzle};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::shared::{self, TN, fma};
use super::{any_spec::spec, lanes};

fn extent(number: u32) -> NonZeroU16 {
    shared::extent(u16::try_from(number).expect("it can be written"))
}

/// The numbers of `48 or 64`, and what follows them.
fn numbers(text: &str) -> (Vec<u32>, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || ", or".contains(c)));
    let (list, rest) = text.split_at(end.unwrap_or(text.len()));
    let list = list.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    (list.map(|word| word.parse().expect("a number")).collect(), rest)
}

/// The number of the axis that a text begins with.
fn axis(text: &str) -> usize {
    let is_named = |axis: &Axis| text.starts_with(axis.letter());
    Axis::ALL.iter().position(is_named).unwrap_or_else(|| panic!("{text}"))
}

/// The specs that follow a help, by key. Of what is derived one extent cannot be written alone.
fn followed(spec: &Spec, broken: &Diagnostic) -> Vec<(&'static str, Spec)> {
    let Some(help) = broken.help.strip_prefix("use ") else { return Vec::new() };
    let with = |key, edit: &dyn Fn(&mut Schedule)| {
        let mut spec = spec.clone();
        edit(&mut spec.schedule);
        Some((key, spec))
    };
    let of_extents = |key, extents: Option<[NonZeroU16; 3]>, at: usize, number| {
        let mut extents = extents?;
        extents[at] = extent(number);
        with(key, &|schedule| match key {
            "tile" => schedule.tile = Some(extents),
            _ => schedule.warps = Some(extents),
        })
    };
    let follow = |number: u32, rest: &str| {
        if let Some(tile) = help.strip_prefix("BLK_") {
            of_extents("tile", spec.schedule.tile, axis(tile), number)
        } else if let Some((who, along)) = rest.split_once(" along ") {
            if who.starts_with("warpgroup") {
                let mut groups = spec.schedule.warpgroups?;
                groups[axis(along)] = extent(number);
                return with("warpgroups", &|schedule| schedule.warpgroups = Some(groups));
            }
            of_extents("warps", spec.schedule.warps, axis(along), number)
        } else if rest.starts_with("stages") {
            with("stages", &|schedule| schedule.stages = Some(extent(number)))
        } else {
            let Field::CopyBytes(side) = broken.at else { return None };
            with("copy", &|schedule| {
                let copy = schedule.copy.get_mut(side);
                *copy = copy.map(|atom| atom.with_bytes(extent(number)));
            })
        }
    };
    let values = help.rsplit(" = ").next().unwrap_or(help);
    let (list, rest) = numbers(values.trim_start_matches("fma(").trim_start_matches('['));
    match (&list[..], broken.at) {
        (&[b, m, s], Field::Swizzle(side) | Field::SwizzleBits(side, _)) => {
            let [b, m, s] = [b, m, s].map(|bits| bits as u8);
            let swizzle = Some(Swizzle { b, m, s });
            let edit = |schedule: &mut Schedule| *schedule.swizzle.get_mut(side) = swizzle;
            with("swizzle", &edit).into_iter().collect()
        }
        _ if help.starts_with("fma") => {
            let mma = Mma::Fma { m: extent(list[0]), n: extent(list[1]) };
            with("mma", &|schedule| schedule.mma = Some(mma)).into_iter().collect()
        }
        _ => list.iter().filter_map(|number| follow(*number, rest)).collect(),
    }
}

/// Follows each help of a spec, and counts the keys that change.
fn follow(spec: &Spec, keys: &mut BTreeMap<&'static str, u32>) {
    let Err(before) = Plan::new(spec) else { return };
    for broken in &before {
        for (key, followed) in followed(spec, broken) {
            *keys.entry(key).or_default() += 1;
            let after = Plan::new(&followed).err();
            let is_left = |left: &Diagnostic| {
                // A place has one mistake: another rule may be the one that tells of it.
                left.at != broken.at && before.iter().any(|known| known.at == left.at)
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
    for _ in 0..shared::draws() {
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
        let followed = followed(&spec, broken.iter().next().expect("a rule"));
        let [("mma", spec)] = &followed[..] else { panic!("{broken}") };
        Plan::new(spec).unwrap_or_else(|broken| panic!("fma({m}, {n}): {broken}"));
    }
}
