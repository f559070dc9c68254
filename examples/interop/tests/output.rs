//! The output of the interop examples without a GPU.

#[path = "../../tests/run/mod.rs"]
mod run;

use run::output;

#[test]
fn host_arrays_passes_arrays_and_tensors() {
    let output = output("host_arrays");
    assert!(output.contains("a window: largest error "), "{output}");
    let refused = "a transposed array: a 20×40 matrix with strides [1, 20] is not row-major";
    assert!(output.contains(refused), "{output}");
    assert!(output.contains("its transpose, to a function of columns: largest error "), "{output}");
    assert!(output.contains("layer.output as a file: "), "{output}");
}

#[test]
fn chain_replays_three_layers_on_new_inputs() {
    let output = output("chain");
    assert!(output.starts_with("device: emulator "), "{output}");
    assert!(output.contains("3 replays of 3 layers: largest relative error "), "{output}");
}

#[test]
fn examples_that_need_a_gpu_say_so() {
    assert!(output("cuda_graph").starts_with("there is no GPU to capture a graph on: "));
    assert!(output("custom_op").starts_with("there is no GPU for the library's tensors: "));
}
