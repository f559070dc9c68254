//! The suites, one in each file.

mod about;
mod choice;
mod compare;
mod compile;
mod epilogue;
mod f16x3;
mod int8;
mod jit;
mod ladder;
mod launch;
mod layers;
mod lora;
mod norm;
mod numbers;
mod odd;
mod products;
mod qkv;
mod quant;
mod runner;
mod small;
mod splits;
mod squares;
mod steps;
mod swiglu;

use anyhow::Result;
use clap::Subcommand;

use crate::arena::Arena;
use crate::report::Row;
use crate::roofs;
use crate::task::{Order, Task};
use int8::Int8;
use ladder::Ladder;
use layers::Skinny;
use quant::Quant;
use squares::Squares;

/// A suite.
#[derive(Subcommand)]
pub(crate) enum Suite {
    /// M = N = K, f16 or bf16.
    Squares(Squares),
    /// bf16 → bf16, the layers of language models: few tokens by many features.
    Llm {
        /// Tokens.
        #[arg(long, value_delimiter = ',', default_value = "1,16,64,128,512,2048")]
        m: Vec<usize>,
    },
    /// The same layers by `#[gemm(invariant)]`, beside the free choice.
    Invariant {
        /// Tokens.
        #[arg(long, value_delimiter = ',', default_value = "1,16,64,128,256,512,2048")]
        m: Vec<usize>,
    },
    /// Layers of few tokens along M or N, compared with a kernel that only reads the weights.
    Skinny(Skinny),
    /// bf16 → bf16, layers of few tokens by clusters whose blocks share the K of a tile.
    Splits {
        /// Tokens.
        #[arg(long, value_delimiter = ',', default_value = "64,128")]
        m: Vec<usize>,
    },
    /// f16 → f16, extents of 64 to 512.
    Small,
    /// f16 → f16, extents whose rows are not multiples of 16 bytes apart.
    Odd,
    /// 8-bit integers summed in i32, M = N = K.
    Int8(Int8),
    /// f32 without a rounding, by fused multiply-adds, M = N = K.
    F32 {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "2048,4096,8192")]
        sizes: Vec<usize>,
        /// How B is stored: `rc` by columns, N×K, `rr` by rows, K×N.
        #[arg(long, value_enum, default_value_t = Order::Rc)]
        layout: Order,
    },
    /// f32 by three products of halves, and its errors, against cuBLASLt in f32.
    F16x3 {
        /// These products, M×N×K.
        #[arg(
            long,
            value_delimiter = ',',
            value_parser = choice::task,
            value_name = "MxNxK",
            default_value = "4096x4096x4096,8192x8192x8192,2048x14336x4096,512x14336x4096,\
                             2048x2048x2048,1024x1024x1024,64x14336x4096,64x4096x4096"
        )]
        products: Vec<Task>,
        /// Of these products the errors are printed too.
        #[arg(
            long,
            value_delimiter = ',',
            value_parser = choice::task,
            value_name = "MxNxK",
            default_value = "1024x1024x1024,4096x4096x4096,256x256x16384"
        )]
        errors: Vec<Task>,
    },
    /// f64 by tensor cores, M = N = K.
    F64 {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "2048,4096")]
        sizes: Vec<usize>,
    },
    /// f32 by tf32, M = N = K.
    Tf32 {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "2048,4096,8192")]
        sizes: Vec<usize>,
    },
    /// Weights of 4 and of 8 bits with a scale for each 128 of K, bf16 tokens, against bf16 weights.
    Quant(Quant),
    /// What `#[gemm]` chooses, in groups of products with a mean each; `--only` names groups.
    Compare,
    /// The choices of `#[gemm(auto)]` for random shapes, against the fastest of its schedules.
    Choice {
        /// How many random shapes.
        #[arg(long, default_value_t = 200)]
        shapes: usize,
        /// These products alone, M×N×K, or B×M×N×K of a batch; of each the time of every schedule is
        /// printed.
        #[arg(long, value_delimiter = ',', value_parser = choice::task, value_name = "[Bx]MxNxK")]
        products: Vec<Task>,
        /// Which ones; random if left out.
        #[arg(long)]
        seed: Option<u64>,
        /// Which factors, and how they are multiplied.
        #[arg(long, value_enum, default_value_t = choice::Products::F16)]
        of: choice::Products,
    },
    /// f16 → f16 with a bias and GELU, against cuBLASLt's own fused epilogue; and with a residual, for
    /// which cuBLASLt takes a separate pass.
    Epilogue {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "2048,4096")]
        sizes: Vec<usize>,
    },
    /// bf16 → bf16, the gate of a transformer's MLP in one launch, against cuBLASLt's products and a pass over
    /// their sums.
    Swiglu {
        /// Tokens.
        #[arg(long, value_delimiter = ',', default_value = "16,128,512,4096")]
        m: Vec<usize>,
    },
    /// bf16 → bf16, three projections of equal widths in one launch, against cuBLASLt's one product or three.
    Qkv {
        /// Tokens.
        #[arg(long, value_delimiter = ',', default_value = "16,512")]
        m: Vec<usize>,
    },
    /// bf16 → bf16 with the sum of squares of each row, against the product alone.
    Norm {
        /// These products, M×N×K.
        #[arg(
            long,
            value_delimiter = ',',
            value_parser = choice::task,
            value_name = "MxNxK",
            default_value = "512x4096x4096,4096x4096x4096,4096x14336x4096"
        )]
        products: Vec<Task>,
    },
    /// bf16 → bf16 with a low-rank update, against the product alone.
    Lora {
        /// These products, M×N×K.
        #[arg(
            long,
            value_delimiter = ',',
            value_parser = choice::task,
            value_name = "MxNxK",
            default_value = "512x4096x4096,4096x4096x4096"
        )]
        products: Vec<Task>,
        /// The rank of the update.
        #[arg(long, default_value_t = 16)]
        rank: usize,
    },
    /// The cost of each stage of a kernel: the kernel, and the same with a stage cut out, which
    /// `--only` names.
    Ladder(Ladder),
    /// The kernels of the book's ladder, f16, M = N = K, each with one more means than the one before.
    Steps {
        /// M = N = K of each case.
        #[arg(long, value_delimiter = ',', default_value = "4096,8192")]
        sizes: Vec<usize>,
    },
    /// The rates of the GPU: tensor cores, FMA, shared memory, L2 and DRAM, each by its own kernel.
    Roofs,
    /// The host's time to enqueue a prepared launch, against that of a product of cuBLASLt's.
    Launch,
    /// The time until a kernel can be launched: from the disk cache, against compiled.
    Jit,
    /// One kernel of `jit`, in a separate process.
    #[command(hide = true)]
    JitOnce {
        /// Makes its text unique.
        salt: String,
    },
}

