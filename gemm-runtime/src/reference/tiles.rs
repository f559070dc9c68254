//! The scales and offsets of a factor on the host.

use gemm_codegen::Axis;
use gemm_codegen::body::Offset;

use crate::element::Element;
use crate::error::{Error, Operand, TileError};
use crate::memory::check_host_length;
use crate::shape::Shape;

/// A value for each tile of a factor.
#[derive(Clone, Debug)]
pub struct HostTiles {
    values: Vec<f64>,
    /// Values from one tile to the next, along M, N and K; 0 along the one that they lack.
    strides: [usize; 3],
    /// The extent of a tile along M, N and K.
    extents: [usize; 3],
}

impl HostTiles {
    /// The operand `name`, whose tiles have these rows and columns of a matrix along `axes`.
    ///
    /// # Errors
    /// [`Error::HostLength`] if the length of `data` is not that of `shape`, [`TileError::Part`] if K is not a
    /// multiple of a tile's, [`Error::SizeOverflow`] if the length overflows.
    pub fn new<T: Element>(
        name: &str,
        data: &[T],
        axes: [Axis; 2],
        tile: [usize; 2],
        shape: Shape,
    ) -> Result<HostTiles, Error> {
        let counts = [0, 1].map(|of| shape.extent(axes[of]).div_ceil(tile[of]));
        let along_k = usize::from(axes[1] == Axis::K);
        if !shape.k.is_multiple_of(tile[along_k]) {
            let (operand, k, tile) = (Operand::new(name), shape.k, tile[along_k]);
            let index = Axis::K.letter().into();
            return Err(TileError::Part { operand, index, k, tile }.into());
        }
        let overflow = || Error::SizeOverflow { rows: counts[0], pitch: counts[1] };
        let length = counts[0].checked_mul(counts[1]).ok_or_else(overflow)?;
        check_host_length(name, length, &counts, data.len())?;
        let (mut strides, mut extents) = ([0; 3], [1; 3]);
        strides[axes[0] as usize] = counts[1];
        strides[axes[1] as usize] = 1;
        (0..2).for_each(|of| extents[axes[of] as usize] = tile[of]);
        let values = data.iter().map(|value| value.to_f64()).collect();
        Ok(HostTiles { values, strides, extents })
    }

    /// The one for line `i` of a factor's own axis, at `k`.
    fn at(&self, axis: Axis, [i, k]: [usize; 2]) -> f64 {
        let along =
            |axis: Axis, at: usize| at / self.extents[axis as usize] * self.strides[axis as usize];
        self.values[along(axis, i) + along(Axis::K, k)]
    }
}

/// What is applied to the elements of a factor.
#[derive(Clone, Copy, Debug)]
pub struct HostScales<'a> {
    /// What they are multiplied by.
    pub scales: &'a HostTiles,
    /// The offset of each tile, and where it is applied, if there is one.
    pub offsets: Option<(Offset, &'a HostTiles)>,
    /// How they, and what is made with them, are rounded, if they are.
    pub rounded: Option<fn(f64) -> f64>,
}

impl HostScales<'_> {
    /// The same, rounded to an element type, as what is made of each element with them is: as warpgroups scale a
    /// factor that they convert to it.
    pub fn rounded_to<T: Element>(self) -> Self {
        HostScales { rounded: Some(|value| T::from_f64(value).to_f64()), ..self }
    }

    /// An element for line `i` of a factor's own axis, at `k`, with its scale and its offset.
    pub(super) fn apply(self, x: f64, axis: Axis, at: [usize; 2]) -> f64 {
        let rounded = |x: f64| self.rounded.map_or(x, |rounded| rounded(x));
        let scale = rounded(self.scales.at(axis, at));
        rounded(match self.offsets {
            None => x * scale,
            Some((Offset::Zero, zeros)) => rounded(x - rounded(zeros.at(axis, at))) * scale,
            Some((Offset::Added, added)) => x * scale + rounded(added.at(axis, at)),
        })
    }
}
