//! Runs kernels on a device and on the emulator, from the same text and on the same data, and compares every bit of
//! every output. Kernels that use approximate instructions are judged by the usual bounds.

pub mod approximate;
pub mod tally;
mod terms;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use gemm_check::record::Record;
use gemm_codegen::{Axis, Kernel, ParameterKind, Plan, emit};
use gemm_runtime::compile::{Format, Program, cached};
use gemm_runtime::{Device, EmulatorOptions, Error, Shape};

use crate::data::{Alignment, Fill};
use crate::judge::Verdict;
use crate::random::draw::{Drawn, Form, Stored, reduced};
use crate::random::{self, run};
use crate::{Failure, Golden, Problem};
use tally::{Judged, Tally};

/// Matrices of a batch: the emulator computes each of them.
const BATCH: usize = 2;

/// What the launches of a kernel read, in turn: as many of unit size as of other sizes.
const FILLS: [Fill; 4] = [Fill::Random, Fill::Spread, Fill::Random, Fill::Special];

/// Two devices that are compared, and what was compared.
pub struct Bits<'d> {
    device: &'d Device,
    emulator: Device,
    launches: usize,
    tally: Mutex<Tally>,
}

/// A kernel, and how it is launched on a problem.
struct Subject<'a> {
    name: &'a str,
    kernel: &'a Kernel,
    run: &'a dyn Fn(&mut Problem<'_>) -> Result<Verdict, Failure>,
    seed: u64,
}

/// A launch, but for the device.
#[derive(Clone, Copy, Debug)]
struct Launch {
    shape: Shape,
    alignment: Alignment,
    seed: u64,
    fill: Fill,
}

impl Launch {
    fn on<'d>(&self, device: &'d Device) -> Problem<'d> {
        Problem::new(device, self.shape, self.alignment, self.seed)
            .of_batch(BATCH)
            .filled(self.fill)
    }
}

