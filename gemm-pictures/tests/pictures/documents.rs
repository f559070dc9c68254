//! The pictures of the documents.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use gemm_check::trace_plan;
use gemm_codegen::{Plan, Side};
use gemm_pictures::page::{Content, Page, Section};
use gemm_pictures::{
    Picture, copies, fragments, memory_map, overview, pipeline, raster, registers, shared_tile,
    warps,
};

use crate::{GOLDENS, goldens, launch};

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

#[test]
fn the_gallery_has_the_pictures_of_five_kernels() {
    let [global, mma, simt] = ["global_gemm", "hello_mma", "simt_gemm"].map(example);
    let [pingpong, tail] = ["wgmma_pingpong", "split_tail"].map(golden);
    let shape = [2304, 4608, 4096];
    let tile = |plan: &Plan| Side::BOTH.map(|side| shared_tile::picture(plan, side));
    let copied = |plan: &Plan| copies::picture(plan, Side::A);
    let drawn = |plan: &Plan| raster::picture(plan, &launch(plan, shape));
    let traced = |plan: &Plan| {
        let trace = trace_plan(plan, 10, None).expect("it runs").expect("a block runs");
        pipeline::picture(plan, &trace)
    };
    let sections = vec![
        section(
            "global_gemm",
            "examples/global_gemm.rs: every level of the schedule is written out, copies by cp.async.",
            [warps::picture(&global), copied(&global)]
                .into_iter()
                .chain(tile(&global))
                .chain([memory_map::picture(&global), registers::picture(&global), drawn(&global)])
                .chain(traced(&global)),
        ),
        section(
            "hello_mma",
            "examples/hello_mma.rs: one warp and one mma.sync.",
            [fragments::picture(&mma)]
                .into_iter()
                .chain(fragments::true_and_wrong(&mma))
                .chain([warps::picture(&mma)])
                .chain(tile(&mma)),
        ),
        section(
            "simt_gemm",
            "examples/simt_gemm.rs: no tensor core; each lane multiplies a register tile.",
            [fragments::picture(&simt), warps::picture(&simt)].into_iter().chain(tile(&simt)),
        ),
        section(
            "wgmma_pingpong",
            "Two warpgroups that take turns, a tile each, and one that copies.",
            [
                warps::picture(&pingpong),
                fragments::picture(&pingpong),
                memory_map::picture(&pingpong),
                registers::picture(&pingpong),
                drawn(&pingpong),
            ]
            .into_iter()
            .chain(traced(&pingpong)),
        ),
        section(
            "split_tail",
            "The K of the last wave's tiles is split among blocks.",
            [drawn(&tail), warps::picture(&tail)].into_iter(),
        ),
    ];
    let page = Page {
        title: "Gallery".to_owned(),
        summary: format!(
            "Pictures of five kernels, drawn from their plans; pipelines from traces of the emulator. Launches are {} × {} × {} on a device like \
             an H200.",
            shape[0], shape[1], shape[2]
        ),
        sections,
        links: None,
    };
    let html = page.html();
    assert!(html.len() < 330_000, "{} B", html.len());
    expect_file![root().join("docs/gallery.html")].assert_eq(&html);
}

/// A chapter of the book, the function whose kernel it is, and the name of its picture.
type Drawn = (&'static str, &'static str, fn(&Plan) -> Picture);

/// The pictures of the book.
const BOOK: [Drawn; 7] = [
    ("one_warp", "one_warp", fragments::picture),
    ("tiles", "tiles", warps::picture),
    ("swizzles", "plain", |plan| shared_tile::picture(plan, Side::A)),
    ("swizzles", "swizzled", |plan| shared_tile::picture(plan, Side::A)),
    ("pipelines", "pipelines", timeline),
    ("warpgroups", "warpgroups", timeline),
    ("mlp", "up", overview::picture),
];

fn timeline(plan: &Plan) -> Picture {
    let trace = trace_plan(plan, 6, None).expect("it runs").expect("a block runs");
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
    assert_eq!(files.count(), BOOK.len(), "pictures that no chapter has");
}

fn section(heading: &str, text: &str, pictures: impl Iterator<Item = Picture>) -> Section {
    Section {
        heading: heading.to_owned(),
        text: text.to_owned(),
        content: Content::Pictures(pictures.collect()),
    }
}
