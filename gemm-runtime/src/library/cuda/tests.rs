//! Libraries that are not the driver, or lack a function, and a driver that is a fake.

use std::path::Path;
use std::process::Command;

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

use super::*;
use crate::prelude::*;
use crate::{EmulatorOptions, Graph, Target};

fn search(sonames: Vec<&'static str>) -> Search {
    Search { variable: None, sonames, folders: Vec::new() }
}

#[test]
fn a_missing_libcuda_is_an_error_that_says_where_it_comes_from() {
    let error = search(vec!["libcuda.so.0"]).open_cuda().expect_err("there is none");
    assert!(matches!(error, Error::LibraryNotFound { name: "libcuda", .. }));
    let text = error.to_string();
    for part in ["NVIDIA driver", "libcuda.so.0 with the system's loader: ", "No such file"] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn a_library_without_the_driver_s_functions_is_an_error_that_names_one() {
    // Any library of the system that is not the driver.
    let error = search(vec!["libc.so.6"]).open_cuda().expect_err("it is not libcuda");
    assert!(matches!(&error, Error::FunctionNotFound { library, function: "cuInit" }
        if library == "libc.so.6"));
    assert!(error.to_string().contains("libc.so.6 has no function `cuInit`"), "{error}");
}

#[test]
fn a_file_that_is_not_a_library_is_listed_with_the_loader_s_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(Platform::HERE.cuda[1]), "not a library")
        .expect("a file in it");
    let search = Search { folders: vec![folder.path().into()], ..search(Vec::new()) };
    let text = search.open_cuda().expect_err("it cannot be opened").to_string();
    let line = format!("in {}: ", folder.path().display());
    assert!(text.contains(&line), "{text}");
    assert!(text.contains("invalid ELF header") || text.contains("file too short"), "{text}");
}
/// Makes a child of this test binary.
const CHILD: &str = "GEMM_TEST_FAKE_DRIVER";

const FAKE: &str = include_str!("fake_driver.c");

#[gemm(
    tile = [128, 128, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 3
)]
#[gemm(tile = [128, 128, 32], warps = [2, 2, 1])]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 32], warps = [2, 2, 1], split_k = 2)]
fn accumulate(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: Scalar<f32>, y: &mut Mat<f32, M, N>) {
    *y += matmul(x, w) * alpha
}

/// The fake driver in a folder of its own, without one of its functions.
#[cfg(unix)]
fn fake_without(function: Option<&str>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, library) = (folder.path().join("fake.c"), folder.path().join("libcuda.so"));
    std::fs::write(&text, FAKE).expect("its text");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(&text);
    compiler.args(function.map(|name| format!("-D{name}=renamed")));
    assert!(compiler.status().expect("the C compiler that links Rust").success());
    std::fs::copy(&library, folder.path().join("libcuda.so.1")).expect("its other name");
    folder
}

/// What a child says that drives the fake. Another one without it has compiled the kernels before: NVRTC
/// itself calls functions of a driver that it finds.
#[cfg(unix)]
fn driven(fake: &Path, pools: bool) -> String {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let run = |what, path: Option<&Path>| {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child.args(["library::cuda::tests::child", "--exact", "--nocapture"]);
        child.env(CHILD, what).env("GEMM_CACHE_DIR", cache.path());
        child.envs(path.map(|path| ("LD_LIBRARY_PATH", path)));
        child.envs(pools.then_some(("FAKE_POOLS", "1")));
        let output = child.output().expect("a child");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}");
        out
    };
    run("compile", None);
    run("drive", Some(fake))
}

#[test]
fn child() {
    let Some(what) = std::env::var_os(CHILD) else { return };
    let done = if what == "compile" { compile() } else { drive() };
    match done {
        Ok(()) => println!("driven to the end"),
        Err(error) => println!("refused: {error}"),
    }
}

/// Compiles the kernels for the architecture of the fake.
fn compile() -> Result<(), Error> {
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    for kernel in product::KERNELS.iter().chain([&accumulate::KERNEL]) {
        crate::launch::report(&device, kernel)?;
    }
    Ok(())
}

/// Calls every function of the driver that launches, copies, measurements and errors call.
fn drive() -> Result<(), Error> {
    let device = Device::gpu(0)?;
    let [x, w] = [256, 256].map(|rows| device.matrix(rows, 64, &vec![f16::ONE; rows * 64]));
    let (x, w) = (x?, w?);
    assert_eq!(x.to_vec()?, vec![f16::ONE; 256 * 64]);
    product(&device, &x, &w)?.to_vec()?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = crate::cache::Cache::open(folder.path(), 1 << 20).expect("it is private");
    let cache = Box::leak(Box::new(cache));
    let tuned = device.clone().with_tuning(crate::Tuning::new().with_cache(cache));
    product(&tuned, &device.zeros::<f16>(128, 64)?, &w)?;
    let alpha = device.scalar(1.0f32)?;
    alpha.write(2.0)?;
    let mut y = device.zeros::<f32>(256, 256)?;
    accumulate(&device, &x, &w, &alpha, &mut y)?;
    graphs(&device, x, &w, y)?;
    device.synchronize()?;
    let error = Error::from(DriverError(CUresult::CUDA_ERROR_ECC_UNCORRECTABLE));
    assert!(error.to_string().contains("a fake error"), "{error}");
    Device::from_stream(device.stream().expect("it is a GPU").clone()).map(drop)
}

/// Calls what shared handles and graphs call, on memory of a device's default stream.
fn graphs(device: &Device, x: Matrix<f16>, w: &Matrix<f16>, y: Matrix<f32>) -> Result<(), Error> {
    let alpha = device.scalar(1.0f32)?;
    let (x, y) = (x.share()?, y.share()?);
    let launches = [(); 2].map(|()| accumulate::prepare(device, &x, w, &alpha, &y));
    let [first, second] = launches;
    let (first, second) = (first?, second?);
    let mut graph = Graph::capture(device, [first])?;
    graph.launch()?;
    x.write(&x.to_vec()?)?;

    let stream = device.stream().expect("it is a GPU").context().per_thread_stream();
    let other = Device::from_stream(stream)?;
    let refused = Graph::capture(&other, [second]);
    assert!(matches!(refused, Err(Error::GraphMismatch { .. })), "{refused:?}");
    let refused = accumulate::prepare(&other, &x, w, &alpha, &y);
    assert!(matches!(&refused, Err(Error::StreamMismatch { operand }) if *operand == "x"));
    let refused = other.zeros::<f32>(4, 4)?.share();
    assert!(matches!(refused, Err(Error::PerThreadStream)), "{refused:?}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_driver_with_the_required_functions_alone_is_driven_without_a_panic() {
    let mut defined: Vec<&str> = FAKE
        .lines()
        .filter_map(|line| line.strip_prefix("CUresult ")?.split('(').next())
        .filter(|name| !name.starts_with("cuEventElapsedTime"))
        .collect();
    let mut required = REQUIRED.to_vec();
    defined.sort_unstable();
    required.sort_unstable();
    assert_eq!(defined, required);
    let folder = fake_without(None);
    for pools in [false, true] {
        let said = driven(folder.path(), pools);
        assert!(said.contains("driven to the end"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_function_that_the_driver_lacks_is_an_error_that_names_it() {
    for function in ["cuDeviceGetCount", "cuGetErrorString", "cuStreamWaitEvent"] {
        let said = driven(fake_without(Some(function)).path(), false);
        let expected = format!("refused: libcuda.so has no function `{function}`");
        assert!(said.contains(&expected), "{said}");
    }
}
