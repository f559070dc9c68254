//! Pictures of a [`Plan`], and of a trace of its kernel, as SVG text, each a pure function; nothing is read or written.
//!
//! A [`Picture`] is a title, a caption of a sentence or two that states its numbers, and the SVG. Each
//! module draws one picture, by the functions of gemm-codegen with which a kernel's text is emitted:
//!
//! | picture | shows | by |
//! | --- | --- | --- |
//! | [`shared_tile`] | the banks of a tile, the lanes of one load, its conflicts | `TileLayout::offset`, `SharedToRegister::requests` |
//! | [`copies`] | who copies which part of a tile, in order | `Plan::pieces` |
//! | [`fragments`] | lane and registers of each element of an MMA atom | `Fragment`, `Wgmma::position` |
//! | [`overview`] | a kernel at a glance | the pictures of warps and tiles |
//! | [`warps`] | the block tile cut by warps and atoms | `Warps::part` |
//! | [`raster`] | the order of the tiles of an output, its waves and its tail | `Raster::place`, `Kernel::shares` |
//! | [`memory_map`] | the bytes of the shared memory of a block | `SharedMemory` |
//! | [`pipeline`] | the stages and warps of a block along the steps of a trace | `gemm_emulator::Trace` |
//! | [`registers`] | the registers of a thread | `Registers`, `Roles` |
//! | [`roofline`] | the estimate of the cost model against its limits | `Footprint` |
//! | [`summation`] | the bits that one step of a tensor core keeps and adds | sums of the caller's |
//!
//! # Geometry
//!
//! A picture is 760 units wide. Its title is on top, its legend at the bottom. Cells of a matrix are
//! 20 × 16 units, or smaller where they do not fit. All text is monospaced.
//!
//! # Colours
//!
//! The colours are those of Okabe and Ito, which people with any form of colour blindness can tell apart, as
//! the custom properties `--gemm-0` to `--gemm-7`. They have a light and a dark variant, chosen by
//! `prefers-color-scheme`; a page that contains a picture may set them. A colour never stands alone: each
//! cell has its number as text or is named in the legend.
//!
//! # Data
//!
//! Elements have `data-*` attributes, such as `data-row`, `data-lane` and `data-bank`. The parts of a
//! pattern that repeats are drawn once. Tests read the pictures back by these attributes and compare them
//! with the plan.
//!
//! # Documentation
//!
//! [`rustdoc::figures`] are the pictures of a plan as HTML for the documentation of an item.

#![forbid(unsafe_code)]

mod canvas;
pub mod copies;
pub mod fragments;
mod grid;
pub mod memory_map;
pub mod overview;
pub mod page;
mod palette;
mod picture;
pub mod pipeline;
pub mod raster;
pub mod registers;
pub mod report;
pub mod roofline;
pub mod rustdoc;
pub mod shared_tile;
pub mod summation;
pub mod warps;

use gemm_codegen::auto::Machine;
use gemm_codegen::{Plan, Side};

pub use palette::{Colour, PALETTE};
pub use picture::Picture;

/// A launch of a kernel, for pictures that depend on the shape and the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// M, N and K.
    pub shape: [usize; 3],
    /// Matrices of a batch; 1 of a kernel without batch indices.
    pub batch: usize,
    /// What it runs on.
    pub machine: Machine,
}

impl Launch {
    /// M × N × K, and the matrices of a batch of several.
    pub(crate) fn extents(&self) -> String {
        let [m, n, k] = self.shape;
        let batch =
            if self.batch == 1 { String::new() } else { format!(", {} matrices", self.batch) };
        format!("{m} × {n} × {k}{batch}")
    }
}

/// The pictures that depend on the plan alone, from the block to the registers of a lane.
pub fn of_plan(plan: &Plan) -> Vec<Picture> {
    let sides = |picture: fn(&Plan, Side) -> Picture| Side::BOTH.map(|side| picture(plan, side));
    let mut all = vec![warps::picture(plan)];
    all.extend(sides(copies::picture));
    all.extend(sides(shared_tile::picture));
    all.extend([fragments::picture(plan), memory_map::picture(plan), registers::picture(plan)]);
    all
}

/// Those that depend on a launch, too.
pub fn of_launch(plan: &Plan, launch: &Launch) -> Vec<Picture> {
    let roofline = roofline::picture(plan, launch, None);
    [raster::picture(plan, launch)].into_iter().chain(roofline).collect()
}
