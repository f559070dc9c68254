//! Compares the layers with candle's own operations: prints their errors, on a GPU if it is built
//! with the feature `cuda`, and with `--time` also the times of both on that GPU.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use candle_core::{Device, Tensor};
use gemm_candle_example::{Layer, layers, relative_error};

/// M, N and K of the products whose errors are printed.
const SHAPE: [usize; 3] = [96, 88, 80];

/// M, N and K of those that are timed: 1, 64, 512 and 4096 tokens.
const TIMED: [[usize; 3]; 4] =
    [[1, 4096, 4096], [64, 4096, 4096], [512, 4096, 4096], [4096, 4096, 4096]];

/// How often each layer is timed; the median is printed.
const ROUNDS: usize = 31;

/// Calls in each of them.
const CALLS: u32 = 20;

/// What rounding contributes to the errors: of BF16, whose elements have 8 bits, the most.
const TOLERANCE: f32 = 2e-2;

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    println!("on {:?}, M, N and K of {SHAPE:?}", device.location());
    let mut wrong = 0;
    for layer in layers(&device, SHAPE)? {
        let name = layer.name();
        match error(&layer) {
            Ok(error) if error < TOLERANCE => {
                println!("{name:<34} largest error {error:.1e} of the largest element");
                continue;
            }
            Ok(error) => println!("{name:<34} largest error {error:.1e}, more than {TOLERANCE}"),
            Err(error) => println!("{name:<34} {error}"),
        }
        wrong += 1;
    }
    if std::env::args().any(|argument| argument == "--time") {
        ensure!(device.is_cuda(), "times are taken on a GPU: build with --features cuda");
        times(&device)?;
    }
    ensure!(wrong == 0, "{wrong} layers do not compute what candle does");
    Ok(())
}

/// The largest error of a layer, relative to the largest element.
fn error(layer: &Layer) -> candle_core::Result<f32> {
    relative_error(&layer.ours()?, &layer.expected()?)
}

/// Prints the median times of our operations and of candle's, taken in turn.
fn times(device: &Device) -> Result<()> {
    println!("\n| layer | M, N, K | ours, µs | candle, µs | ratio |");
    println!("| --- | --- | --- | --- | --- |");
    for shape in TIMED {
        for layer in layers(device, shape)? {
            let name = layer.name();
            match medians(device, &layer) {
                Ok(medians) => {
                    let [ours, candle] = medians.map(|time| time.as_secs_f64() * 1e6);
                    let ratio = candle / ours;
                    println!("| {name} | {shape:?} | {ours:.1} | {candle:.1} | {ratio:.2} |");
                }
                Err(error) => println!("| {name} | {shape:?} | {error} | | |"),
            }
        }
    }
    Ok(())
}

/// The median time of a call of ours and of one of candle's.
fn medians(device: &Device, layer: &Layer) -> Result<[Duration; 2]> {
    let functions: [fn(&Layer) -> candle_core::Result<Tensor>; 2] = [Layer::ours, Layer::candle];
    let mut times = [const { Vec::new() }; 2];
    // The first round compiles our kernels and loads candle's.
    for round in 0..=ROUNDS {
        for (function, times) in functions.into_iter().zip(&mut times) {
            device.synchronize()?;
            let start = Instant::now();
            for _ in 0..CALLS {
                function(layer)?;
            }
            device.synchronize()?;
            if round > 0 {
                times.push(start.elapsed() / CALLS);
            }
        }
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2]
    }))
}
