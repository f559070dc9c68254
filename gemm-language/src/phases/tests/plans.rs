//! What the table of a plan says of the keys that its schedule sets.

use quote::quote;

use super::linear;
use crate::attribute::KEYS;
use crate::phases::read;

/// Keys that are not part of a schedule.
const OTHERS: [&str; 3] = ["auto", "derived", "crate"];

/// A key of a schedule, what is written besides it, how it is written, and what the table says then and does
/// not say without it.
type Case = (&'static str, &'static str, &'static str, &'static str);

const CASES: [Case; 20] = [
    ("tile", "", "tile = [64, 32, 64]", "64 × 32 × 64"),
    ("warps", "tile = [64, 64, 32]", "warps = [4, 1]", "4 × 1 of 16 × 64"),
    ("warpgroups", GROUPED, "warpgroups = [1, 2]", "1 × 2 of 128 × 64"),
    ("schedule", GROUPED, "schedule = pingpong", "pingpong"),
    ("schedule", GROUPED, "schedule = cooperative", "cooperative"),
    ("k_order", WALKING, "k_order = serpentine", "serpentine"),
    ("cluster", GROUPED, "cluster = [2, 1]", "2 x 1 blocks"),
    ("invariant", "tile = [64, 64, 32]", "invariant", "for any M"),
    ("mma", "tile = [64, 64, 32]", "mma = m16n8k8", "m16n8k8"),
    ("acc", "tile = [64, 64, 32]", "acc = f16", "sums in f16"),
    ("promote", GROUPED, "promote = 128", "promoted to f32 every 128 of K"),
    ("copy", "tile = [64, 64, 32]", "copy = ld_global(16)", "ld_global(16)"),
    (
        "copy",
        "tile = [64, 64, 32]",
        "copy(b = cp_async(16, cg, evict_last))",
        "B cp_async(16, cg, evict_last)",
    ),
    ("swizzle", "tile = [64, 64, 64]", "swizzle = [3, 3, 4], allow(bank_conflicts)", "[3, 3, 4]"),
    ("stages", "tile = [64, 64, 32]", "stages = 5", "5 stages"),
    ("raster", "tile = [64, 64, 32]", "raster = along_n(4)", "along_n(4)"),
    ("split_k", "tile = [64, 64, 32]", "split_k = 4", "4 blocks a tile"),
    ("pdl", "tile = [64, 64, 32]", "pdl = [w]", "after the first tiles of B"),
    ("targets", "tile = [64, 64, 32]", "targets = [sm_120]", "on sm_120"),
    ("allow", "tile = [64, 64, 32]", "allow(bank_conflicts)", "bank_conflicts"),
];

const GROUPED: &str = "mma = wgmma, tile = [128, 128, 64]";
const WALKING: &str = "mma = wgmma, tile = [128, 128, 64], schedule = cooperative";

/// The table of the plan of a function with these arguments.
fn table(arguments: &str) -> String {
    let tokens = arguments.parse().expect("it is of tokens");
    let read = read(tokens, linear()).unwrap_or_else(|errors| panic!("{arguments}: {errors}"));
    read[0].plan.table()
}

#[test]
fn the_table_of_a_plan_has_every_key_of_its_schedule() {
    for (key, besides, written, says) in CASES {
        assert!(written.starts_with(key), "{written}");
        let table = |arguments: &[&str]| table(&arguments.join(", "));
        let first = usize::from(besides.is_empty());
        let (with, without) = (table(&[besides, written][first..]), table(&[besides]));
        assert!(with.contains(says), "no `{says}` of `{written}` in\n{with}");
        assert!(!without.contains(says), "`{says}` without `{written}` in\n{without}");
    }
    let tf32 = quote! {
        fn f(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
            matmul(x, w)
        }
    };
    let plan = &read(quote!(precision = tf32), tf32).expect("it is legal")[0].plan;
    assert!(plan.table().contains("| precision") && plan.table().contains("tf32"));

    let covered = |key: &str| CASES.iter().any(|(of, ..)| *of == key) || key == "precision";
    for (key, ..) in KEYS {
        assert_ne!(covered(key), OTHERS.contains(&key), "`{key}` is a key of a schedule or not");
    }
}
