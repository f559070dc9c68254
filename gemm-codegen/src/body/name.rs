//! Names of the user in the emitted text.

use std::fmt::Write;

use super::function;
use crate::element::Element;

/// Lower-case names that mean something in CUDA C++ or in the emitted text. Elements and
/// the functions of a body come from their tables.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    // Keywords of C++20 and of the GNU dialect.
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq",
    // Macros and types that a compiler may bring along.
    "assert", "half", "linux", "ptrdiff_t", "size_t", "unix",
    // The built-in variables of CUDA.
    "blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize",
    // Ours: what the entry point, the body and the structs of operands call or declare.
    "acc", "acc1", "acc2", "acc3", "Accumulators", "added", "added_k", "added_scale", "apply",
    "are_copied", "arrivals", "arrivals_m", "clear", "scale_sums", "times",
    "arrivals_n", "at", "await_reads", "backwards", "barrier", "Block", "block", "body", "bytes",
    "cluster_meet", "cluster_rank", "col", "cols", "ColumnReductions", "Columns", "complete",
    "consumers_sync", "copied", "copied_group", "Counts", "Elements", "epilogue", "epilogue_ring",
    "epilogue_state", "EpilogueRing", "EpilogueState", "factors_of_b", "FactorsOfB", "fill",
    "finish", "fmod", "fmodf", "global_to_tile", "group", "i", "in_tile", "init_barriers",
    "init_epilogue_barriers", "K", "k", "k_tiles", "launch_dependents", "load", "load_and_store",
    "M", "m", "mainloop", "Maps", "maps", "MapsOfB", "matrices", "Matrix", "matrix", "MatrixRun", "n1", "n2", "n3",
    "place", "segment", "Segments", "segments", "TilesOfSegments",
    "MatrixStrided", "max", "min", "N", "n", "ordered_barrier_arrive", "ordered_barrier_wait",
    "Out", "out", "out0", "out1", "out2", "out3", "Output", "Outputs", "outputs", "Part", "part",
    "part_of", "part_of_block", "partials", "Partials", "partials_m", "partials_n", "prefetch_map",
    "produce", "producer_tail", "fill_tile", "raster", "Read", "read", "reduce", "Reducible",
    "Reductions", "Result", "results", "Ring", "ring", "RingState", "row", "RowReductions", "Rows",
    "rows", "Same", "Share", "share", "share_of_block", "Shared", "shared", "shared_bytes", "skip",
    "scales_a", "scales_b", "ScalesA", "ScalesB", "source_a", "source_b", "source_scales",
    "SourceA", "SourceB", "SourceScales", "split_k", "splits", "stage", "Staged", "StagedTile", "start", "started", "state", "state_after", "store", "Sum", "Sums", "sums",
    "TensorMap", "TileA", "TileB", "Tiles", "tiles", "to_value", "valid", "Values", "values",
    "VectorRun", "VectorSame", "wait_for_predecessor", "Warp", "warp", "Warpgroup", "warpgroup",
    "warpgroup_of", "warpgroup_reg_alloc", "warpgroup_reg_dealloc", "warpgroup_sync", "warps",
    "whole",
];

/// The prefix of a name that had to be spelt out.
const ESCAPE: &str = "esc_";

/// Prefixes of what the text has for each operand or output.
const OF_TEXT: [&str; 10] =
    ["ALIGN_", "at_", "count_", "end_", "exponents_", "ld_", "map_", "of_", "reads_", "stride_"];

/// What follows the name of a factor in that of its exponents, which no author can write.
const EXPONENTS: &str = "'s exponents";

/// Whether these are the exponents of a factor.
pub(crate) fn are_exponents(operand: &str) -> bool {
    operand.ends_with(EXPONENTS)
}

/// The name of the exponents of a factor of this name.
pub(crate) fn exponents_of(factor: &str) -> String {
    format!("{}{EXPONENTS}", plain(factor))
}

/// The name of a user's `name` in the emitted text: an identifier of CUDA C++ that is neither a
/// keyword, nor a macro, nor a name of ours. Different identifiers get different names; `r#name`
/// is the same identifier as `name`.
pub(crate) fn cuda_name(name: &str) -> String {
    let name = plain(name);
    if let Some(factor) = name.strip_suffix(EXPONENTS) {
        return format!("exponents_{}", cuda_name(factor));
    }
    if needs_escape(name) {
        return escape(name);
    }
    // Names that end in underscores make room for the reserved ones, which get one more.
    if is_reserved(name.trim_end_matches('_')) { format!("{name}_") } else { name.to_owned() }
}

/// A name without the mark of a raw identifier.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
        || Element::from_name(name).is_some()
        || function::FUNCTIONS.iter().any(|f| f.cuda() == name.trim_end_matches("_f64"))
        || function::device_functions().any(|f| f.name == name)
}

/// Whether a name is not an identifier of C++, or of a shape that the compiler or the emitted text
/// keeps for itself: `__x`, `_X`, `MACRO`, escaped names, and those with a prefix of [`OF_TEXT`].
fn needs_escape(name: &str) -> bool {
    let identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    let of_compiler = name
        .strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let is_macro = letters.clone().count() > 1 && letters.clone().all(|c| c.is_ascii_uppercase());
    let of_text = name.starts_with(ESCAPE) || OF_TEXT.iter().any(|prefix| name.starts_with(prefix));
    !identifier || of_compiler || is_macro || of_text
}

