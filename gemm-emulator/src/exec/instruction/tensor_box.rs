//! Boxes of tensors in global memory.

use crate::exec::step::{Executed, Step, Stop};
use crate::fault::Violation;
use crate::memory::resolve;
use crate::program::TensorBox;
use crate::ptx::Space;
use crate::tensor_map::TensorMap;

/// A lane's map and the corner of its box.
pub(super) fn of_lane(
    step: &Step<'_>,
    of: &TensorBox,
    lane: usize,
) -> Executed<(TensorMap, Vec<i64>)> {
    let map = map_at(step, of, step.addresses(of.map)[lane], lane)?;
    let coordinate = |at: &u32| i64::from(step.warp.registers.word(*at)[lane] as i32);
    Ok((map, of.coordinates.iter().map(coordinate).collect()))
}

/// The map that a lane's address leads to.
fn map_at(step: &Step<'_>, of: &TensorBox, address: u64, lane: usize) -> Executed<TensorMap> {
    let (space, address) = match of.map_space {
        Space::Generic => resolve(address),
        space => (space, address),
    };
    let bad = |what| Stop::new(Violation::BadTensorMap { space, address, what }, lane);
    if space != Space::Parameter {
        return Err(bad("it is not a parameter of the kernel"));
    }
    if !address.is_multiple_of(TensorMap::ALIGNMENT) {
        return Err(bad("its address is not a multiple of 64"));
    }
    let bytes = step.context.parameters.bytes(address);
    let map = bytes.and_then(TensorMap::decode).ok_or_else(|| bad("there is none"))?;
    if map.dims.len() != of.coordinates.len() {
        return Err(bad("it has another number of dimensions than the copy"));
    }
    Ok(map)
}

/// The part of a row of a box that lies within the tensor.
pub(super) struct Inside {
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// Bytes of the row before it.
    pub(super) skipped: u64,
}

/// The part of the row of that number of the box at `corner`, in a tensor with rows of `extent` elements.
pub(super) fn inside(map: &TensorMap, extent: u64, corner: &[i64], number: u64) -> Option<Inside> {
    let mut left = number;
    let mut address = u128::from(map.address);
    for (dimension, stride) in (1..).zip(&map.strides) {
        let box_extent = u64::from(map.box_dims[dimension]);
        let at = u64::try_from(corner[dimension] + (left % box_extent) as i64).ok()?;
        left /= box_extent;
        if at >= map.dims[dimension] {
            return None;
        }
        address += u128::from(at) * u128::from(*stride);
    }
    let end = (corner[0] + i64::from(map.box_dims[0])).min(extent as i64);
    let start = corner[0].max(0);
    let elements = u64::try_from(end - start).ok().filter(|elements| *elements > 0)?;
    let element = u64::from(map.element_bytes);
    address += u128::from(start as u64 * element);
    Some(Inside {
        // What does not fit an address lies in no allocation either.
        address: u64::try_from(address).unwrap_or(u64::MAX),
        bytes: elements * element,
        skipped: (start - corner[0]) as u64 * element,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::Swizzle;

    fn map() -> TensorMap {
        TensorMap {
            address: 0x1000,
            element_bytes: 2,
            dims: vec![20, 5, 3],
            strides: vec![48, 512],
            box_dims: vec![16, 2, 2],
            swizzle: Swizzle::None,
            rounds_to_tf32: false,
        }
    }

    fn part(corner: [i64; 3], number: u64) -> Option<(u64, u64, u64)> {
        inside(&map(), 20, &corner, number).map(|part| (part.address, part.bytes, part.skipped))
    }

    #[test]
    fn rows_are_cut_at_every_side() {
        assert_eq!(part([0, 0, 0], 3), Some((0x1000 + 48 + 512, 32, 0)));
        assert_eq!(part([7, 0, 0], 0), Some((0x1000 + 14, 26, 0)));
        assert_eq!(part([-3, 0, 0], 0), Some((0x1000, 26, 6)));
        assert_eq!(part([-16, 0, 0], 0), None);
        assert_eq!(part([20, 0, 0], 0), None);
        assert_eq!(part([0, 4, 0], 0), Some((0x1000 + 4 * 48, 32, 0)));
        assert_eq!(part([0, 4, 0], 1), None);
        assert_eq!(part([0, -1, 0], 0), None);
        assert_eq!(part([0, 0, 2], 2), None);
    }

    #[test]
    fn an_address_beyond_all_is_in_no_allocation() {
        let far = TensorMap {
            dims: vec![16, 1 << 32],
            strides: vec![(1 << 40) - 16],
            box_dims: vec![16, 1],
            ..map()
        };
        let part = inside(&far, 16, &[0, i64::from(i32::MAX)], 0).expect("is inside");
        assert_eq!(part.address, u64::MAX);
    }
}
