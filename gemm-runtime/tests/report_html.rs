//! `Device::report_html`. Needs NVRTC.

use gemm_runtime::emulator::TraceOptions;
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Matrix, Tuning};

#[gemm(tile = [64, 64, 32], stages = 3)]
fn fixed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn chosen(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

const SHAPE: Shape = Shape { m: 64, n: 64, k: 128 };

fn device() -> Device {
    let trace = TraceOptions { accesses: true, ..TraceOptions::default() };
    Device::emulator_with(EmulatorOptions::default().profile(true).trace(trace))
}

fn operands(device: &Device) -> [Matrix<f16>; 2] {
    [0, 1].map(|_| device.zeros::<f16>(64, 128).expect("an operand"))
}

#[test]
fn a_report_has_the_counts_of_a_launch_of_its_function_alone() {
    let device = device();
    let [x, w] = operands(&device);
    let before = device.report_html(&fixed::REPORTED, SHAPE).expect("a report");
    // The first screen: the body as written, below the declaration, and that nothing was launched.
    let code =
        before.split("<pre class=\"code\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let code = code.expect("the function");
    assert!(code.starts_with("#[gemm(\n") && code.ends_with(" {\n    matmul(x, w)\n}"), "{code}");
    assert!(before.contains("<p>not run: ") && before.contains("an estimate of the "));
    assert!(!before.contains("data-pictures=") && !before.contains("<h2>Pipeline</h2>"));
    chosen(&device, &x, &w).expect("it runs");
    assert_eq!(device.report_html(&fixed::REPORTED, SHAPE).expect("a report"), before);

    fixed(&device, &x, &w).expect("it runs");
    let after = device.report_html(&fixed::REPORTED, SHAPE).expect("a report");
    for part in ["Plan", "Neighbours", "Pipeline", "Checks", "Shared memory", "Resources", "Source"]
    {
        assert!(after.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(after.contains("data-pictures=") && after.contains("\"what\":\"copied\""));
    assert!(after.contains("<p>no fault at 64 × 64 × 128 "));
    assert!(after.contains("64 × 64 × 128") && after.len() < 3_000_000);
}

#[test]
fn a_report_has_the_schedule_that_is_launched_and_its_time() {
    let device = device();
    let [x, w] = operands(&device);
    chosen(&device, &x, &w).expect("it runs");
    let page = device.report_html(&chosen::REPORTED, SHAPE).expect("a report");
    let launched = device.last_profile().expect("a profile").kernel.clone();
    assert!(page.contains(&launched), "{launched}");
    assert!(page.contains("<h2>Pipeline</h2>") && !page.contains("<h2>Measured</h2>"));

    // A record for the emulator, which no measurement makes.
    let id = chosen::KERNELS.choices().nth(1).expect("a second schedule").id();
    let record = format!(
        "[[measured]]\ndevice = \"emulator, sm_80, 108 multiprocessors\"\nfunction = \"chosen\"\n\
         kernels = \"{}\"\nalignment = [16, 16, 16]\nm = 64\nn = 64\nk = 128\nbatch = 1\n\
         fastest = \"{id}\"\nmicroseconds = 12.5\n",
        chosen::KERNELS.fingerprint()
    );
    let tuning = Tuning::load(&record).expect("a record");
    assert!(tuning.measurements()[0].covers(SHAPE, 1));
    let device = Device::emulator().with_tuning(tuning);
    let page = device.report_html(&chosen::REPORTED, SHAPE).expect("a report");
    assert!(page.contains(&format!("<p>schedule {id}, on ")), "{id}");
    assert!(page.contains("<h2>Measured</h2>") && page.contains("<td>12.5 µs</td>"));
}
