//! The run-time mistakes of docs/mistakes.md, whose text of each is the error's.

use std::fs;

use gemm_runtime::i4x2;
use gemm_runtime::prelude::*;

/// y = x · wᵀ + bias
#[gemm]
fn linear(x: Mat<f16, T, D>, w: Mat<f16, O, D>, bias: Vector<f16, O>) -> Mat<f16, T, O> {
    matmul(x, w) + bias
}

/// y = x · (w · s)ᵀ
#[gemm]
fn quantised(x: Mat<f16, T, D>, w: Mat<i4x2, O, D>, s: Tiled<f16, O, D, 1, 64>) -> Mat<f16, T, O> {
    matmul(x, w * s)
}

fn zeros(count: usize) -> Vec<f16> {
    vec![f16::ZERO; count]
}

/// What the page quotes after the heading of this test.
fn quotes() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mistakes.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, of_launches) = page.split_once("## When it runs").expect("its second part");
    let quotes = of_launches.lines().filter_map(|line| line.trim_start().strip_prefix("> "));
    quotes.map(str::to_owned).collect()
}

#[test]
fn the_errors_are_those_of_the_page() -> Result<(), Error> {
    let [device, other] = [Device::emulator(), Device::emulator()];
    let matrix = |rows, columns| device.matrix(rows, columns, &zeros(rows * columns));
    let (x, w, bias) = (matrix(32, 64)?, matrix(48, 64)?, device.vector(&zeros(48))?);
    let [elsewhere, longer] = [other.vector(&zeros(48))?, device.vector(&zeros(64))?];
    let packed = device.matrix(48, 32, &[i4x2::default(); 48 * 32])?;
    let errors = [
        linear(&device, &x, &matrix(64, 48)?, &bias).err(),
        device.matrix(32, 64, &zeros(2000)).err(),
        linear(&device, &x, &w, &longer).err(),
        linear(&device, &x, &w, &elsewhere).err(),
        quantised(&device, &x, &packed, &matrix(1, 48)?).err(),
    ];
    let texts = errors.map(|error| error.expect("it is refused").to_string());
    // Emulators are numbered as they are made.
    let [first, second] = [&device, &other].map(|device| device.place().to_string());
    let numbered = texts.map(|text| {
        let text = text.replace(&second, "the other").replace(&first, "emulator 1");
        text.replace("the other", "emulator 2")
    });
    assert_eq!(numbered.to_vec(), quotes());
    Ok(())
}