impl Suite {
    /// The lines of its table.
    pub(crate) fn run(&self, arena: &Arena) -> Result<Vec<Row>> {
        match self {
            Suite::Squares(which) => squares::run(arena, which),
            Suite::Llm { m } => Ok(layers::llm(arena, m)),
            Suite::Invariant { m } => Ok(layers::invariant(arena, m)),
            Suite::Skinny(which) => Ok(layers::skinny(arena, which)),
            Suite::Splits { m } => Ok(splits::run(arena, m)),
            Suite::Small => Ok(small::run(arena)),
            Suite::Odd => Ok(odd::run(arena)),
            Suite::Int8(which) => Ok(int8::run(arena, which)),
            Suite::Tf32 { sizes } => Ok(numbers::tf32(arena, sizes)),
            Suite::F32 { sizes, layout } => Ok(numbers::f32(arena, sizes, *layout)),
            Suite::F16x3 { products, errors } => {
                errors.iter().try_for_each(|task| f16x3::errors(arena, task))?;
                Ok(f16x3::run(arena, products))
            }
            Suite::F64 { sizes } => Ok(numbers::f64(arena, sizes)),
            Suite::Compare => Ok(compare::run(arena)),
            Suite::Choice { shapes, seed, products, of } => {
                let seed = seed.unwrap_or_else(|| fastrand::u64(..));
                let random = || choice::random_tasks(*shapes, seed);
                let tasks = if products.is_empty() { random() } else { products.clone() };
                choice::run(arena, *of, products, &tasks)
            }
            Suite::Epilogue { sizes } => Ok(epilogue::run(arena, sizes)),
            Suite::Quant(which) => quant::run(arena, which),
            Suite::Swiglu { m } => Ok(swiglu::run(arena, m)),
            Suite::Qkv { m } => Ok(qkv::run(arena, m)),
            Suite::Norm { products } => Ok(norm::run(arena, products)),
            Suite::Lora { products, rank } => Ok(lora::run(arena, products, *rank)),
            Suite::Ladder(which) => Ok(ladder::run(arena, which)),
            Suite::Steps { sizes } => Ok(steps::run(arena, sizes)),
            Suite::Roofs => Ok(roofs::all(arena)),
            Suite::Launch => launch::run(arena),
            Suite::Jit => jit::run(),
            Suite::JitOnce { salt } => jit::once(arena, salt).map(|()| Vec::new()),
        }
    }
}
