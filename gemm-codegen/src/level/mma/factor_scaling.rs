//! Scales of the factor that warpgroups convert.
//!
//! Sums of few columns are scaled, by one fma each, as warps do: beside the sums of all products a thread has those of
//! what is multiplied next, twice. An instruction of more columns leaves no registers for these, and where a line has
//! several scales in a k-tile, the sums of each would wait for their products: then the factor's elements are scaled while
//! they are converted. A scale is rounded to what is multiplied, and so is each product with it.

use super::lane_scales::OfLane;
use super::offsets;
use super::scales_in::ScalesIn;
use super::scaling::{Scaled, Scaling};
use crate::axis::Side;
use crate::body::Offset;
use crate::element::Element;
use crate::field::Field;
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::KOrder;
use crate::text::Sections;

/// The most columns of a warpgroup whose sums are scaled.
const SCALED_COLUMNS: u32 = 64;

/// What is multiplied by scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScaledBy {
    /// The sums of products with one scale, which are then added in f32.
    Sums,
    /// The elements of a factor while they are converted; each is rounded.
    Factors,
}

/// The line of scale i of a lane: two of each atom's.
const LINE: &str = "i / 2 * MMA_M + threadIdx.x % 128 / 32 * 16 + i % 2 * 8 + threadIdx.x % 32 / 4";

impl Scaled {
    /// Whether the factor of this side is converted.
    pub(super) fn converts(self, side: Side) -> bool {
        self.converted.is_some_and(|conversion| conversion.side == side)
    }

    /// What is scaled.
    pub(crate) fn by(self) -> ScaledBy {
        let factors = self.columns > SCALED_COLUMNS || self.has_several();
        if self.converted_by_groups() && factors { ScaledBy::Factors } else { ScaledBy::Sums }
    }

    /// Warpgroups scale what they convert, in the order of K.
    pub(super) fn by_groups(self) -> Option<Diagnostic> {
        let refuse = |at, message: &str, help: &str| {
            Some(Diagnostic::new(Rule::ScaledFactor, at, message, help))
        };
        let is_other = |side: &Side| !self.converts(*side);
        if Side::BOTH.iter().filter(|side| self.scales.get(**side).is_some()).any(is_other) {
            return refuse(
                Field::Mma,
                "warpgroups scale the factor that they convert, not one that an instruction reads from shared memory",
                "use an atom of one warp, such as m16n8k16",
            );
        }
        match self.k_order {
            KOrder::Serpentine => refuse(
                Field::KOrder,
                "scales are loaded in the order of K, not backwards in every second tile",
                "remove `k_order`",
            ),
            KOrder::Ascending => None,
        }
    }
}

impl Scaling {
    /// The device functions that load the scales of A, which warpgroups convert to this element, and apply them.
    pub(super) fn write_groups(&self, text: &mut Sections, to: Element) {
        let Some(scale) = self.of(Side::A) else { return };
        let add = |text: &mut Sections, file: &str| text.of(Part::Multiply).add(file.to_owned());
        let of_lane = OfLane { place: ["ATOMS_M", LINE], who: "warpgroup" };
        add(text, &of_lane.structs(Side::A, scale));
        add(text, include_str!("factor_scales/line_scales.cuh"));
        let ty = match self.place {
            ScalesIn::Lines => write_copied(text, scale.offset.is_some()),
            ScalesIn::Registers | ScalesIn::Tile => write_loaded(text, scale.offset.is_some()),
        };
        add(text, &format!("typedef {ty} ScalesA;\n"));
        let applied = scale.offset.map(|offset| offset.applied);
        match (self.by, applied) {
            (ScaledBy::Sums, None) => {}
            (ScaledBy::Sums, Some(applied)) => offsets::write_sums(text, applied, to),
            (ScaledBy::Factors, applied) => {
                add(text, pairs(to));
                add(
                    text,
                    match applied {
                        None => include_str!("factor_scales/scaled.cuh"),
                        Some(Offset::Zero) => include_str!("factor_scales/scaled_zero.cuh"),
                        Some(Offset::Added) => include_str!("factor_scales/scaled_added.cuh"),
                    },
                );
            }
        }
    }
}

/// The scales that a lane loads, with offsets or without. Returns their type.
fn write_loaded(text: &mut Sections, offsets: bool) -> &'static str {
    let add = |text: &mut Sections, file: &'static str| text.of(Part::Multiply).add(file);
    add(text, include_str!("factor_scales/factor_scales.cuh"));
    if !offsets {
        return "FactorScales<ScaledLinesA>";
    }
    add(text, include_str!("factor_scales/with_offsets.cuh"));
    "FactorScalesWithOffsets<ScaledLinesA, OffsetLinesA>"
}

/// The scales that a warp copies, with offsets or without. Returns their type.
fn write_copied(text: &mut Sections, offsets: bool) -> &'static str {
    let add = |text: &mut Sections, file: &'static str| text.of(Part::Multiply).add(file);
    text.add_file(include_str!("../../ptx/cp_async_ca.cuh"), &[("POLICY", false)]);
    text.add(include_str!("../../ptx/cp_async_group.cuh"));
    add(text, include_str!("factor_scales/copied.cuh"));
    if offsets {
        add(text, include_str!("factor_scales/copied_with_offsets.cuh"));
    }
    add(text, include_str!("factor_scales/ahead.cuh"));
    match offsets {
        true => "Ahead<CopiedWithOffsets<ScaledLinesA, OffsetLinesA>>",
        false => "Ahead<CopiedScales<ScaledLinesA>>",
    }
}

/// What scales pairs of factors of an element.
fn pairs(to: Element) -> &'static str {
    match to {
        Element::F16 => include_str!("factor_scales/pairs_f16.cuh"),
        _ => include_str!("factor_scales/pairs_bf16.cuh"),
    }
}