/// Spells a name so that it can be read back: `_` is doubled, other special characters become
/// their code point between underscores.
fn escape(name: &str) -> String {
    let mut escaped = ESCAPE.to_owned();
    for c in name.chars() {
        match c {
            '_' => escaped.push_str("__"),
            c if c.is_ascii_alphanumeric() => escaped.push(c),
            c => {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "_{:x}_", u32::from(c));
            }
        }
    }
    escaped
}

#[cfg(test)]
#[path = "../../../tests/src/stored/read.rs"]
#[allow(unreachable_pub)]
mod stored;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn different_names_stay_different(a in "(int|esc|ld|[_xX5dfé]){0,4}", b in "(int|esc|ld|[_xX5dfé]){0,4}") {
            prop_assert_eq!(plain(&a) == plain(&b), cuda_name(&a) == cuda_name(&b));
            prop_assert!(cuda_name(&a).bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_'));
        }
    }

    #[test]
    fn an_ordinary_name_stays() {
        for name in ["bias", "alpha", "x", "_unused", "x_", "ldx", "A", "wScale", "a1", "_"] {
            assert_eq!(cuda_name(name), name);
        }
    }

    #[test]
    fn a_reserved_name_gets_an_underscore() {
        for name in [
            "int",
            "m",
            "acc",
            "body",
            "threadIdx",
            "asm",
            "gelu",
            "fmaxf",
            "fmodf",
            "wrapping_neg",
        ] {
            assert_eq!(cuda_name(name), format!("{name}_"));
            assert_eq!(cuda_name(&format!("{name}_")), format!("{name}__"));
        }
    }

    /// What of a text has names of the user in scope, beside the body: the entry point, and structs with a
    /// member for each operand.
    fn scopes(text: &str) -> Vec<&str> {
        let structs = ["struct Values {", "struct Maps {"].into_iter().filter_map(|start| {
            let rest = &text[text.find(start)?..];
            Some(&rest[..rest.find("\n};")?])
        });
        let entry = text.find("__global__").expect("an entry point");
        structs.chain([&text[entry..]]).collect()
    }

    /// The identifiers of CUDA text, but for members, comments and directives.
    fn identifiers(text: &str) -> Vec<&str> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let code = text.lines().filter(|line| !line.starts_with('#'));
        let mut found = Vec::new();
        for line in code.map(|line| line.split("//").next().unwrap_or_default()) {
            for word in line.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
                let before = line[..word.as_ptr() as usize - line.as_ptr() as usize].chars().last();
                let is_member = matches!(before, Some('.' | '>' | ':'));
                if !is_member && !word.starts_with(|c: char| c.is_ascii_digit()) {
                    found.push(word);
                }
            }
        }
        found
    }

    /// Names of operands and of the function, as the banner of a golden has them.
    fn names_of_the_user(text: &str) -> Vec<String> {
        let banner = text.split("\n//\n// out").next().expect("a banner");
        let signature = &banner[banner.find(" fn ").expect("a function") + 4..];
        let named = signature.split([',', '(', '\n']).filter_map(|part| part.split_once(':'));
        let operands = named.map(|(name, _)| name.trim_start_matches(['/', ' ']));
        operands.map(cuda_name).collect()
    }

    #[test]
    fn every_other_name_beside_those_of_the_user_is_reserved() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/goldens"));
        let files =
            std::fs::read_dir(folder).expect("the goldens").map(|file| file.expect("one").path());
        let mut texts = 0;
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "ptxas")) {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            let text = stored::text(folder, name).expect("text");
            let users = names_of_the_user(&text);
            // An entry point ends in the hash of its text.
            let is_entry = |word: &str| word.rsplit('_').next().is_some_and(|end| end.len() == 16);
            for word in scopes(&text).into_iter().flat_map(identifiers) {
                let is_ours = !users.iter().any(|user| user == word) && !is_entry(word);
                assert!(!is_ours || cuda_name(word) != word, "{word} of {name}");
            }
            texts += 1;
        }
        assert!(texts > 100, "the goldens are found");
    }

    #[test]
    fn a_raw_identifier_is_its_name() {
        assert_eq!(cuda_name("r#type"), "type");
        assert_eq!(cuda_name("r#static"), "static_");
    }

    #[test]
    fn other_names_are_spelt_out() {
        assert_eq!(cuda_name("größe"), "esc_gr_f6__df_e");
        assert_eq!(cuda_name("BLK_M"), "esc_BLK__M");
        assert_eq!(cuda_name("ld_x"), "esc_ld__x");
        assert_eq!(cuda_name("stride_x"), "esc_stride__x");
        assert_eq!(cuda_name("exponents_x"), "esc_exponents__x");
        assert_eq!(cuda_name(&exponents_of("r#static")), "exponents_static_");
        assert_eq!(cuda_name("__x"), "esc_____x");
        assert_eq!(cuda_name("esc_x"), "esc_esc__x");
        assert_eq!(cuda_name(""), "esc_");
        assert_eq!(cuda_name("1 x"), "esc_1_20_x");
    }
}
