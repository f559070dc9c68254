//! Why a function is not an operation of its name alone, when both are compiled.

use gemm_runtime::signature::Signature;
use gemm_runtime::{Parameter, ParameterKind};

use crate::signature::{AGREE, Message, name};

const OPERATION: &str = "\nhelp: make a `gemm_candle::Operation` of it";
const IN_PLACE: &str = "` by hand, of the functions of `gemm_candle::cpu` and `gemm_candle::cuda`";
const SCALES: &str = "`, which no tensor is read as\nhelp: `gemm_candle::QuantizedLinear` is a layer of such weights; \
                      write another operation by hand, of `gemm_candle::quantized::Weights` and the functions of \
                      `gemm_candle::cpu` and `gemm_candle::cuda`";

/// Why a function is not the operation of this name, with `count` tensors and one output; without text if it is, and for a
/// function with an error, which has been reported.
pub const fn unfit(signature: &Signature, operation: &'static str, count: &'static str) -> Message {
    let Signature { function, parameters, outputs, in_place, .. } = *signature;
    if parameters.is_empty() {
        return AGREE;
    }
    if let Some(scales) = first(parameters, true) {
        return about(
            function,
            ["has the scales of tiles `", name(scales), SCALES, "", "", "", ""],
        );
    }
    if in_place {
        let by_hand = in_place_operation(parameters);
        let text = "works in place, a `";
        let help = "` returns its output\nhelp: write an `";
        return about(function, [text, operation, help, by_hand, IN_PLACE, "", ""]);
    }
    if let Some(scalar) = first(parameters, false) {
        let text = ["has the scalar `", name(scalar), "`, a `", operation, "` has tensors alone"];
        let [a, b, c, d, e] = text;
        return about(function, [a, b, c, d, e, OPERATION, ""]);
    }
    if outputs != 1 {
        let text = "has several outputs, a `";
        return about(function, [text, operation, "` has one", OPERATION, "", "", ""]);
    }
    let (tensors, help) = match parameters.len() - outputs {
        1 => ("1 tensor", "\nhelp: write `CustomOp1`"),
        2 => ("2 tensors", "\nhelp: write `CustomOp2`"),
        3 => ("3 tensors", "\nhelp: write `CustomOp3`"),
        4 => ("4 tensors", OPERATION),
        5 => ("5 tensors", OPERATION),
        6 => ("6 tensors", OPERATION),
        _ => ("more than 6 tensors", OPERATION),
    };
    if tensors.as_bytes()[0] == count.as_bytes()[0] {
        return AGREE;
    }
    about(function, ["has ", tensors, ", a `", operation, "` has ", count, help])
}

/// The first operand that is scales of tiles, or else a scalar by value.
const fn first(parameters: &'static [Parameter], is_scales: bool) -> Option<&'static Parameter> {
    let mut number = 0;
    while number < parameters.len() {
        match parameters[number].kind {
            ParameterKind::Tiled { .. } if is_scales => return Some(&parameters[number]),
            ParameterKind::Scalar(_) if !is_scales => return Some(&parameters[number]),
            _ => number += 1,
        }
    }
    None
}

/// candle's trait of an operation in place of as many tensors as there are parameters that are no scalars by value.
const fn in_place_operation(parameters: &[Parameter]) -> &'static str {
    let (mut number, mut tensors) = (0, 0);
    while number < parameters.len() {
        if !matches!(parameters[number].kind, ParameterKind::Scalar(_)) {
            tensors += 1;
        }
        number += 1;
    }
    match tensors {
        1 => "InplaceOp1",
        2 => "InplaceOp2",
        3 => "InplaceOp3",
        _ => "InplaceOpN",
    }
}

const fn about(function: &'static str, text: [&'static str; 7]) -> Message {
    let [a, b, c, d, e, f, g] = text;
    ["`", function, "` ", a, b, c, d, e, f, g]
}
