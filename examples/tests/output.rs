//! The output of the examples on the emulator.

mod run;

use run::output;

#[test]
fn hello_mma_multiplies_ones_and_prints_the_ownership_map() {
    let output = output("hello_mma");
    assert!(output.contains("row-major    16x8: 128 of 128 elements are 16.0\n"), "{output}");
    assert!(output.contains("column-major 8x16: 128 of 128 elements are 16.0\n"), "{output}");
    let map = "\
C(16x8)   0   1   2   3   4   5   6   7
      0 T00 T00 T01 T01 T02 T02 T03 T03
      1 T04 T04 T05 T05 T06 T06 T07 T07
      2 T08 T08 T09 T09 T10 T10 T11 T11
      3 T12 T12 T13 T13 T14 T14 T15 T15
      4 T16 T16 T17 T17 T18 T18 T19 T19
      5 T20 T20 T21 T21 T22 T22 T23 T23
      6 T24 T24 T25 T25 T26 T26 T27 T27
      7 T28 T28 T29 T29 T30 T30 T31 T31
      8 T00 T00 T01 T01 T02 T02 T03 T03
";
    assert!(output.contains(map), "{output}");
}

#[test]
fn global_gemm_runs_the_schedule_of_each_gpu() {
    let output = output("global_gemm");
    assert!(output.contains("| wgmma of f16, sums in f32 "), "{output}");
    let devices: Vec<&str> = output.split("device: ").skip(1).collect();
    assert_eq!(devices.len(), 2, "{output}");
    for (device, form) in devices.iter().zip(["(warps)", "(warpgroups, tensor copies)"]) {
        let kernels: Vec<&str> = device.lines().filter(|line| line.contains("kernel: ")).collect();
        assert!(
            kernels.len() == 2 && kernels.iter().all(|kernel| kernel.contains(form)),
            "{output}"
        );
        assert!(device.contains("ones: C[0][0] = 256.0, max error 0\n"), "{output}");
    }
}

#[test]
fn quickstart_agrees_with_its_reference() {
    let output = output("quickstart");
    let (_, error) = output.split_once("500x400x320: largest error ").expect("the error");
    let error: f32 = error.trim_end().parse().expect("a number");
    assert!(error < 0.01, "{output}");
}

#[test]
fn statistics_of_rows_agree_with_loops_in_f64() {
    let output = output("transformer");
    assert_eq!(output.matches("of a loop in f64").count(), 2, "{output}");
}

#[test]
fn swiglu_its_gradients_and_its_8_bits_agree_with_loops_in_f64() {
    let output = output("swiglu");
    assert_eq!(output.matches("of a loop in f64").count(), 4, "{output}");
}

#[test]
fn tuning_estimates_on_the_emulator() {
    let output = output("tuning");
    let tiles = output.lines().filter_map(|line| {
        let (estimated, tuned) = line.split_once(" estimated, ")?;
        let (_, estimated) = estimated.split_once(" tokens: ")?;
        assert!(tuned.starts_with(&format!("{estimated} with tuning")), "{line}");
        Some(estimated)
    });
    let tiles: Vec<&str> = tiles.collect();
    assert_eq!(tiles.len(), 3, "{output}");
    assert!(output.ends_with(&format!("by that record: {} for a token\n", tiles[0])), "{output}");
}

#[test]
fn simt_gemm_prints_its_plan_and_does_not_round_f32() {
    let output = output("simt_gemm");
    assert!(output.contains("| 4 × 2 of 32 × 64 "), "{output}");
    assert!(output.contains("fma(8, 8) of f16, sums in f32"), "{output}");
    assert!(output.contains("A 1 load, 1 store; B 1 load, 1 store; output 1 store"), "{output}");
    assert!(output.contains("ones: 60000 of 60000 elements are 100\n"), "{output}");
    assert!(output.contains("f32: C[0][0] = 100.0061"), "{output}");
}

#[test]
fn a_low_rank_update_agrees_with_a_loop_in_f64() {
    let output = output("lora");
    assert_eq!(output.matches("of a loop in f64").count(), 1, "{output}");
}
