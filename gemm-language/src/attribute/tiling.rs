//! The keys whose values have a number for each axis: `tile`, `warps`, `warpgroups`, `cluster`.

use gemm_codegen::{Axis, Field};

use super::Reader;
use super::entry::Entry;
use super::extents;

impl Reader<'_> {
    pub(super) fn tile(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let names = ["BLK_M", "BLK_N", "BLK_K"];
        if let Some((extents, places)) = extents::array(value, "tile", names, self.errors) {
            for (axis, place) in Axis::ALL.into_iter().zip(places) {
                self.spans.set(Field::Tile(axis), place);
            }
            self.schedule.tile = Some(extents);
        }
    }

    pub(super) fn warpgroups(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let names = ["warpgroups along M", "warpgroups along N"];
        if let Some((extents, places)) = extents::array(value, "warpgroups", names, self.errors) {
            for (axis, place) in [Axis::M, Axis::N].into_iter().zip(places) {
                self.spans.set(Field::Warpgroups(axis), place);
            }
            self.schedule.warpgroups = Some(extents);
        }
    }

    pub(super) fn cluster(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let names = ["blocks along M", "blocks along N"];
        if let Some((extents, places)) = extents::array(value, "cluster", names, self.errors) {
            for (axis, place) in [Axis::M, Axis::N].into_iter().zip(places) {
                self.spans.set(Field::Cluster(axis), place);
            }
            self.schedule.cluster = Some(extents);
        }
    }

    pub(super) fn warps(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let names = ["warps along M", "warps along N", "warps along K"];
        if let Some((extents, places)) = extents::two_or_three(value, "warps", names, self.errors) {
            for (axis, place) in Axis::ALL.into_iter().zip(places) {
                if let Some(place) = place {
                    self.spans.set(Field::Warps(axis), place);
                }
            }
            self.schedule.warps = Some(extents);
        }
    }
}
