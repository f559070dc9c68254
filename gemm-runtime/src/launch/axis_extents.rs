//! [`AxisExtents`]: the extents of a launch.

use gemm_codegen::{Axis, LaunchShape};

use crate::shape::Shape;

/// The extent along each axis; 0 along one that a kernel has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AxisExtents([usize; Axis::COUNT]);

impl AxisExtents {
    /// Those of a kernel of one product.
    pub(in crate::launch) fn of_shape(Shape { m, n, k }: Shape) -> AxisExtents {
        let mut all = AxisExtents::none();
        for (axis, extent) in Axis::ALL.into_iter().zip([m, n, k]) {
            all = all.with(axis, extent);
        }
        all
    }

    /// Those of a kernel that has no axis.
    pub(in crate::launch) fn none() -> AxisExtents {
        AxisExtents([0; Axis::COUNT])
    }

    /// The same with that along another axis.
    pub(in crate::launch) fn with(mut self, axis: Axis, extent: usize) -> AxisExtents {
        self.0[axis as usize] = extent;
        self
    }

    /// That along an axis.
    pub(crate) fn along(&self, axis: Axis) -> usize {
        self.0[axis as usize]
    }

    /// M, N and K, where N are the columns of all products in turn, without those that only fill their tiles.
    pub(in crate::launch) fn whole(&self, launch: &LaunchShape) -> Shape {
        let columns = match &launch.columns[..] {
            [] => self.along(Axis::N),
            all => all.iter().map(|axis| self.along(*axis)).fold(0, usize::saturating_add),
        };
        Shape { m: self.along(Axis::M), n: columns, k: self.along(Axis::K) }
    }

    /// The same, with the columns of whole tiles of each product in turn.
    pub(in crate::launch) fn tiled(&self, launch: &LaunchShape) -> Shape {
        Shape { n: launch.all_columns(|axis| self.along(axis)), ..self.whole(launch) }
    }
}
