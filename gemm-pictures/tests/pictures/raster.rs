//! The order of the tiles of an output.

use gemm_codegen::{Plan, Raster, emit};
use gemm_pictures::{Launch, raster};

use crate::parse::{area, document, having, number, numbers, only};
use crate::{GOLDENS, launch};

/// Whole and partial tiles, few and many, and outputs of one row of tiles.
const SHAPES: [[usize; 3]; 4] =
    [[1024, 1024, 512], [1000, 3001, 77], [1, 5000, 4096], [4096, 40, 1024]];

#[test]
fn each_tile_is_drawn_once_in_the_order_of_the_raster() {
    let (mut tails, mut shared) = (0, 0);
    for ((golden, plan), shape) in
        GOLDENS.iter().flat_map(|golden| SHAPES.map(|shape| (golden, shape)))
    {
        let (with_tail, with_shared) = check(golden, plan, shape);
        tails += u32::from(with_tail);
        shared += u32::from(with_shared);
    }
    assert!(tails > 50 && shared > 5, "{tails} tails, {shared} with shared tiles");
}

#[test]
fn the_blocks_of_a_batch_are_those_of_all_its_matrices() {
    let mut checked = 0;
    for (golden, plan) in GOLDENS.iter().filter(|(_, plan)| !plan.batch().is_empty()) {
        let launch = Launch { batch: 7, ..launch(plan, [1000, 3001, 512]) };
        let kernel = emit(plan);
        let shares = kernel.shares(launch.shape, 7, &launch.machine);
        let blocks = kernel.launch.blocks([1000, 3001], 7, &shares);
        let said = format!(": {} ", blocks / u64::from(kernel.launch.cluster_size()));
        let caption = raster::picture(plan, &launch).caption;
        assert!(caption.contains(" in each of 7 matrices in the order "), "{golden}: {caption}");
        assert!(caption.contains(&said), "{golden}: {said} in {caption}");
        checked += 1;
    }
    assert!(checked > 3, "{checked} kernels");
}

fn check(golden: &str, plan: &Plan, shape: [usize; 3]) -> (bool, bool) {
    let launch = launch(plan, shape);
    let picture = raster::picture(plan, &launch);
    let document = document(&picture);
    let frame = only(document.root_element(), "tiles");
    let tiles = [0, 1].map(|axis| u64::from(numbers(frame, "tiles")[axis]));
    let mut drawn = vec![None; (tiles[0] * tiles[1]) as usize];
    for node in having(frame, "wave") {
        let (at, extents) = area(node);
        let along = usize::from(matches!(plan.raster(), Raster::AlongN(_)));
        for number_in in 0..extents[0] * extents[1] {
            let order = u64::from(number(node, "order") + number_in);
            let mut place = at;
            place[along] += number_in % extents[along];
            place[1 - along] += number_in / extents[along];
            let place = place.map(u64::from);
            assert_eq!(place, plan.raster().place(order, tiles), "{golden} {shape:?}: {order}");
            let to = &mut drawn[order as usize];
            assert!(to.is_none(), "{golden} {shape:?}: tile {order} twice");
            *to = Some((number(node, "wave"), number(node, "blocks")));
        }
    }
    let kernel = emit(plan);
    let size = u64::from(kernel.launch.cluster_size());
    let slots = (kernel.resident_blocks(&launch.machine) / size).max(1);
    let mut blocks = 0;
    for (order, tile) in drawn.iter().enumerate() {
        let (wave, of_tile) = tile.unwrap_or_else(|| panic!("{golden} {shape:?}: {order}"));
        blocks += u64::from(of_tile);
        assert_eq!(u64::from(wave), (blocks - 1) / slots, "{golden} {shape:?}: tile {order}");
    }
    let extents = [shape[0], shape[1]].map(|extent| extent as u64);
    let shares = kernel.shares(shape, 1, &launch.machine);
    let expected = kernel.launch.blocks(extents, 1, &shares);
    assert_eq!(blocks * size, expected, "{golden} {shape:?}: blocks of the grid");
    let has_shared = drawn.iter().flatten().any(|(_, blocks)| *blocks > 1);
    (!blocks.is_multiple_of(slots), has_shared)
}
