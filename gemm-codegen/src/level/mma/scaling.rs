//! Scales of factors: what tensor cores sum of a tile is multiplied by its scale and added to f32 registers.

use super::conversion::{Conversion, converted_k};
use super::factor_scaling::ScaledBy;
use super::multiply::Multiply;
use super::offsets;
use super::scales_in::ScalesIn;
use crate::axis::{Axis, PerSide, Side};
use crate::field::Field;
use crate::form::Form;
use crate::part::Part;
use crate::problem::{Scale, ScaleOffset};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, KOrder, Promotion};
use crate::text::Sections;

/// Which tiles have whole k-steps.
const WHOLE_STEPS: &str = "scale tiles of 32, 64 or 128 along K, of bytes and of packed integers 16 too; a scale of \
                           whole rows is a vector, in the body";

/// Scaled sums, with their proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// The scales of each side; of several products those of the first one, which the others' are like.
    pub scales: PerSide<Option<Scale>>,
    /// How many products lie next to each other, whose second factors have scales of their own.
    pub products: u32,
    /// K of the products that are summed before they are scaled, or of the factors that are scaled together.
    pub k: u32,
    /// What is scaled.
    pub by: ScaledBy,
    /// Whether a warp sums what is scaled in two sums of its atom, to which instructions add by turns.
    pub two_sums: bool,
    /// Where those of a k-tile lie.
    pub place: ScalesIn,
    /// Whether a block tile of another shape could have them in its stages, too.
    pub(super) may_be_tiles: bool,
    /// Bytes that a stage has of them, and of offsets.
    pub(crate) bytes: u64,
    /// K of a k-tile.
    pub(super) block_k: u32,
}

/// What scaled sums depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) scales: PerSide<Option<Scale>>,
    pub(crate) form: Form,
    pub(crate) sums: Accumulator,
    /// How many products lie next to each other.
    pub(crate) products: u32,
    /// Whether the rows of a factor run along K.
    pub(crate) k_contiguous: PerSide<bool>,
    /// The block tile.
    pub(crate) block: [u32; 3],
    /// K of a k-tile that a warp has.
    pub(crate) warp_k: u32,
    /// Columns of a warp, or of a warpgroup.
    pub(crate) columns: u32,
    /// Atoms of a warp.
    pub(crate) atoms: u32,
    /// Tiles that a block multiplies at a time.
    pub(crate) at_a_time: u32,
    /// K of a k-step.
    pub(crate) step: u32,
    /// Whether planes of f32 factors are multiplied.
    pub(crate) planes: bool,
    /// After how much of K sums are promoted, as written.
    pub(crate) promote: Option<Promotion>,
    /// The factor that is converted, if one is.
    pub(crate) converted: Option<Conversion>,
    /// The order of k-tiles.
    pub(crate) k_order: KOrder,
}

impl Scaled {
    /// Whether warpgroups convert a factor.
    pub(crate) fn converted_by_groups(self) -> bool {
        self.form == Form::Groups && self.converted.is_some()
    }

    /// K of what is summed, or converted, before it is scaled.
    pub(crate) fn k(self) -> u32 {
        let scales = Side::BOTH.into_iter().filter_map(|side| *self.scales.get(side));
        let k = scales.map(|scale| scale.k).min().unwrap_or(self.step).min(self.warp_k);
        if self.converted_by_groups() { converted_k(self.warp_k, Some(k)) } else { k }
    }

    /// Whether a factor has scales.
    pub(crate) fn any(self) -> bool {
        Side::BOTH.into_iter().any(|side| self.scales.get(side).is_some())
    }

