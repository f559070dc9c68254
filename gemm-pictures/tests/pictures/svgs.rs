//! Some pictures as files, so that a change of what is drawn shows as a difference.

use std::path::Path;

use expect_test::expect_file;
use gemm_codegen::Side;
use gemm_pictures::{
    copies, fragments, memory_map, raster, registers, roofline, shared_tile, warps,
};

use crate::{GOLDENS, launch};

#[test]
fn a_picture_of_each_kind_is_as_in_its_file() {
    let plan = |name: &str| {
        let found = GOLDENS.iter().find(|(golden, _)| golden == name);
        &found.unwrap_or_else(|| panic!("no golden {name}")).1
    };
    let (derived, groups) = (plan("derived"), plan("wgmma_cooperative"));
    let shape = [2048, 2048, 2048];
    let pictures = [
        ("shared_tile", shared_tile::picture(derived, Side::A)),
        ("shared_tile_conflicts", shared_tile::picture(plan("conflicts_no_swizzle"), Side::A)),
        ("copies", copies::picture(derived, Side::A)),
        ("copies_cluster", copies::picture(plan("wgmma_cluster"), Side::A)),
        ("fragments", fragments::picture(derived)),
        ("fragments_fma", fragments::picture(plan("fma_nt"))),
        ("fragments_wgmma", fragments::picture(groups)),
        ("warps", warps::picture(derived)),
        ("raster_tail", raster::picture(plan("split_tail"), &launch(plan("split_tail"), shape))),
        ("memory_map", memory_map::picture(groups)),
        ("registers", registers::picture(groups)),
        ("roofline", roofline::picture(groups, &launch(groups, shape), None).expect("of an H200")),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    let mut bytes = 0;
    for (name, picture) in pictures {
        bytes += picture.svg.len();
        expect_file![folder.join(format!("{name}.svg"))].assert_eq(&picture.svg);
    }
    assert!(bytes < 150_000, "{bytes} B of files");
}
