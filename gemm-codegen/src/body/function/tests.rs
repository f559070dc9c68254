use super::*;

#[test]
fn no_function_is_defined_twice() {
    for (i, f) in FUNCTIONS.iter().enumerate() {
        for g in &FUNCTIONS[i + 1..] {
            let same = f.name == g.name && f.syntax == g.syntax;
            assert!(!same || f.own() != g.own(), "{}", f.signature());
        }
        assert_eq!(f.parameters[0].1, f.own(), "{}", f.signature());
    }
}

#[test]
fn both_floats_have_the_same_functions() {
    let of = |ty| {
        let functions = FUNCTIONS.iter().filter(move |f| f.own() == ty);
        functions.map(|f| (f.name, f.syntax, f.parameters.len())).collect::<Vec<_>>()
    };
    assert_eq!(of(F32), of(F64));
}

#[test]
fn a_defined_function_has_the_signature_of_its_device_function() {
    for function in FUNCTIONS {
        let Device::Defined(defined) = function.device else { continue };
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|(name, ty)| format!("const {} {name}", ty.cuda()))
            .collect();
        let head = format!(
            "__device__ __forceinline__ {} {}({}) {{",
            function.result.cuda(),
            defined.name,
            parameters.join(", ")
        );
        for text in [false, true].map(|halves| defined.text(halves)) {
            assert!(text.contains(&head), "{} has no `{head}`", defined.name);
        }
    }
}

#[test]
fn texts_are_one_narrow_ascii_function() {
    let of_both = |function: &'static DeviceFunction| {
        [false, true].map(|halves| (function.name, function.text(halves)))
    };
    for (name, text) in device_functions().flat_map(of_both) {
        assert!(text.is_ascii() && text.ends_with("}\n"), "{name}");
        assert!(text.starts_with("//"), "{name} says what it computes");
        assert!(text.lines().all(|line| line.len() <= 100), "{name}");
        assert_eq!(text.matches("__device__").count(), 1, "{name}");
    }
}

#[test]
fn a_closure_is_ordered_and_minimal() {
    let closure = |names: &[&str]| {
        let functions = closure(|f| names.contains(&f.name));
        functions.into_iter().map(|f| f.name).collect::<Vec<_>>()
    };
    assert_eq!(closure(&["silu", "gelu"]), ["gelu", "times_sigmoid", "silu"]);
    let nested = ["clamp_f64", "hardsigmoid_f64", "hardswish_f64"];
    assert_eq!(closure(&["hardswish_f64"]), nested);
    assert!(closure(&[]).is_empty());
}

#[test]
fn signatures_read_like_rust() {
    let of = |name| FUNCTIONS.iter().find(|f| f.name == name).unwrap().signature();
    assert_eq!(of("leaky_relu"), "leaky_relu(x: f32, slope: f32) -> f32");
    assert_eq!(of("powi"), "f32::powi(x: f32, n: i32) -> f32");
}

#[test]
fn the_table_has_a_row_for_each_function() {
    assert_eq!(function_table().lines().count(), 2 + FUNCTIONS.len());
}