    /// Proves that sums of floats are scaled by warps, after whole k-steps.
    pub(crate) fn check(self) -> Result<Option<Scaling>, Vec<Diagnostic>> {
        if !self.any() {
            return Ok(None);
        }
        let scales = Side::BOTH.into_iter().filter_map(|side| *self.scales.get(side));
        let k = self.k();
        let broken: Vec<Diagnostic> = self
            .of_form()
            .into_iter()
            .chain(self.one_offset())
            .chain(scales.filter_map(|scale| self.tiles(&scale, k)))
            .collect();
        if broken.is_empty() {
            let Scaled { scales, products, .. } = self;
            Ok(Some(Scaling {
                scales,
                products,
                k,
                by: self.by(),
                two_sums: self.two_sums(),
                place: self.place(),
                may_be_tiles: self.may_be_tiles(),
                bytes: self.scale_bytes(),
                block_k: self.block[2],
            }))
        } else {
            Err(broken)
        }
    }

    /// The form has f32 sums beside those that are scaled.
    fn of_form(self) -> Option<Diagnostic> {
        let refuse = |at, message: String, help: &str| {
            Some(Diagnostic::new(Rule::ScaledFactor, at, message, help))
        };
        let only = |who: &str| format!("{who} do not scale the sums of a factor's tiles");
        match self.form {
            Form::Groups => self.by_groups(),
            Form::Lanes(_) => refuse(
                Field::Mma,
                only("lanes"),
                "use an atom of tensor cores, which f32 has with `precision = tf32`",
            ),
            Form::WarpsByTensors => refuse(
                Field::Copy(Side::A),
                only("warps that tensor copies feed"),
                "use `copy = cp_async(16, cg)`",
            ),
            Form::Warps(_) if self.planes => refuse(
                Field::Precision,
                "planes of f32 factors have no scales".to_owned(),
                "use `precision = tf32`, or factors of f16 or bf16",
            ),
            Form::Warps(_) if self.sums != Accumulator::F32 => refuse(
                Field::Function,
                format!("sums of {} are not scaled: a scale is an f32", self.sums.name()),
                "multiply floats, with sums of f32; scale sums of integers by a vector, in the body",
            ),
            Form::Warps(_) if matches!(self.promote, Some(Promotion::Every(_))) => refuse(
                Field::Promotion,
                "sums that are scaled are f32 after each tile of scales".to_owned(),
                "remove `promote`",
            ),
            Form::Warps(_) => None,
        }
    }

    /// What a warp sums before it scales has one scale, and whole k-steps.
    fn tiles(self, scale: &Scale, k: u32) -> Option<Diagnostic> {
        let Scaled { warp_k, step, .. } = self;
        let at = Field::OperandIndex(scale.operand, if scale.k_contiguous { 3 } else { 2 });
        let Scale { lines, k: of_k, .. } = *scale;
        if lines == 0 || of_k == 0 || !of_k.is_multiple_of(step) {
            let message =
                format!("a tile of {of_k} along K is not a multiple of {step}, the K of a k-step");
            let help = match of_k == 1 && lines > 0 && lines.is_multiple_of(step) {
                true => "exchange both extents: they are in the order of the indices",
                false => WHOLE_STEPS,
            };
            return Some(Diagnostic::new(Rule::ScaledFactor, at, message, help));
        }
        let who = if self.form == Form::Groups { "warpgroup" } else { "warp" };
        let is_whole =
            scale.k.is_multiple_of(k) && warp_k.is_multiple_of(k) && k.is_multiple_of(step);
        (!is_whole).then(|| {
            Diagnostic::new(
                Rule::ScaledFactor,
                Field::Tile(Axis::K),
                format!(
                    "a {who} multiplies {warp_k} of each k-tile, which is neither a multiple nor a part of the {} \
                     of K with one scale",
                    scale.k
                ),
                format!("use a BLK_K that gives each {who} {} or {}", scale.k, 2 * scale.k),
            )
            .or_at(at)
        })
    }
}

