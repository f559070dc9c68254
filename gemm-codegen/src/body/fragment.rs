//! Device functions that an emitted text defines: one `.cuh` file each.

/// A `__device__` function in a file of its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    /// Name of the function.
    pub(crate) name: &'static str,
    /// The whole text: a comment and the function.
    pub(crate) text: &'static str,
    /// What it calls.
    pub(crate) calls: &'static [&'static Fragment],
}

macro_rules! fragments {
    ($($variant:ident = $name:literal, calls [$($callee:ident),*];)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub(crate) static $variant: Fragment = Fragment {
                name: $name,
                text: include_str!(concat!("../device/", $name, ".cuh")),
                calls: &[$(&$callee),*],
            };
        )*

        /// Every fragment; what one calls comes before it.
        pub(crate) static FRAGMENTS: &[&Fragment] = &[$(&$variant),*];
    };
}

fragments! {
    WRAPPING_ADD = "wrapping_add", calls [];
    WRAPPING_SUB = "wrapping_sub", calls [];
    WRAPPING_MUL = "wrapping_mul", calls [];
    WRAPPING_NEG = "wrapping_neg", calls [];
    WRAPPING_DIV = "wrapping_div", calls [WRAPPING_NEG];
    WRAPPING_REM = "wrapping_rem", calls [];
    WRAPPING_ABS = "wrapping_abs", calls [WRAPPING_NEG];
    CLAMP = "clamp", calls [];
    SIGNUM = "signum", calls [];
    POWI = "powi", calls [];
    RELU = "relu", calls [];
    SIGMOID = "sigmoid", calls [];
    SOFTPLUS = "softplus", calls [];
    HARDSIGMOID = "hardsigmoid", calls [CLAMP];
    GELU = "gelu", calls [];
    GELU_TANH = "gelu_tanh", calls [SIGMOID];
    SILU = "silu", calls [SIGMOID];
    HARDSWISH = "hardswish", calls [HARDSIGMOID];
    MISH = "mish", calls [SOFTPLUS];
    LEAKY_RELU = "leaky_relu", calls [];
    ELU = "elu", calls [];
    CLAMP_F64 = "clamp_f64", calls [];
    SIGNUM_F64 = "signum_f64", calls [];
    POWI_F64 = "powi_f64", calls [];
    RELU_F64 = "relu_f64", calls [];
    SIGMOID_F64 = "sigmoid_f64", calls [];
    SOFTPLUS_F64 = "softplus_f64", calls [];
    HARDSIGMOID_F64 = "hardsigmoid_f64", calls [CLAMP_F64];
    GELU_F64 = "gelu_f64", calls [];
    GELU_TANH_F64 = "gelu_tanh_f64", calls [SIGMOID_F64];
    SILU_F64 = "silu_f64", calls [SIGMOID_F64];
    HARDSWISH_F64 = "hardswish_f64", calls [HARDSIGMOID_F64];
    MISH_F64 = "mish_f64", calls [SOFTPLUS_F64];
    LEAKY_RELU_F64 = "leaky_relu_f64", calls [];
    ELU_F64 = "elu_f64", calls [];
    TRUNCATED_F64 = "truncated_f64", calls [];
}

/// The fragments for which `used` holds and all that they call, callees first.
pub(crate) fn closure(used: impl Fn(&Fragment) -> bool) -> Vec<&'static Fragment> {
    let mut needed: Vec<&Fragment> = FRAGMENTS.iter().copied().filter(|f| used(f)).collect();
    let mut next = 0;
    while let Some(fragment) = needed.get(next) {
        for callee in fragment.calls {
            if !needed.contains(callee) {
                needed.push(callee);
            }
        }
        next += 1;
    }
    FRAGMENTS.iter().copied().filter(|f| needed.contains(f)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_before_their_callers() {
        for (i, fragment) in FRAGMENTS.iter().enumerate() {
            for callee in fragment.calls {
                assert!(FRAGMENTS[..i].contains(callee), "{}", fragment.name);
            }
        }
    }

    #[test]
    fn a_fragment_calls_what_it_says() {
        for fragment in FRAGMENTS {
            for other in FRAGMENTS {
                let calls =
                    fragment.text.lines().filter(|line| !line.starts_with("//")).any(|line| {
                        line.match_indices(&format!("{}(", other.name)).any(|(at, _)| {
                            !line[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric())
                        })
                    });
                let itself = other.name == fragment.name;
                assert_eq!(calls, itself || fragment.calls.contains(other), "{}", fragment.name);
            }
        }
    }

    #[test]
    fn texts_are_one_narrow_ascii_function() {
        for Fragment { name, text, .. } in FRAGMENTS {
            assert!(text.is_ascii() && text.ends_with("}\n"), "{name}");
            assert!(text.starts_with("//"), "{name} says what it computes");
            assert!(text.lines().all(|line| line.len() <= 100), "{name}");
            assert_eq!(text.matches("__device__").count(), 1, "{name}");
        }
    }

    #[test]
    fn a_closure_is_ordered_and_minimal() {
        let names: Vec<&str> =
            closure(|f| f.name == "mish" || f.name == "gelu").iter().map(|f| f.name).collect();
        assert_eq!(names, ["softplus", "gelu", "mish"]);
        assert!(closure(|_| false).is_empty());
    }
}
