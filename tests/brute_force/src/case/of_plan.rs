//! The case of an accepted spec.

use gemm_codegen::{PerSide, Plan, Side, Spec, Splits};

use super::Case;
use crate::way::Way;
use crate::{pdl, transposed};

impl<'a> Case<'a> {
    /// An accepted spec, with the values that its plan has chosen.
    ///
    /// # Errors
    /// The name of a key whose value in the plan is not that of the spec.
    pub fn of_plan(spec: &'a Spec, plan: &Plan) -> Result<Case<'a>, &'static str> {
        let mut case = Case::of_spec(spec);
        let written = &spec.schedule;
        same(plan.warps().block == case.tile, "tile")?;
        let mut mma = case.mma;
        if case.of_groups {
            mma[1] = plan.warps().tile[1];
        }
        same(plan.mma().shape() == mma, "mma")?;
        same(plan.targets() == case.targets, "targets")?;
        same(case.grids.contains(&plan.warps().grid), "warps")?;
        let stages = plan.ring().stages;
        same(written.stages.is_none_or(|n| u32::from(n.get()) == stages), "stages")?;
        same(written.raster.is_none_or(|raster| raster == plan.raster()), "raster")?;
        let in_cluster = plan.scheduler().cluster_split_k();
        let in_cluster = in_cluster.map(|split_k| (split_k.splits, false));
        let shared = plan.split_k().map(|split_k| (split_k.splits, split_k.tail)).or(in_cluster);
        let asked = written.split_k.map(|splits| match splits {
            Splits::Every(splits) => (u32::from(splits.get()), false),
            Splits::Tail(most) => (u32::from(most.get()), true),
        });
        same(asked.filter(|(splits, _)| *splits > 1) == shared, "split_k")?;
        same(plan.scheduler().walk() == written.walk, "schedule")?;
        let order = plan.scheduler().k_order();
        same(order == written.k_order.unwrap_or_default(), "k_order")?;
        let blocks = plan.cluster().map_or([1, 1], |cluster| cluster.blocks);
        let asked = written.cluster.map_or([1, 1], |blocks| blocks.map(|n| u32::from(n.get())));
        same(asked == blocks, "cluster")?;
        let early = written.pdl.as_ref().map(|named| pdl::early(spec, named));
        let planned = plan.pdl();
        same([planned.early.a, planned.early.b] == early.unwrap_or_default(), "pdl")?;
        same(planned.launches_dependents == early.is_some(), "pdl")?;
        Side::BOTH.into_iter().try_for_each(|side| case.has_copy_of(plan, side))?;
        let swizzle = |side| plan.shared_tile(side).layout.swizzle();
        case.stages = vec![stages];
        case.grids = vec![plan.warps().grid];
        case.swizzles = PerSide { a: Some(swizzle(Side::A)), b: Some(swizzle(Side::B)) };
        Ok(case)
    }

    /// Checks the copy and the swizzle of a side as [`Case::of_plan`] does.
    fn has_copy_of(&self, plan: &Plan, side: Side) -> Result<(), &'static str> {
        let swizzle = plan.shared_tile(side).layout.swizzle();
        let none = transposed::is(self, side) && swizzle.b == 0;
        let written = self.written_swizzle(side);
        same(written.is_none_or(|s| s == swizzle || none && s.b == 0), "swizzle")?;
        let atom = plan.global_to_shared(side).atom;
        same((atom.bytes(), atom.cache()) == self.copy(side), "copy")?;
        same(Way::of(atom) == self.way(side), "way of the copy")?;
        let asked = self.spec.schedule.copy.get(side);
        same(atom.policy() == asked.and_then(|asked| asked.policy()), "policy of the copy")
    }
}

/// An error with the key, unless its value is the same.
fn same(same: bool, key: &'static str) -> Result<(), &'static str> {
    if same { Ok(()) } else { Err(key) }
}
