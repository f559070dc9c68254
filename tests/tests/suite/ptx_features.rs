//! The features of PTX that kernels need, compared with their texts, and the table of docs/support.md.
//!
//! `UPDATE_EXPECT=1 cargo test -p gemm-tests --test suite ptx_features` writes it.

use std::fmt::Write as _;

use expect_test::expect_file;
use gemm_runtime::{Kernel, PtxFeature, Target};
use gemm_tests::goldens;

use crate::nvrtc::SAMPLE;
use crate::shared::with_table;
use crate::{Test, derived};

pub(crate) fn tests() -> Vec<Test> {
    tests![features_are_those_of_the_text, the_sample_has_every_feature, the_document_has_the_table,]
}

/// The newest feature that the instructions of a text have.
fn feature_of_text(kernel: &Kernel) -> Option<PtxFeature> {
    let line = |needs: &dyn Fn(&str) -> bool| kernel.text.lines().any(needs);
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let float8 = |line: &str| has(line, &["e4m3", "e5m2"]);
    if line(&|line| has(line, &["sync_restrict", ".relaxed.cluster"])) {
        return Some(PtxFeature::ClusterFences);
    }
    let mixed = |line: &str| line.contains("wgmma.mma_async.") && has(line, &[".s8.u8", ".u8.s8"]);
    if line(&mixed) {
        return Some(PtxFeature::MixedSigns);
    }
    if line(&|line| line.contains("\"mma.sync.") && float8(line)) {
        return Some(PtxFeature::Float8Products);
    }
    let converts = line(&|line| line.contains("\"cvt.") && float8(line));
    let is_on_ada = kernel.launch.targets.contains(&Target::Sm89);
    (converts && is_on_ada).then_some(PtxFeature::Float8Conversions)
}

fn features_are_those_of_the_text() {
    let candidates = derived::candidates();
    let candidates = candidates.iter().map(|measured| &measured.kernel);
    let mut seen = Vec::new();
    for kernel in goldens::ALL.iter().map(|golden| golden.kernel).chain(candidates) {
        let feature = kernel.launch.newest_feature;
        assert_eq!(feature, feature_of_text(kernel), "{}", kernel.entry);
        seen.extend(feature);
    }
    assert!(PtxFeature::ALL.iter().all(|feature| seen.contains(feature)), "{seen:?}");
}

fn the_sample_has_every_feature() {
    let sample = goldens::ALL.iter().filter(|golden| SAMPLE.contains(&golden.name));
    let features: Vec<_> = sample.map(|golden| golden.kernel.launch.newest_feature).collect();
    assert_eq!(features.len(), SAMPLE.len());
    let all = PtxFeature::ALL.map(Some).into_iter().chain([None]);
    all.for_each(|feature| assert!(features.contains(&feature), "{feature:?}"));
}

/// The schedules that have a feature, in words.
fn schedules(feature: PtxFeature) -> &'static str {
    match feature {
        PtxFeature::Float8Conversions => "sm_89 among the targets, e4m3 or e5m2 read or stored",
        PtxFeature::Float8Products => "e4m3 or e5m2 as factors, without `mma = wgmma`",
        PtxFeature::MixedSigns => "`mma = wgmma` with i8 by u8, or u8 by i8",
        PtxFeature::ClusterFences => "`mma = wgmma` with `cluster` or `split_k`",
        other => panic!("{other:?} is not described"),
    }
}

fn table() -> String {
    let mut text =
        String::from("| schedules | instructions | PTX ISA | NVRTC |\n| --- | --- | --- | --- |\n");
    for feature in PtxFeature::ALL {
        let ((major, minor), (of_nvrtc, of_minor)) = (feature.ptx(), feature.nvrtc());
        let words = schedules(feature);
        let _ = writeln!(text, "| {words} | {feature} | {major}.{minor} | {of_nvrtc}.{of_minor} |");
    }
    text + "| all others | | 8.0 | 12.0 |\n"
}

fn the_document_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/support.md");
    let document = std::fs::read_to_string(path).expect("docs/support.md");
    expect_file![path].assert_eq(&with_table(&document, "nvrtc", &table()));
}
