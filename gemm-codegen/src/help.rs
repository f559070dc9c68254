//! What the help of a broken rule can name: values of one key, and lists in words.

use std::num::NonZeroU16;

use crate::axis::{Axis, PerSide, Side};
use crate::layout::Swizzle;
use crate::spelling::nearest;

/// A change of one key of a schedule. One that was derived is written for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// One extent of `tile`.
    Tile(Axis, u32),
    /// One extent of `warps`.
    Warps(Axis, u32),
    /// One extent of `warpgroups`.
    Warpgroups(Axis, u32),
    /// `mma = fma(m, n)`.
    RegisterTile([u32; 2]),
    /// BLK_M and BLK_N of `tile`, with these `warps` along M and N.
    Tiling([u32; 2], [u32; 2]),
    /// The bytes of a side's copies.
    CopyBytes(Side, u32),
    /// The swizzle of a side is left out, and so derived.
    Swizzle(Side),
    /// `stages`.
    Stages(u32),
    /// `promote`.
    Promotion(NonZeroU16),
}

impl Edit {
    /// How a help names it: a number, or what `swizzle` is then, and what stands before and after it.
    pub(crate) fn words(self, swizzle: PerSide<Swizzle>) -> [String; 3] {
        let number = |before: &str, number: u32, after: &str| {
            [before.to_owned(), number.to_string(), after.to_owned()]
        };
        let workers = |noun: &str, axis: Axis, count: u32| {
            let plural = if count == 1 { "" } else { "s" };
            number("", count, &format!(" {noun}{plural} along {}", axis.letter()))
        };
        match self {
            Edit::Tile(axis, extent) => number(&format!("BLK_{} = ", axis.letter()), extent, ""),
            Edit::Warps(axis, count) => workers("warp", axis, count),
            Edit::Warpgroups(axis, count) => workers("warpgroup", axis, count),
            Edit::RegisterTile([m, n]) => [String::new(), format!("fma({m}, {n})"), String::new()],
            Edit::Tiling([m, n], [along_m, along_n]) => [
                format!("BLK_M = {m} and BLK_N = {n}, with "),
                along_m.to_string(),
                format!(
                    " {} along M and {along_n} along N",
                    if along_m == 1 { "warp" } else { "warps" }
                ),
            ],
            Edit::CopyBytes(_, bytes) => number("", bytes, " B"),
            Edit::Swizzle(side) => {
                let Swizzle { b, m, s } = swizzle.get(side);
                [String::new(), format!("[{b}, {m}, {s}]"), String::new()]
            }
            Edit::Stages(stages) => number("", stages, " stages"),
            Edit::Promotion(k) => number("`promote = ", k.get().into(), "`"),
        }
    }
}

/// Changes that satisfy a rule. Its help names the first that satisfy all others, too. There are
/// few: each may be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    /// In the order of preference.
    pub(crate) edits: Vec<Edit>,
    /// How many are named, which then differ in a number alone.
    pub(crate) most: usize,
    /// What the help says after them.
    pub(crate) after: String,
}

impl Values {
    /// The first legal one of these.
    pub(crate) fn one(edits: impl IntoIterator<Item = Edit>, after: impl Into<String>) -> Values {
        Values { edits: edits.into_iter().collect(), most: 1, after: after.into() }
    }

    /// Two extents of a block tile near this one, multiples of `unit`.
    pub(crate) fn extents(axis: Axis, extent: u32, unit: u32, after: impl Into<String>) -> Values {
        let edits = multiples(unit, extent).into_iter().map(|extent| Edit::Tile(axis, extent));
        Values { most: 2, ..Values::one(edits, after) }
    }
}

/// A name of a body that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) written: String,
    /// The names that exist.
    pub(crate) known: Vec<String>,
}

impl Unknown {
    /// Those that are spelt like it.
    pub(crate) fn similar(&self) -> impl Iterator<Item = &str> {
        let known = self.known.iter().map(String::as_str);
        known.filter(|name| nearest(&self.written, [*name]).is_some())
    }
}

/// Multiples of `unit` that the attribute can hold: next to an extent, the two above, then next to a half,
/// a quarter and so on of it.
fn multiples(unit: u32, extent: u32) -> Vec<u32> {
    let below = extent / unit * unit;
    let near = [0, 1, 2, 3].map(|units: u32| below.saturating_add(units.saturating_mul(unit)));
    let halves = (1..u16::BITS).map(|bits| (extent >> bits).next_multiple_of(unit));
    let mut all: Vec<u32> = Vec::new();
    for multiple in near.into_iter().chain(halves) {
        if (1..=u16::MAX.into()).contains(&multiple)
            && multiple != extent
            && !all.contains(&multiple)
        {
            all.push(multiple);
        }
    }
    all
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
