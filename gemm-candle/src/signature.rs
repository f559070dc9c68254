//! The signature of an operation against the one that `#[gemm]` declares, when both are compiled.

use std::borrow::Cow;

use gemm_runtime::signature::Signature;
use gemm_runtime::{Parameter, ParameterKind};

/// An operand of an operation, or its output, as `custom_op!` reads it.
pub struct Written {
    /// Empty for the output.
    pub name: &'static str,
    /// The whole type.
    pub text: &'static str,
    /// `Mat` or `Vector`.
    pub kind: &'static str,
    /// That of the type.
    pub element: gemm_runtime::__private::codegen::Element,
    /// Their names, in the order of the type.
    pub indices: &'static [&'static str],
}

/// The parts of a message about the first operand that is not as declared; without text if all are.
pub type Message = [&'static str; 10];

pub(crate) const AGREE: Message = [""; 10];

/// What is wrong with the operands and the output of an operation, which come last.
pub const fn difference(signature: &Signature, operation: &[Written]) -> Message {
    // A function or a kind with an error of its own.
    if signature.parameters.is_empty() || !are_read(operation) {
        return AGREE;
    }
    let Signature { parameters, outputs, .. } = *signature;
    if signature.in_place || outputs != 1 || parameters.len() != operation.len() {
        let mut message = AGREE;
        message[0] = signature.function;
        message[1] = ": the operation has other operands or outputs than the `#[gemm]` function\n\
                      help: make a `gemm_candle::Operation` of a function with scalars or several outputs, \
                      write one in place by hand of `gemm_candle::cpu` and `gemm_candle::cuda`";
        return message;
    }
    let mut number = 0;
    while number < operation.len() {
        if !same_type(signature, operation, number) {
            return message(signature, operation, number);
        }
        number += 1;
    }
    match first_other_index(parameters, operation) {
        None => AGREE,
        Some(number) => message(signature, operation, visibly(signature, operation, number)),
    }
}

/// Whether each is a kind that is read.
const fn are_read(operation: &[Written]) -> bool {
    let mut number = 0;
    while number < operation.len() {
        if !same(operation[number].kind, "Mat") && !same(operation[number].kind, "Vector") {
            return false;
        }
        number += 1;
    }
    true
}

/// Whether an operand has the declared name, kind and elements, and is not a batch.
const fn same_type(signature: &Signature, operation: &[Written], number: usize) -> bool {
    let (parameter, written) = (&signature.parameters[number], &operation[number]);
    let (kind, element) = match parameter.kind {
        ParameterKind::Matrix { element, .. } => ("Mat", element),
        ParameterKind::Vector { element, .. } => ("Vector", element),
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            return false;
        }
    };
    let element = match signature.declared[number].type_parameter {
        None => element as u8,
        Some(parameter) => operation[first_of(signature, parameter)].element as u8,
    };
    let is_output = number + 1 == operation.len();
    (is_output || same(name(parameter), written.name))
        && !parameter.batch.is_batched()
        && same(kind, written.kind)
        && element == written.element as u8
}

/// The first operand with elements of a type parameter.
const fn first_of(signature: &Signature, parameter: usize) -> usize {
    let mut number = 0;
    while number < signature.declared.len() {
        match signature.declared[number].type_parameter {
            Some(other) if other == parameter => return number,
            _ => number += 1,
        }
    }
    0
}

/// The first operand with an index that is the same as one before it in one of the signatures alone.
/// The names may differ.
const fn first_other_index(parameters: &[Parameter], operation: &[Written]) -> Option<usize> {
    let mut number = 0;
    while number < parameters.len() {
        let mut before = 0;
        while before <= number {
            if !alike(
                [&parameters[before], &parameters[number]],
                [operation[before].indices, operation[number].indices],
            ) {
                return Some(number);
            }
            before += 1;
        }
        number += 1;
    }
    None
}

/// Whether two operands share their indices in both signatures at the same places.
const fn alike(declared: [&Parameter; 2], written: [&[&str]; 2]) -> bool {
    let [(first, count), (second, others)] = [axes(declared[0]), axes(declared[1])];
    if written[0].len() != count || written[1].len() != others {
        return false;
    }
    let mut i = 0;
    while i < count {
        let mut j = 0;
        while j < others {
            if (first[i] == second[j]) != same(written[0][i], written[1][j]) {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}

/// The indices of a matrix or vector, and how many they are.
const fn axes(parameter: &Parameter) -> ([u8; 2], usize) {
    match parameter.kind {
        ParameterKind::Matrix { rows, columns, .. } => ([rows as u8, columns as u8], 2),
        ParameterKind::Vector { length, .. } => ([length as u8, 0], 1),
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            ([0; 2], 0)
        }
    }
}

/// The operand of this number, or where it is written as declared, the first one that is not: with
/// `x: Mat<f16, K, M>` for `x: Mat<f16, M, K>`, a `w: Mat<f16, N, K>` is the first that contradicts.
const fn visibly(signature: &Signature, operation: &[Written], number: usize) -> usize {
    if !same(signature.declared[number].text, operation[number].text) {
        return number;
    }
    let mut other = 0;
    while other < operation.len() {
        if !same(signature.declared[other].text, operation[other].text) {
            return other;
        }
        other += 1;
    }
    number
}

const fn message(signature: &Signature, operation: &[Written], number: usize) -> Message {
    let written = &operation[number];
    let (declared, [of_declared, of_written]) = match number + 1 == operation.len() {
        true => ("-> ", ["", ""]),
        false => (name(&signature.parameters[number]), [": ", ": "]),
    };
    let name = if of_written.is_empty() { "-> " } else { written.name };
    [
        signature.function,
        ": expected `",
        declared,
        of_declared,
        signature.declared[number].text,
        "`, as its `#[gemm]` declares, got `",
        name,
        of_written,
        written.text,
        "`\nhelp: repeat the signature of the `#[gemm]` function",
    ]
}

pub(crate) const fn name(parameter: &Parameter) -> &str {
    match &parameter.name {
        Cow::Borrowed(name) => name,
        Cow::Owned(_) => "",
    }
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The bytes of a message.
pub const fn length(message: &Message) -> usize {
    let (mut number, mut bytes) = (0, 0);
    while number < message.len() {
        bytes += message[number].len();
        number += 1;
    }
    bytes
}

/// A message of this length in one piece: a constant cannot be formatted of several.
pub const fn joined<const LENGTH: usize>(message: &Message) -> [u8; LENGTH] {
    let (mut bytes, mut end, mut number) = ([0; LENGTH], 0, 0);
    while number < message.len() {
        let part = message[number].as_bytes();
        let mut i = 0;
        while i < part.len() {
            bytes[end] = part[i];
            end += 1;
            i += 1;
        }
        number += 1;
    }
    bytes
}
