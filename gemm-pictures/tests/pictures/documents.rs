//! The pictures of the documents.

use std::iter;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use gemm_check::trace_plan;
use gemm_codegen::{Plan, Side};
use gemm_pictures::page::{Content, Page, Section};
use gemm_pictures::{
    Picture, copies, fragments, memory_map, overview, pipeline, raster, registers, shared_tile,
    warps,
};

use crate::{GOLDENS, goldens, launch, summation};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The plan of the first function of an example.
fn example(name: &str) -> Plan {
    let file = root().join(format!("examples/{name}.rs"));
    let first = goldens::of_file(&file).into_iter().next();
    first.unwrap_or_else(|| panic!("no function in {name}")).1
}

fn golden(name: &str) -> Plan {
    let found = GOLDENS.iter().find(|(golden, _)| golden == name);
    found.unwrap_or_else(|| panic!("no golden {name}")).1.clone()
}

#[test]
fn the_readme_has_the_picture_of_its_example() {
    let picture = overview::picture(&example("quickstart"));
    expect_file![root().join("docs/pictures/quickstart.svg")].assert_eq(&picture.svg);
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(readme.contains("](docs/pictures/quickstart.svg)"));
}

/// The launch of the gallery.
const SHAPE: [usize; 3] = [2304, 4608, 4096];

/// A launch whose last wave is so short that its tiles are shared.
const SHORT_TAIL: [usize; 3] = [1536, 1536, 4096];

/// A kernel of an example or a golden, what the gallery says of it, and its pictures.
type Shown = (fn(&str) -> Plan, &'static str, &'static str, fn(&Plan) -> Vec<Picture>);

const GALLERY: [Shown; 5] = [
    (
        example,
        "global_gemm",
        "examples/global_gemm.rs: every level of the schedule is written out, copies by cp.async. Look here first: \
         one kernel from the block tile to the registers, and the pipeline that its copies fill.",
        |plan| {
            let [a, b] = tiles(plan);
            let drawn = [warps::picture(plan), copies::picture(plan, Side::A), a, b];
            let kept = [memory_map::picture(plan), registers::picture(plan)];
            drawn.into_iter().chain(kept).chain([blocks(plan), timeline(plan, 10)]).collect()
        },
    ),
    (
        example,
        "hello_mma",
        "examples/hello_mma.rs: one warp and one mma.sync. Look at which lane and register hold each element of an \
         MMA atom, next to a map that is wrong.",
        |plan| {
            let drawn = iter::once(fragments::picture(plan)).chain(fragments::true_and_wrong(plan));
            drawn.chain([warps::picture(plan)]).chain(tiles(plan)).collect()
        },
    ),
    (
        example,
        "simt_gemm",
        "examples/simt_gemm.rs: no tensor core; each lane multiplies a register tile. Compare its fragments with those \
         of hello_mma, whose atom is spread over the lanes of a warp.",
        |plan| {
            let drawn = [fragments::picture(plan), warps::picture(plan)];
            drawn.into_iter().chain(tiles(plan)).collect()
        },
    ),
    (
        golden,
        "wgmma_pingpong",
        "Two consumer warpgroups, which compute alternate tiles, and a producer. Look at the pipeline: one of them \
         computes its epilogue while the other multiplies.",
        |plan| {
            let drawn = [warps::picture(plan), fragments::picture(plan), memory_map::picture(plan)];
            let others = [registers::picture(plan), blocks(plan), timeline(plan, 10)];
            drawn.into_iter().chain(others).collect()
        },
    ),
    (
        golden,
        "split_tail",
        "The K of the last wave's tiles is split among blocks. Look at the tail: several blocks share each of \
     its tiles, which fills SMs that would be idle in that wave.",
        |plan| vec![raster::picture(plan, &launch(plan, SHORT_TAIL)), warps::picture(plan)],
    ),
];

fn tiles(plan: &Plan) -> [Picture; 2] {
    Side::BOTH.map(|side| shared_tile::picture(plan, side))
}

fn blocks(plan: &Plan) -> Picture {
    raster::picture(plan, &launch(plan, SHAPE))
}

#[test]
fn the_gallery_has_the_pictures_of_five_kernels() {
    let sections = GALLERY.into_iter().map(|(find, name, text, pictures)| Section {
        heading: name.to_owned(),
        text: text.to_owned(),
        content: Content::Pictures(pictures(&find(name))),
    });
    let [m, n, k] = SHAPE;
    let page = Page {
        title: "Gallery".to_owned(),
        summary: format!(
            "Pictures of five kernels, drawn from their plans; pipelines from traces of the emulator. \
             Launches are {m} × {n} × {k}, but for that of split_tail, on a device like an H200."
        ),
        first: None,
        sections: sections.collect(),
        links: None,
    };
    let html = page.html();
    assert!(html.contains(" blocks share the K of each of "), "no tile of split_tail is split");
    assert!(html.len() < 330_000, "{} B", html.len());
    expect_file![root().join("docs/gallery.html")].assert_eq(&html);
}

/// A chapter of the book, the function whose kernel it is, and the name of its picture.
type Drawn = (&'static str, &'static str, fn(&Plan) -> Picture);

/// The pictures of the book.
const BOOK: [Drawn; 8] = [
    ("one_warp", "one_warp", fragments::picture),
    ("tiles", "tiles", warps::picture),
    ("swizzles", "plain", |plan| shared_tile::picture(plan, Side::A)),
    ("swizzles", "swizzled", |plan| shared_tile::picture(plan, Side::A)),
    ("pipelines", "pipelines", |plan| timeline(plan, 6)),
    ("warpgroups", "warpgroups", |plan| timeline(plan, 6)),
    ("mlp", "up", overview::picture),
    ("block", "gated", warps::picture),
];

fn timeline(plan: &Plan, k_tiles: usize) -> Picture {
    let trace = trace_plan(plan, k_tiles, None).expect("it runs").expect("a block runs");
    pipeline::picture(plan, &trace).expect("a ring")
}

#[test]
fn the_book_has_the_pictures_of_its_kernels() {
    let book = root().join("docs/book");
    for (chapter, function, picture) in BOOK {
        let plans = goldens::of_file(&book.join(format!("src/{chapter}.rs")));
        let found = plans.iter().find(|(name, _)| name == function);
        let picture = picture(&found.unwrap_or_else(|| panic!("no {function}")).1);
        let file = format!("pictures/{chapter}_{function}.svg");
        expect_file![book.join("chapters").join(&file)].assert_eq(&picture.svg);
        assert!(picture.svg.len() < 32_000, "{file}: {} B", picture.svg.len());
        let text = std::fs::read_to_string(book.join(format!("chapters/{chapter}.md")));
        assert!(text.expect("a chapter").contains(&format!("]({file})")), "{file}");
    }
    let files = std::fs::read_dir(book.join("chapters/pictures")).expect("a folder");
    assert_eq!(files.count(), BOOK.len() + 1, "pictures that no chapter has");
}

#[test]
fn the_book_has_the_picture_of_a_step() {
    let chapters = root().join("docs/book/chapters");
    expect_file![chapters.join("pictures/summation.svg")].assert_eq(&summation::drawn().svg);
    let text = std::fs::read_to_string(chapters.join("summation.md")).expect("a chapter");
    assert!(text.contains("](pictures/summation.svg)"));
}
