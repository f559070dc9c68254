//! A value that a help names is legal: writing it breaks no other rule, and none at that place.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use gemm_codegen::{Axis, Diagnostic, Element, Field, Mma, Plan, Rule, Schedule, Spec, Swizzle};
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

/// The specs that follow a help, by key.
fn followed(spec: &Spec, broken: &Diagnostic) -> Vec<(&'static str, Spec)> {
    let Some(help) = broken.help.strip_prefix("use ") else { return Vec::new() };
    if let Some((_, of_columns)) = help.split_once(" and BLK_N = ") {
        let schedule = tiling(&spec.schedule, help, of_columns);
        return schedule
            .map(|of| ("tiling", Spec { schedule: of, ..spec.clone() }))
            .into_iter()
            .collect();
    }
    let values = help.rsplit(" = ").next().unwrap_or(help);
    let (list, rest) = numbers(values.trim_start_matches("fma(").trim_start_matches('['));
    let mut schedule = spec.schedule.clone();
    let schedules = match (&list[..], broken.at) {
        (&[b, m, s], Field::Swizzle(side) | Field::SwizzleBits(side, _)) => {
            let [b, m, s] = [b, m, s].map(|bits| bits as u8);
            *schedule.swizzle.get_mut(side) = Some(Swizzle { b, m, s });
            vec![("swizzle", schedule)]
        }
        _ if help.starts_with("fma") => {
            schedule.mma = Some(Mma::Fma { m: extent(list[0]), n: extent(list[1]) });
            vec![("mma", schedule)]
        }
        _ => {
            let numbers = list.iter().map(|number| extent(*number));
            numbers
                .filter_map(|number| {
                    let mut schedule = schedule.clone();
                    let key = write(&mut schedule, broken.at, [help, rest], number)?;
                    Some((key, schedule))
                })
                .collect()
        }
    };
    let with = |(key, schedule)| (key, Spec { schedule, ..spec.clone() });
    schedules.into_iter().map(with).collect()
}

/// Follows `BLK_M = 128 and BLK_N = 64, with 2 warps along M and 1 along N`.
fn tiling(schedule: &Schedule, help: &str, of_columns: &str) -> Option<Schedule> {
    let number = |text: &str| numbers(text).0.first().copied();
    let after = |start: &str, text: &str| text.split_once(start).and_then(|(_, rest)| number(rest));
    let [m, n] = [after("BLK_M = ", help)?, number(of_columns)?].map(extent);
    let [of_m, of_n] =
        [after("with ", of_columns)?, after("along M and ", of_columns)?].map(extent);
    let mut schedule = schedule.clone();
    let (tile, warps) = (schedule.tile.as_mut()?, schedule.warps.as_mut()?);
    (tile[0], tile[1], warps[0], warps[1]) = (m, n, of_m, of_n);
    Some(schedule)
}

/// Writes a number of a help, whose last number `rest` follows, and returns the key. Of what is derived
/// one extent cannot be written alone.
fn write(
    schedule: &mut Schedule,
    at: Field,
    [help, rest]: [&str; 2],
    number: NonZeroU16,
) -> Option<&'static str> {
    if let Some(tile) = help.strip_prefix("BLK_") {
        schedule.tile.as_mut()?[axis(tile)] = number;
        return Some("tile");
    }
    match (rest.split_once(" along "), at) {
        (Some((who, along)), _) if who.starts_with("warpgroup") => {
            schedule.warpgroups.as_mut()?[axis(along)] = number;
            Some("warpgroups")
        }
        (Some((_, along)), _) => {
            schedule.warps.as_mut()?[axis(along)] = number;
            Some("warps")
        }
        _ if rest.starts_with("stages") => {
            schedule.stages = Some(number);
            Some("stages")
        }
        (None, Field::CopyBytes(side)) => {
            let copy = schedule.copy.get_mut(side);
            *copy = copy.map(|atom| atom.with_bytes(number));
            Some("copy")
        }
        _ => None,
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
fn a_tile_that_a_help_names_for_fewer_registers_is_legal() {
    let mut keys = BTreeMap::new();
    for tile in [[128, 128, 32], [128, 256, 32], [256, 128, 64], [256, 256, 64]] {
        for warps in [[1, 1, 1], [1, 2, 1], [2, 2, 1], [4, 4, 1], [4, 8, 1], [8, 4, 1]] {
            let mut spec = lanes::product(Element::F16, TN);
            spec.schedule.mma = None;
            spec.schedule.tile = Some(tile.map(extent));
            spec.schedule.warps = Some(warps.map(extent));
            follow(&spec, &mut keys);
        }
    }
    assert!(keys.get("tiling").is_some_and(|count| *count >= 10), "{keys:?}");
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

#[test]
fn a_rule_that_the_named_value_satisfies_too_is_kept_with_it() {
    let spec = shared::with(shared::product(Element::F16, TN), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.warpgroups = Some([1, 1].map(shared::extent));
        schedule.tile = Some([384, 128, 64].map(shared::extent));
    });
    let broken = Plan::new(&spec).expect_err("a box has 256 rows");
    let [broken] = &broken.iter().collect::<Vec<_>>()[..] else { panic!("{broken}") };
    assert_eq!((broken.rule, broken.at), (Rule::TensorCopy, Field::Tile(Axis::M)));
    assert_eq!(broken.also, [Rule::RegistersFit], "{broken}");
}
