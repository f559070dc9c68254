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

/// Entries with a misspelt name.
const MISSPELT: [&str; 34] = [
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

/// What the attribute has beside one of them.
const BESIDE: [&str; 8] = [
    "tile = [128, 128, 64]",
    "mma = wgmma",
    "mma = wgmma, warpgroups = [2, 1]",
    "mma = fma(8, 8)",
    "targets = [sm_75]",
    "stages = 2, warps = [2, 2]",
    "copy = tma",
    "mma = wgmma, schedule = cooperative",
];

#[test]
fn the_plural_of_a_key_is_suggested_whatever_its_value_is() {
    for (wrong, right) in
        [("stage = 9", "stages"), ("warp = [16, 16]", "warps"), ("tiles = [8, 8, 8]", "tile")]
    {
        let all = errors("f16", &format!("{wrong}, copy = tma"));
        let suggested = all.iter().find_map(|error| suggestion(error));
        assert_eq!(suggested, Some(right), "{wrong}: {all:?}");
    }
}

/// Asserts that the errors with a suggestion in place of the unknown name are among those `without` it, for
/// the first error that has one; whether any has.
fn is_accepted(
    before: &[String],
    without: &[String],
    after: impl Fn(&str, &str) -> Vec<String>,
) -> bool {
    let suggests = |error: &String| suggestion(error).is_some();
    let Some(error) = before.iter().find(|error| suggests(error)) else { return false };
    let suggested = suggestion(error).expect("it has one");
    let unknown = error.split('`').nth(1).expect("the name");
    // The plural or the singular of a key is suggested whatever its value is.
    let stem = |name: &str| name.trim_end_matches('s').to_owned();
    if stem(unknown) == stem(suggested) {
        return true;
    }
    let after = after(unknown, suggested);
    let worse = after.iter().find(|error| !without.contains(error) && !before.contains(error));
    assert!(worse.is_none(), "{error}\n{worse:?}");
    true
}

#[test]
fn a_suggestion_is_accepted_in_its_place() {
    let mut made = 0;
    let all = MISSPELT.iter().flat_map(|value| BESIDE.map(|beside| (value, beside)));
    // Each value meets every element, beside 8 entries; so does each entry, since 5 does not divide 8.
    let elements = ["f16", "bf16", "f32", "f64", "i8"].into_iter().cycle();
    for ((value, beside), element) in all.zip(elements) {
        let arguments = format!("{beside}, {value}");
        // Of other mistakes the product without the value has them, too.
        let without = errors(element, beside);
        let after = |unknown: &str, name: &str| errors(element, &arguments.replace(unknown, name));
        made += u32::from(is_accepted(&errors(element, &arguments), &without, after));
    }
    assert!(made > 100, "{made} suggestions");
}

/// The errors of this function.
fn errors_of(arguments: &str, function: &str) -> Vec<String> {
    let [arguments, function] = [arguments, function].map(|text| text.parse().expect("tokens"));
    let errors = read(arguments, function).err();
    errors.into_iter().flatten().map(|error| error.to_string()).collect()
}

/// Asserts it of the suggestion for a function; how many there are.
fn accepted(arguments: &str, function: &str) -> usize {
    let after = |unknown: &str, name: &str| {
        let [arguments, function] = [arguments, function].map(|text| text.replace(unknown, name));
        errors_of(&arguments, &function)
    };
    usize::from(is_accepted(&errors_of(arguments, function), &[], after))
}

#[test]
fn an_element_type_that_is_suggested_is_accepted_in_its_place() {
    let mut made = 0;
    for misspelt in ["f61", "fp16", "bf61", "F16", "f23", "fp64", "i23", "i9", "u88", "e4m4"] {
        for other in ["f16", "bf16", "f32", "i8", "e5m2"] {
            for out in ["f32", "f16", "i32"] {
                let function = format!(
                    "fn f(x: Mat<{misspelt}, M, K>, w: Mat<{other}, N, K>) -> Mat<{out}, M, N> {{ matmul(x, w) }}"
                );
                made += accepted("", &function);
            }
            let list = format!("T = [{other}, {misspelt}]");
            made += accepted(
                &list,
                "fn f<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<f32, M, N> { matmul(x, w) }",
            );
        }
    }
    assert!(made > 20, "{made} suggestions");
}

#[test]
fn a_name_of_a_body_that_is_suggested_is_accepted_in_its_place() {
    let bodies = [
        ("matmul(input, weigth)", true),
        ("matmull(input, weight)", true),
        ("matmul(inputs, input)", false),
        ("matmul(input, weight) + weigth", false),
        ("matmul(input, weight) + bais", true),
        ("matmul(input, weight) + cuont", false),
        ("matmul(input, weight) + cuont as f32", true),
        ("{ let wide = matmul(input, weight); wdie + bias }", true),
        ("gelo(matmul(input, weight))", true),
        ("leaky_rleu(matmul(input, weight))", false),
        ("matmul(input, weight).sqr()", true),
        ("matmul(input, weight).clam()", false),
    ];
    for (body, is_suggested) in bodies {
        let function = format!(
            "fn f(input: Mat<f16, M, K>, weight: Mat<f16, N, K>, bias: Vector<f32, N>, count: i32) \
             -> Mat<f32, M, N> {{ {body} }}"
        );
        assert_eq!(accepted("", &function) == 1, is_suggested, "{body}");
    }
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
