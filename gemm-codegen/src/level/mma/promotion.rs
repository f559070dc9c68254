//! Promotion: what tensor cores sum is added to f32 registers after some k-tiles, and begun again.

use std::num::NonZeroU16;

use crate::element::Element;
use crate::field::Field;
use crate::form::Form;
use crate::help::{Edit, Values};
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Promotion};

/// K after which sums of 8-bit floats are promoted by default, as cuBLASLt does without fast accumulation.
const OF_FLOAT8: u32 = 128;

/// K after which sums of planes are: their errors are then those of f32 sums.
const OF_PLANES: u32 = 64;

/// How warpgroups hold the sums that they promote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Promoting {
    /// Those of an atom, which are added when all its products are complete.
    #[default]
    Atoms,
    /// Those of each half of an atom's columns: one half is added while the other is multiplied.
    Halves,
    /// Two sets of an atom's: one is added while the other is multiplied.
    InTurn,
}

/// What a promotion depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promoted {
    pub(crate) form: Form,
    pub(crate) element: Element,
    pub(crate) sums: Accumulator,
    /// Whether planes of f32 factors are multiplied.
    pub(crate) planes: bool,
    /// Whether a factor is converted.
    pub(crate) converts: bool,
    pub(crate) block_k: u32,
    pub(crate) stages: u32,
}

impl Promoted {
    /// The k-tiles after which sums are promoted, where they are; not yet proved.
    pub(crate) fn tiles(self, written: Option<Promotion>) -> Option<u32> {
        if !self.has_sums() {
            return None;
        }
        match written {
            Some(Promotion::Never) => None,
            Some(Promotion::Every(k)) => Some((u32::from(k.get()) / self.block_k).max(1)),
            None => self.default_k().map(|k| (k / self.block_k).max(1).min(self.most())),
        }
    }

    /// Whether a thread has sums besides those that they are added to.
    fn has_sums(self) -> bool {
        match self.form {
            Form::Groups => !self.converts,
            Form::Warps(_) => true,
            Form::Lanes(_) | Form::WarpsByTensors => false,
        }
    }

    /// The most k-tiles after which they can be: warpgroups keep the stages of all until then.
    fn most(self) -> u32 {
        match self.form {
            Form::Groups => self.stages.saturating_sub(1).max(1),
            _ => u32::MAX,
        }
    }

    /// After how much of K sums are promoted by default, if they are.
    fn default_k(self) -> Option<u32> {
        match self.planes {
            true => Some(OF_PLANES),
            false => {
                let is_truncated = self.element.is_float8() && self.form == Form::Groups;
                is_truncated.then_some(OF_FLOAT8)
            }
        }
    }

    /// Proves that sums are promoted after whole k-tiles that are in the ring at a time.
    pub(crate) fn check(self, written: Option<Promotion>) -> Result<Option<u32>, Vec<Diagnostic>> {
        let Some(Promotion::Every(k)) = written else { return Ok(self.tiles(written)) };
        let k = u32::from(k.get());
        self.check_sums(k)?;
        let tile = self.block_k;
        let (message, help, legal) = if !k.is_multiple_of(tile) {
            let nearest = (k / tile).max(1) * tile;
            (
                format!("`promote = {k}` is not a multiple of BLK_K = {tile}"),
                format!("the nearest legal value is {nearest}"),
                nearest,
            )
        } else if k / tile > self.most() {
            let most = self.most() * tile;
            (
                format!(
                    "`promote = {k}` keeps {} stages until they are promoted, but the ring has {}",
                    k / tile,
                    self.stages
                ),
                format!("use at most {most}, or more stages"),
                most,
            )
        } else {
            return Ok(self.tiles(written));
        };
        let broken = Diagnostic::new(Rule::PromotionOfTiles, Field::Promotion, message, help);
        Err(vec![broken.naming(promote(legal))])
    }

