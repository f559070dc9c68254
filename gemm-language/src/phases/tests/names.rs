//! Names of the user beside those of the expansion.

use quote::quote;

use super::{assert_has, expand, linear};

#[test]
fn names_that_the_expansion_needs_are_refused() {
    let function = |name: &str, operand: &str| {
        let text = format!(
            "fn {name}({operand}: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {{ \
             gelu(matmul({operand}, w)) }}"
        );
        expand(quote!(), text.parse().expect("it is of tokens"))
    };
    for operand in ["SOURCE", "PLAN", "KERNEL", "KERNELS", "None", "Some", "Ok", "Err", "r#None"] {
        assert_has(&function("f", operand), &["cannot be the name of a parameter"]);
    }
    for name in ["f16", "f32", "i8", "Mat", "Scalar"] {
        let expansion = function(name, "x");
        assert_has(&expansion, &["would hide the type"]);
        assert!(!expansion.contains("mod "), "{expansion}");
    }
    for [name, operand] in [["f", "body"], ["f", "gelu_tanh"], ["body", "reference"], ["gelu", "x"]]
    {
        let expansion = function(name, operand);
        assert!(!expansion.contains("compile_error"), "{expansion}");
    }
}

#[test]
fn a_runtime_of_another_name_is_named_everywhere() {
    for (written, path) in [("gemm", "::gemm::"), ("crate::deps::gemm", "crate::deps::gemm::")] {
        let written = syn::parse_str::<syn::Path>(written).expect("a path");
        let expansion = expand(quote!(crate = #written), linear());
        assert_has(&expansion, &[&format!("impl {path}AsMatrix<'a, {path}f16>")]);
        assert!(!expansion.contains("gemm_runtime"), "{expansion}");
    }
    let errors = [quote!(crate = super::gemm), quote!(crate = "gemm"), quote!(crate)];
    let expansions = errors.map(|arguments| expand(arguments, linear()));
    for (expansion, error) in expansions.iter().zip([
        "the path of gemm_runtime begins with `super`",
        "expected the path of gemm_runtime",
        "`crate` has the wrong form",
    ]) {
        assert_has(expansion, &[error]);
    }
}
