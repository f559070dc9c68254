//! A name that a help suggests is legal in its place.

use quote::quote;

use crate::phases::read;

/// A product of these elements.
fn product(element: &str) -> proc_macro2::TokenStream {
    let element = quote::format_ident!("{element}");
    quote! {
        fn f(x: Mat<#element, M, K>, w: Mat<#element, N, K>) -> Mat<f32, M, N> {
            matmul(x, w)
        }
    }
}

/// The errors of such a product with these arguments.
fn errors(element: &str, arguments: &str) -> Vec<String> {
    let tokens = arguments.parse().expect("it is of tokens");
    let errors = read(tokens, product(element)).err();
    errors.into_iter().flatten().map(|error| error.to_string()).collect()
}

/// What the help of a name suggests.
fn suggestion(error: &str) -> Option<&str> {
    error.split("did you mean `").nth(1)?.split('`').next()
}

#[test]
fn a_suggestion_is_accepted_in_its_place() {
    let values = [
        "acc = bf16",
        "acc = f61",
        "acc = f23",
        "acc = i23",
        "acc = fp32",
        "precision = tf23",
        "precision = tf32x3",
        "precision = f23",
        "mma = m16n8k61",
        "mma = m16n8k5",
        "mma = wgmm",
        "mma = m64nNkk",
        "mma = m16n8k23",
        "schedule = pingpnog",
        "schedule = cooperativ",
        "k_order = serpentin",
        "copy = tmaa",
        "copy = cp_asnyc(8, ca)",
        "copy = cp_async(8, CG)",
        "copy = ld_globl(16, evict_first)",
        "copy = cp_async(16, cg, evict_frist)",
        "targets = [sm_57]",
        "targets = [sm80]",
        "targets = [sm_90b]",
        "allow(bank_conflict)",
        "raster = along_k(8)",
        "warp = [2, 2]",
        "warpgroup = [2, 1]",
        "tiles = [64, 64, 64]",
        "stage = 3",
        "clusters = [2, 1]",
        "cop = tma",
        "swizle = [3, 3, 3]",
        "splitk = 2",
    ];
    let besides = [
        "tile = [128, 128, 64]",
        "mma = wgmma",
        "mma = wgmma, warpgroups = [2, 1]",
        "mma = fma(8, 8)",
        "targets = [sm_75]",
        "stages = 2, warps = [2, 2]",
        "copy = tma",
        "mma = wgmma, schedule = cooperative",
    ];
    let mut made = 0;
    for element in ["f16", "bf16", "f32", "f64", "i8"] {
        for (value, beside) in values.iter().flat_map(|value| besides.map(|beside| (value, beside)))
        {
            let arguments = format!("{beside}, {value}");
            let before = errors(element, &arguments);
            let Some((error, suggested)) =
                before.iter().find_map(|error| Some((error, suggestion(error)?)))
            else {
                continue;
            };
            let unknown = error.split('`').nth(1).expect("the name");
            let after = errors(element, &arguments.replace(unknown, suggested));
            // Of other mistakes the product without the value has them, too.
            let without = errors(element, beside);
            let worse =
                after.iter().find(|error| !without.contains(error) && !before.contains(error));
            assert!(worse.is_none(), "{element}: {arguments}\n{error}\n{worse:?}");
            made += 1;
        }
    }
    assert!(made > 100, "{made} suggestions");
}

#[test]
fn what_is_legal_is_listed_where_nothing_is_suggested() {
    let help = |element, arguments| errors(element, arguments).remove(0);
    let bf16 = help("bf16", "acc = bf16");
    assert!(suggestion(&bf16).is_none() && bf16.ends_with("help: expected `f32`"), "{bf16}");
    assert!(suggestion(&help("f32", "precision = tf32x3")).is_none());
    assert_eq!(suggestion(&help("f32", "precision = tf23")), Some("tf32"));
    assert_eq!(suggestion(&help("f16", "acc = f61")), Some("f16"));
}
