//! Types of other libraries in a signature, and what to write in their place.

const SPARSE: &str =
    "sparse factors are not supported: write `Mat<T, I, J>`, which stores the zeros too";
const TRIANGULAR: &str = "triangular and symmetric matrices are not supported: write `Mat<T, I, J>`; a body selects \
                          elements of the output by `row()` and `column()`, such as `if column() > row() { 0.0 } \
                          else { z }`";
const TENSOR: &str = "write `Mat<T, I, J>` for a matrix, `Batched<T, B, I, J>` for a matrix for each value of `B`, \
                      `Batched<T, (B, H), I, J>` for each pair, `Vector<T, I>` for a vector";

/// Each with the beginnings of the names of such types.
const ALL: [(&str, &[&str]); 3] = [
    (SPARSE, &["bsr", "coo", "csc", "csr", "sparse"]),
    (TRIANGULAR, &["lower", "symmetric", "triangular", "tril", "triu", "upper"]),
    (TENSOR, &["array", "ndarray", "tensor"]),
];

/// Other names of element types, each with ours.
const ELEMENTS: [(&str, &[&str]); 8] = [
    ("f16", &["float16", "fp16", "half"]),
    ("bf16", &["bfloat16"]),
    ("f32", &["float", "float32", "fp32"]),
    ("f64", &["double", "float64", "fp64"]),
    ("i8", &["int8"]),
    ("u8", &["uint8"]),
    ("e4m3", &["f8", "f8e4m3", "f8_e4m3", "float8", "float8_e4m3", "float8_e4m3fn", "fp8"]),
    ("e5m2", &["f8e5m2", "f8_e5m2", "float8_e5m2"]),
];

/// Types of scalars that are not passed, and what to write in their place.
const SCALARS: [(&str, &[&str]); 4] = [
    ("write `f32`, or `Scalar<f16>` for a scalar in device memory", &["f16"]),
    ("write `f32`, or `Scalar<bf16>` for a scalar in device memory", &["bf16"]),
    ("write `i32`", &["i8", "i16", "i64", "isize", "u8", "u16", "u32", "u64", "usize"]),
    ("write `i32`, and compare it in the body: `if on != 0 { .. } else { .. }`", &["bool"]),
];

/// Types of values, which a call passes or returns.
const VALUES: [&str; 6] =
    ["BatchedMatrix", "DeviceVector", "Matrix", "MatrixRef", "Vec", "VectorRef"];

/// What to write in place of the type of this name.
pub(super) fn instead(name: Option<&str>) -> Option<&'static str> {
    let name = name?;
    if VALUES.contains(&name) {
        return Some(TENSOR);
    }
    if let Some((help, _)) = SCALARS.iter().find(|(_, names)| names.contains(&name)) {
        return Some(help);
    }
    let name = name.to_lowercase();
    let is_of = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    ALL.iter().find(|(_, starts)| is_of(starts)).map(|(help, _)| *help)
}

/// Our name of an element type, case ignored.
pub(super) fn element(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    ELEMENTS.iter().find(|(_, names)| names.contains(&&*name)).map(|(ours, _)| *ours)
}

#[cfg(test)]
mod tests {
    use gemm_codegen::Element;

    use super::*;

    #[test]
    fn other_names_of_elements_are_of_elements_and_are_none() {
        for (ours, names) in ELEMENTS {
            assert!(Element::from_name(ours).is_some(), "{ours}");
            for name in names {
                assert!(
                    Element::from_name(name).is_none() && element(name) == Some(ours),
                    "{name}"
                );
            }
        }
        assert_eq!(element("BFloat16"), Some("bf16"));
        assert_eq!(element("f16x"), None);
    }

    #[test]
    fn the_types_of_a_signature_are_not_of_another_library() {
        for ours in ["Mat", "Vector", "Batched", "Tiled", "Scalar", "f32", "T"] {
            assert_eq!(instead(Some(ours)), None, "{ours}");
        }
        assert_eq!([Some("Matrix"), Some("Vec")].map(instead), [Some(TENSOR); 2]);
        assert_eq!(instead(Some("SparseMatrix")), Some(SPARSE));
        assert_eq!(instead(Some("CsrMatrix")), Some(SPARSE));
    }
}