impl Scaling {
    /// The device functions that load scales and scale sums. Lines of one or two bands of a side's fragments are
    /// interleaved.
    pub(crate) fn write(
        &self,
        text: &mut Sections,
        multiply: &Multiply,
        interleaved: PerSide<u32>,
    ) {
        let offset = self.offset();
        let add = |text: &mut Sections, file: &'static str| text.of(Part::Multiply).add(file);
        let (staged, [scales, with_offsets, load]) = (self.place == ScalesIn::Tile, self.files());
        if staged {
            self.write_loads(text);
        }
        add(text, scales);
        if offset.is_some() {
            add(text, with_offsets);
        }
        for side in Side::BOTH {
            self.write_side(text, side, *interleaved.get(side));
        }
        text.of(Part::Multiply).add(format!(
            "constexpr int SCALED_STEPS = {};  // k-steps whose products are summed before they are scaled\n",
            self.k / multiply.shape()[2]
        ));
        match offset {
            Some((side, offset)) => offsets::write(text, (side, offset.applied), multiply),
            None if self.two_sums => add(text, include_str!("scale_two_sums.cuh")),
            None => add(text, include_str!("scale_sums.cuh")),
        }
        add(text, load);
    }

    /// The scales of a side, if it has any.
    pub(crate) fn of(&self, side: Side) -> Option<&Scale> {
        self.scales.get(side).as_ref()
    }

    /// The side with an offset, if there is one.
    pub(crate) fn offset(&self) -> Option<(Side, ScaleOffset)> {
        Side::BOTH.into_iter().find_map(|side| Some((side, self.of(side)?.offset?)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::body::Offset;
    use crate::element::Element;
    use crate::form::ByThreads;

    pub(in super::super) fn scaled(of_tile: u32, warp_k: u32) -> Scaled {
        let (k, element, k_contiguous) = (of_tile, Element::F16, true);
        let scale = Scale { operand: 2, element, lines: 1, k, k_contiguous, offset: None };
        Scaled {
            scales: PerSide { a: None, b: Some(scale) },
            form: Form::Warps(ByThreads::CpAsync),
            sums: Accumulator::F32,
            products: 1,
            k_contiguous: PerSide::both(true),
            block: [64, 64, warp_k],
            warp_k,
            columns: 64,
            atoms: 8,
            at_a_time: 1,
            step: 32,
            planes: false,
            promote: None,
            converted: None,
            k_order: KOrder::Ascending,
        }
    }

    #[test]
    fn a_warp_sums_whole_tiles_or_parts_of_one() {
        let k = |of_tile, warp_k| {
            let checked = scaled(of_tile, warp_k).check();
            checked.map(|scaling| scaling.map(|of| of.k)).map_err(|broken| broken[0].at)
        };
        assert_eq!(k(128, 128), Ok(Some(128)));
        assert_eq!([k(128, 64), k(64, 128)], [Ok(Some(64)), Ok(Some(64))]);
        assert_eq!(k(128, 96), Err(Field::Tile(Axis::K)));
        assert_eq!(k(48, 48), Err(Field::OperandIndex(2, 3)));
        let none = Scaled { scales: PerSide::both(None), ..scaled(128, 96) };
        assert_eq!(none.check(), Ok(None));
    }

    #[test]
    fn only_warps_scale_f32_sums() {
        let at = |scaled: Scaled| scaled.check().unwrap_err()[0].at;
        let legal = scaled(64, 64);
        assert!(Scaled { products: 2, ..legal }.check().is_ok());
        assert_eq!(at(Scaled { form: Form::Groups, ..legal }), Field::Mma);
        assert_eq!(at(Scaled { form: Form::WarpsByTensors, ..legal }), Field::Copy(Side::A));
        assert_eq!(at(Scaled { sums: Accumulator::I32, ..legal }), Field::Function);
        assert_eq!(at(Scaled { planes: true, ..legal }), Field::Precision);
        let (applied, element, k_contiguous) = (Offset::Zero, Element::F16, true);
        let offset = Some(ScaleOffset { applied, operand: 3, element, k_contiguous });
        let with = legal.scales.b.map(|scale| Scale { offset, ..scale });
        let of = |a, b| Scaled { scales: PerSide { a, b }, ..legal };
        assert!(of(legal.scales.b, with).check().is_ok());
        assert_eq!(at(of(with, with)), Field::Function);
    }
}