    /// Proves that there are sums to promote, every `k` of K.
    fn check_sums(self, k: u32) -> Result<(), Vec<Diagnostic>> {
        let (message, help) = match (self.has_sums(), self.sums) {
            (true, Accumulator::F32) => return Ok(()),
            (true, sums) => (
                format!(
                    "`promote = {k}` with sums of {}: only f32 sums of floats are promoted",
                    sums.name()
                ),
                "remove `promote`",
            ),
            (false, _) if self.form == Form::Groups => (
                "`promote` with a factor that warpgroups convert: they have no registers for further sums"
                    .to_owned(),
                "remove `promote`",
            ),
            (false, _) if self.form == Form::WarpsByTensors => (
                "`promote` with `copy = tma` requires `mma = wgmma`: other kernels sum in one set of registers"
                    .to_owned(),
                "write `mma = wgmma`, or `copy = cp_async(16, cg)`",
            ),
            (false, _) => (
                "`promote` requires tensor cores: register tiles sum in one set of registers".to_owned(),
                "remove `promote`",
            ),
        };
        Err(vec![Diagnostic::new(Rule::PromotionOfTiles, Field::Promotion, message, help)])
    }
}

/// The one value that a help names.
fn promote(k: u32) -> Values {
    let value = u16::try_from(k).ok().and_then(NonZeroU16::new);
    Values::one(value.into_iter().map(Edit::Promotion), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::ByThreads;

    fn of(form: Form, element: Element, block_k: u32) -> Promoted {
        let sums = Accumulator::F32;
        Promoted { form, element, sums, planes: false, converts: false, block_k, stages: 4 }
    }

    fn every(k: u16) -> Option<Promotion> {
        NonZeroU16::new(k).map(Promotion::Every)
    }

    #[test]
    fn eight_bit_floats_of_warpgroups_are_promoted_by_default() {
        assert_eq!(of(Form::Groups, Element::E4m3, 128).check(None), Ok(Some(1)));
        assert_eq!(of(Form::Groups, Element::E5m2, 64).check(None), Ok(Some(2)));
        assert_eq!(of(Form::Groups, Element::E4m3, 256).check(None), Ok(Some(1)));
        assert_eq!(of(Form::Groups, Element::E4m3, 128).check(Some(Promotion::Never)), Ok(None));
        assert_eq!(of(Form::Groups, Element::F16, 64).check(None), Ok(None));
        assert_eq!(of(Form::Warps(ByThreads::CpAsync), Element::E4m3, 64).check(None), Ok(None));
    }

    #[test]
    fn planes_are_promoted_by_default_whoever_multiplies_them() {
        for form in [Form::Groups, Form::Warps(ByThreads::CpAsync)] {
            let planes = Promoted { planes: true, ..of(form, Element::F16, 32) };
            assert_eq!(planes.check(None), Ok(Some(2)), "{form:?}");
        }
    }

    #[test]
    fn sums_are_promoted_after_whole_tiles_that_the_ring_holds() {
        let halves = of(Form::Groups, Element::F16, 64);
        assert_eq!(halves.check(every(64)), Ok(Some(1)));
        assert_eq!(halves.check(every(192)), Ok(Some(3)));
        let at = |written| halves.check(written).unwrap_err()[0].clone();
        assert_eq!(at(every(96)).at, Field::Promotion);
        assert!(at(every(96)).help.contains("64"), "{:?}", at(every(96)));
        assert!(at(every(256)).message.contains("4 stages"), "{:?}", at(every(256)));
        let integers = Promoted { sums: Accumulator::I32, ..halves };
        assert!(integers.check(every(64)).is_err());
        assert!(of(Form::Lanes(ByThreads::CpAsync), Element::F16, 64).check(every(64)).is_err());
        assert!(of(Form::WarpsByTensors, Element::F16, 64).check(every(64)).is_err());
        let warps = of(Form::Warps(ByThreads::CpAsync), Element::F16, 64);
        assert_eq!(warps.check(every(1024)), Ok(Some(16)), "no stage is kept");
    }
}
