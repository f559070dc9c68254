//! What a program prints whose `main` returns an [`Error`]. Without the test harness: this is that
//! program, which runs itself as a child.

use std::env;
use std::process::Command;

use gemm_runtime::prelude::*;

/// The call that fails, in a child.
const CHILD: &str = "GEMM_TEST_CHILD";

#[gemm]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() -> Result<(), Error> {
    let Ok(call) = env::var(CHILD) else {
        for (call, printed) in CALLS {
            assert_eq!(stderr(call), format!("Error: {printed}\n"), "{call}");
        }
        return Ok(());
    };
    let device = Device::emulator();
    let elements = vec![f16::ONE; 64];
    match call.as_str() {
        "launch" => {
            let (x, w) = (device.matrix(4, 16, &elements)?, device.matrix(8, 8, &elements)?);
            linear(&device, &x, &w)?;
        }
        "reference" => {
            linear::reference(Shape { m: 4, n: 4, k: 8 }, &elements[..32], &elements)?;
        }
        _ => {
            device.matrix_strided(4, 16, [1, 4], &elements)?;
        }
    }
    Ok(())
}

/// Calls that fail, and what is printed of their errors.
const CALLS: [(&str, &str); 3] = [
    ("launch", "linear: w: expected 16 columns (K of x), got 8"),
    ("reference", "linear: w: expected 32 elements (4 × 8), got 64"),
    (
        "matrix",
        "a 4×16 matrix with strides [1, 4] is not row-major, with strides [16 or more, 1]\n\
         help: it is stored column by column: pass its transpose, to a function that declares the \
         operand with its indices swapped",
    ),
];

/// What a child prints that makes this call. It fails, but does not panic.
fn stderr(call: &str) -> String {
    let mut command = Command::new(env::current_exe().expect("this test"));
    let output = command.env(CHILD, call).output().expect("a child");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}