impl<'d> Bits<'d> {
    /// A device and an emulated one of its architecture, which deals tiles to blocks as it does.
    pub fn new(device: &'d Device, launches: usize) -> Bits<'d> {
        let machine = device.machine();
        let options =
            EmulatorOptions::default().target(machine.target).machine(machine).races(false);
        let emulator = Device::emulator_with(options);
        Bits { device, emulator, launches, tally: Mutex::default() }
    }

    /// What was compared.
    pub fn tally(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Compares a golden.
    ///
    /// # Errors
    /// What went wrong or differs, and how to see it again.
    pub fn golden(&self, golden: &Golden, seed: u64) -> Result<(), String> {
        let Golden { name, kernel, check, .. } = golden;
        self.check(&Subject { name, kernel, run: check, seed })
    }

    /// Compares a random spec of warpgroups, and the same with reduced outputs.
    ///
    /// # Errors
    /// As [`Bits::golden`].
    pub fn spec(&self, seed: u64, number: usize) -> Result<(), String> {
        let mut rng = random::rng(seed, number);
        let (drawn, plan) = random::legal(&mut rng, Form::Warpgroups, number)
            .ok_or_else(|| format!("spec {number}: none is legal"))?;
        let whole = (&drawn, &Stored::of(&drawn)[..]);
        self.plan(&format!("spec {number}"), whole, &plan, rng.u64(..))
            .map_err(|failure| format!("{failure}\n{:#?}", drawn.spec))?;
        let Some((spec, stored)) = reduced(&mut rng, &drawn, &plan) else { return Ok(()) };
        let Ok(plan) = Plan::new(&spec) else { return Ok(()) };
        let name = format!("spec {number}, reduced");
        self.plan(&name, (&drawn, &stored), &plan, rng.u64(..))
            .map_err(|failure| format!("{failure}\n{spec:#?}"))
    }

    /// The outputs are judged by the function that was drawn: it tells an f64 that was made of an f32.
    fn plan(
        &self,
        name: &str,
        drawn: (&Drawn, &[Stored]),
        plan: &Plan,
        seed: u64,
    ) -> Result<(), String> {
        let kernel = &emit(plan);
        let run = |problem: &mut Problem<'_>| run::on(problem, drawn, (plan, kernel));
        self.check(&Subject { name, kernel, run: &run, seed })
    }

    fn check(&self, subject: &Subject<'_>) -> Result<(), String> {
        let (judged, found) = match self.judged(subject) {
            Ok(judged) => (judged, Ok(())),
            Err(failure) => (Judged::Differs, Err(format!("{} FAILED\n  {failure}", subject.name))),
        };
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(judged);
        found
    }

    /// How a kernel was judged.
    fn judged(&self, subject: &Subject<'_>) -> Result<Judged, String> {
        let ptx = self.ptx(subject.kernel).map_err(|error| error.to_string())?;
        let mut inexact: BTreeSet<&str> = subject.kernel.approximations();
        inexact.extend(approximate::of(&ptx));
        if !inexact.is_empty() {
            self.by_bounds(subject)?;
            let names = inexact.into_iter().collect::<Vec<_>>().join(" and ");
            return Ok(Judged::Bounds(names));
        }
        self.compared(subject).map(|()| Judged::Equal)
    }

    /// The PTX that the emulator runs.
    fn ptx(&self, kernel: &Kernel) -> Result<String, Error> {
        let target = self.device.machine().target;
        let mut targets = kernel.launch.targets.iter();
        let own = targets
            .find(|own| own.is_architecture_specific() && own.capability() == target.capability());
        let program = Program {
            name: &format!("{}.cu", kernel.name),
            text: &kernel.text,
            architecture: &own.unwrap_or(&target).name().replace("sm_", "compute_"),
            options: vec!["-lineinfo".to_owned()],
            format: Format::Ptx,
        };
        Ok(String::from_utf8_lossy(&cached(&program)?.image).into_owned())
    }

    /// Judges the launches on the device by bounds, on data of unit size.
    fn by_bounds(&self, subject: &Subject<'_>) -> Result<(), String> {
        for launch in self.launches(subject) {
            let launch = Launch { fill: Fill::Random, ..launch };
            (subject.run)(&mut launch.on(self.device))
                .map_err(|failure| format!("{launch:?}: {failure}"))?;
        }
        Ok(())
    }

    /// Compares the outputs of all launches.
    fn compared(&self, subject: &Subject<'_>) -> Result<(), String> {
        for launch in self.launches(subject) {
            let record = |on: &str, device| {
                let mut problem = launch.on(device).recorded();
                (subject.run)(&mut problem)
                    .map_err(|failure| format!("{launch:?}, {on}: {failure}"))?;
                Ok::<_, String>(problem.into_record())
            };
            let [device, emulator] =
                [record("the device", self.device)?, record("the emulator", &self.emulator)?];
            self.equal(subject.kernel, &device, &emulator)
                .map_err(|text| format!("{launch:?}: {text}"))?;
        }
        Ok(())
    }

    /// Compares the outputs of one launch.
    fn equal(&self, kernel: &Kernel, device: &Record, emulator: &Record) -> Result<(), String> {
        let names = &kernel.parameters[kernel.parameters.len() - kernel.outputs..];
        for ((a, b), parameter) in device.outputs.iter().zip(&emulator.outputs).zip(names) {
            let equal = a.compare(b).map_err(|difference| {
                let [matrix, row, column] = difference.at;
                let terms = match parameter.kind {
                    ParameterKind::Matrix { rows, .. } => {
                        let is_m = rows == Axis::M;
                        terms::terms(
                            device,
                            matrix,
                            if is_m { [row, column] } else { [column, row] },
                        )
                    }
                    _ => String::new(),
                };
                format!("output {}: {difference}\n{terms}", parameter.name)
            })?;
            self.tally.lock().unwrap_or_else(PoisonError::into_inner).add_elements(equal);
        }
        Ok(())
    }

    /// The launches of a kernel: one of more than a tile of a cluster, then random ones, of two alignments.
    fn launches(&self, subject: &Subject<'_>) -> Vec<Launch> {
        let mut rng = Rng::with_seed(subject.seed);
        let alignments = [Alignment::Bytes(16), Alignment::random(&mut rng)];
        let launch = |number: usize| {
            let of_launch = &subject.kernel.launch;
            let shape = match number {
                0 => first_shape(subject.kernel),
                _ => run::shape(&mut rng, of_launch.block_tile),
            };
            let fill = FILLS[number % FILLS.len()];
            Launch { shape, alignment: alignments[number / 2 % 2], seed: rng.u64(..), fill }
        };
        (0..self.launches).map(launch).collect()
    }
}

/// The tiles of one cluster, a part of another along N, and several k-tiles with a tail.
fn first_shape(kernel: &Kernel) -> Shape {
    let [m, n, k] = kernel.launch.block_tile.map(|extent| extent as usize);
    let [of_m, of_n, _] = kernel.launch.cluster.map(|blocks| blocks as usize);
    let tail = (k / 2).max(1);
    let deep = gemm_check::deep_enough(2 * k + tail, kernel.launch.split_k, k);
    Shape { m: of_m * m, n: of_n * n + 8, k: deep }
}
