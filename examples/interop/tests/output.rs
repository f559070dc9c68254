//! What the examples print where there is no GPU.

#[path = "../../tests/run/mod.rs"]
mod run;

use run::output;

#[test]
fn arrays_and_tensors_of_the_host_go_in_and_come_out() {
    let output = output("host_arrays");
    assert!(output.contains("a window: largest error "), "{output}");
    let refused =
        "a transposed array: a 20×40 matrix with strides [1, 20] is not stored row by row";
    assert!(output.contains(refused), "{output}");
    assert!(output.contains("its transpose, to a function of columns: largest error "), "{output}");
    assert!(output.contains("layer.output as a file: "), "{output}");
}

#[test]
fn what_needs_a_gpu_says_so() {
    assert!(output("cuda_graph").starts_with("there is no GPU to capture a graph on: "));
    assert!(output("custom_op").starts_with("there is no GPU for the library's tensors: "));
}
