use super::*;
use crate::form::ByThreads;

#[test]
fn integers_of_8_bits_become_what_they_are_multiplied_by() {
    use Element::{Bf16, E4m3, F16, F32, I8, I32, U8};
    for float in [F16, Bf16] {
        for integer in [I8, U8] {
            assert_eq!(multiplied([float, integer]), [float; 2]);
            assert_eq!(multiplied([integer, float]), [float; 2]);
        }
    }
    let others = [[F32, I8], [F16, I32], [I8, U8], [E4m3, I8], [F16, Bf16]];
    assert!(others.into_iter().all(|pair| Conversion::of(pair).is_none()));
}

#[test]
fn runs_are_as_long_as_tiles_of_scales_and_words_admit() {
    use Element::{Bf16, F16, I4x2, I4x32, I8, U4x32, U8, U8x16};
    let scale = |k| {
        let (element, k_contiguous) = (F16, true);
        Scale { operand: 2, element, lines: 1, k, k_contiguous, offset: None }
    };
    let run = |stored, [a, b]: [Option<u32>; 2]| {
        run_of(stored, PerSide { a: a.map(scale), b: b.map(scale) })
    };
    assert_eq!(run([F16, I8], [None, None]), 8);
    assert_eq!(run([F16, I8], [None, Some(64)]), 8);
    assert_eq!([16, 48, 80].map(|k| run([F16, I8], [None, Some(k)])), [4; 3]);
    assert_eq!(run([U8, Bf16], [Some(16), Some(64)]), 4);
    assert_eq!(run([U8, Bf16], [Some(16), Some(8)]), 8);
    assert_eq!(run([F16, I4x2], [None, Some(16)]), 8);
    let packed = |element, k| run([F16, element], [None, Some(k)]);
    assert_eq!(run([F16, I4x32], [None, None]), 16);
    assert_eq!([64, 128, 32, 96, 16, 48].map(|k| packed(I4x32, k)), [16, 16, 8, 8, 4, 4]);
    assert_eq!([64, 32, 96, 16, 48].map(|k| packed(U8x16, k)), [8, 8, 8, 4, 4]);
    assert_eq!([8, 24].map(|k| packed(I4x32, k)), [16; 2], "no run has whole steps");
    assert_eq!(run([U4x32, Bf16], [Some(64), Some(32)]), 8, "the scales of both factors count");
}

#[test]
fn threads_copy_rows_along_k_of_what_is_converted() {
    let at = |orders, form| {
        let checked = check([Element::F16, Element::I8], [0, 1], orders, (form, 8, 1));
        checked.err().unwrap_or_default().iter().map(|broken| broken.at).collect::<Vec<_>>()
    };
    let along_k = Some(PerSide::both(true));
    let warps = Form::Warps(ByThreads::CpAsync);
    assert_eq!(at(along_k, warps), []);
    assert_eq!(at(None, warps), []);
    assert_eq!(at(along_k, Form::WarpsByTensors), [Field::Copy(Side::B)]);
    assert_eq!(at(along_k, Form::Groups), [Field::Mma]);
    let first = check([Element::I8, Element::F16], [0, 1], along_k, (Form::Groups, 8, 1));
    assert!(first.is_ok());
    let across = Some(PerSide { a: false, b: true });
    assert_eq!(at(across, warps), [Field::OperandIndex(0, 1)]);
    assert_eq!(at(across, Form::Groups), [Field::Mma]);
    let exchanged = |a, b| {
        let orders = Some(PerSide { a, b });
        check([Element::I8, Element::F16], [0, 1], orders, (Form::Groups, 8, 1))
            .map_err(|of| of[0].at)
    };
    assert_eq!(exchanged(true, false), Ok(()));
    assert_eq!(exchanged(false, true), Err(Field::OperandIndex(0, 1)));
}
