//! The cost of each stage of a kernel: the kernel, and the same with the stage cut out.

mod cut;
mod rungs;
mod stages;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use gemm_runtime::{bf16, f16};

use super::runner::{self, Named};
use super::squares::{brains, halves, halves_f32};
use super::{epilogue, int8, numbers};
use crate::arena::{Arena, Selection};
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Epilogue, Task};
use rungs::Subject;

/// Which kernels on which products.
#[derive(Args)]
pub(crate) struct Ladder {
    /// Which products.
    #[arg(
        long = "case",
        value_enum,
        value_delimiter = ',',
        default_value = "square,square-f32,tf32,layer,epilogue"
    )]
    cases: Vec<Case>,
    /// M = N = K of each square.
    #[arg(long, value_delimiter = ',', default_value = "4096")]
    sizes: Vec<usize>,
    /// Tokens of each layer.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    tokens: Vec<usize>,
    /// Features of each layer, out and in.
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = features,
        default_value = "4096x4096,14336x4096,28672x8192"
    )]
    layers: Vec<[usize; 2]>,
    /// Which of the kernels that the suite of a case measures, by its name there; the first if left
    /// out, which for most is the one that is chosen by shape.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
}

/// Products of some elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Case {
    /// f16 → f16, M = N = K.
    Square,
    /// f16 → f32, M = N = K.
    SquareF32,
    /// f32 by tf32, M = N = K.
    Tf32,
    /// i8 → i32, M = N = K.
    Int8,
    /// bf16 → bf16, few tokens by many features, compared with a kernel that only reads the weights.
    Layer,
    /// f16 → f16, 512 and 1024 along each extent.
    Small,
    /// f32 by fused multiply-adds, M = N = K.
    F32,
    /// f16 → f16 with a bias, GELU and a residual after the product, M = N = K.
    Epilogue,
}

/// Along each extent of the small products.
const SMALL: [usize; 2] = [512, 1024];

/// Reads `OUTxIN`.
fn features(text: &str) -> Result<[usize; 2]> {
    let (out, of) = text.split_once('x').context("features are out and in, such as 4096x14336")?;
    Ok([out.parse()?, of.parse()?])
}

/// The ladder of each product. What fails is reported, and the rest goes on.
pub(super) fn run(arena: &Arena, ladder: &Ladder) -> Vec<Row> {
    let of_case = |case: Case| case.tasks(ladder).into_iter().map(move |task| (case, task));
    let works: Vec<(Case, Task)> = ladder.cases.iter().copied().flat_map(of_case).collect();
    let name = |(case, task): &(Case, Task)| format!("{} {}", case.name(), task.name());
    let kernel = ladder.kernel.as_deref();
    runner::each(arena, works, name, |(case, task), _| case.rows(arena, task, kernel))
}

impl Case {
    /// As it is asked for.
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    fn tasks(self, ladder: &Ladder) -> Vec<Task> {
        let compute = match self {
            Case::Tf32 => Compute::Tf32,
            Case::Int8 => Compute::I32,
            _ => Compute::F32,
        };
        let shapes: Vec<[usize; 3]> = match self {
            Case::Layer => {
                let of_tokens = |tokens: &usize| {
                    let tokens = *tokens;
                    ladder.layers.iter().map(move |[features, k]| [tokens, *features, *k])
                };
                ladder.tokens.iter().flat_map(of_tokens).collect()
            }
            Case::Small => SMALL.map(|size| [size; 3]).into(),
            _ => ladder.sizes.iter().map(|size| [*size; 3]).collect(),
        };
        let epilogue = match self {
            Case::Epilogue => Epilogue::BiasGeluResidual,
            _ => Epilogue::Nothing,
        };
        shapes.into_iter().map(|shape| Task { epilogue, ..Task::plain(shape, compute) }).collect()
    }

    /// The kernels that the suite of such products measures.
    fn kernels(self) -> Vec<Named> {
        match self {
            Case::Square | Case::Small => halves::kernels().into(),
            Case::SquareF32 => halves_f32::kernels().into(),
            Case::Tf32 => numbers::tf32_kernels().into(),
            Case::Int8 => int8::sums::kernels().into(),
            Case::Layer => brains::kernels().into(),
            Case::F32 => numbers::rc::kernels().into(),
            Case::Epilogue => epilogue::kernels()
                .into_iter()
                .filter(|(epilogue, _)| *epilogue == Epilogue::BiasGeluResidual)
                .map(|(_, kernel)| kernel)
                .collect(),
        }
    }

    fn kernel(self, name: Option<&str>) -> Result<Selection<'static>> {
        let kernels = self.kernels();
        let found = kernels.iter().find(|(of, _)| name.is_none_or(|name| name == *of));
        let names = || kernels.iter().map(|(of, _)| *of).collect::<Vec<_>>().join("`, `");
        let (_, kernel) = found.with_context(|| format!("its kernels are `{}`", names()))?;
        Ok(*kernel)
    }

    /// The unit that multiplies, if it can be the limit.
    fn unit(self) -> Option<Unit> {
        match self {
            Case::Square | Case::SquareF32 | Case::Small | Case::Epilogue => Some(Unit::F16),
            Case::Tf32 => Some(Unit::Tf32),
            Case::Int8 => Some(Unit::S8),
            Case::F32 => Some(Unit::Fma),
            Case::Layer => None,
        }
    }

    fn rows(self, arena: &Arena, task: Task, kernel: Option<&str>) -> Result<Vec<Row>> {
        let kernel = self.kernel(kernel)?;
        let (unit, reads) = (self.unit(), self == Case::Layer);
        let subject = Subject { arena, case: self.name(), task, kernel, unit, reads };
        match self {
            Case::Square | Case::Small | Case::Epilogue => subject.rows::<f16, f16>(),
            Case::SquareF32 => subject.rows::<f16, f32>(),
            Case::Tf32 | Case::F32 => subject.rows::<f32, f32>(),
            Case::Int8 => subject.rows::<i8, i32>(),
            Case::Layer => subject.rows::<bf16, bf16>(),
        }
    }
}
