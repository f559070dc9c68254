//! The golden kernels. Their text is kept in `goldens/NAME.cu` and what they cost on each target
//! in `goldens/NAME.ptxas`; the emulator and the GPU suite run each of them.
//!
//! Together they cover the operand and the schedule space: a change of the generator shows here
//! as a difference that can be read.

use gemm_codegen::Axis;
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix as _, AsMatrixMut as _, AsVector as _, KernelSource, launch,
};

use crate::Failure;
use crate::judge::Verdict;
use crate::operand::Scalar;
use crate::problem::Problem;

/// One golden kernel.
#[derive(Clone, Copy, Debug)]
pub struct Golden {
    /// Name of the function and of its files.
    pub name: &'static str,
    /// What was emitted.
    pub kernel: &'static KernelSource,
    /// Its plan as a table.
    pub plan: &'static str,
    /// Launches it on a problem and judges the output.
    pub check: fn(&mut Problem<'_>) -> Result<Verdict, Failure>,
    /// The same with another kernel in its place: one of the same parameters, whose text was edited.
    pub check_kernel: fn(&mut Problem<'_>, &KernelSource) -> Result<Verdict, Failure>,
}

/// The goldens with their check: the operands of a problem, a launch into a poisoned output, the
/// verdict. In their signatures the indices are called M, N and K.
macro_rules! goldens {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)+>)?),+ $(,)?
        ) -> Mat<$output:ident, $row:ident, $column:ident> $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $($operand: $kind $(<$element $(, $index)+>)?),+
            ) -> Mat<$output, $row, $column> $body
        )+

        /// Those that return their output.
        static RETURNED: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.output::<$output>(Axis::$row, Axis::$column)?;
                $name::into(
                    problem.device(),
                    $($operand.device()?,)+
                    output.device_mut()?,
                )?;
                let expected = $name::reference(problem.shape(), $($operand.host()),+)?;
                problem.judge(&output, &expected)
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.output::<$output>(Axis::$row, Axis::$column)?;
                let arguments =
                    vec![$(argument!($operand, $kind),)+ output.device_mut()?.argument()];
                launch::into(problem.device(), kernel, arguments)?;
                let expected = $name::reference(problem.shape(), $($operand.host()),+)?;
                problem.judge(&output, &expected)
            },
        }),+];
    };
}

/// An operand of the declared type, with the data of a problem.
macro_rules! operand {
    ($problem:ident, Mat<$element:ident, $row:ident, $column:ident>) => {
        $problem.matrix::<$element>(Axis::$row, Axis::$column)?
    };
    ($problem:ident, Vector<$element:ident, $index:ident>) => {
        $problem.vector::<$element>(Axis::$index)?
    };
    ($problem:ident, f32) => {
        $problem.scalar()
    };
    ($problem:ident, i32) => {
        Scalar(3i32)
    };
}

/// What a launch takes of an operand of this kind.
macro_rules! argument {
    ($operand:ident, Mat) => {
        $operand.device()?.argument()
    };
    ($operand:ident, Vector) => {
        $operand.device()?.argument()
    };
    ($operand:ident, $scalar:ident) => {
        Argument::from($operand.device()?)
    };
}

// Behind the macros that it uses.
pub mod in_place;

/// Every golden.
pub static ALL: &[Golden] = &{
    let mut all = [RETURNED[0]; RETURNED.len() + in_place::IN_PLACE.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at.checked_sub(RETURNED.len()) {
            None => RETURNED[at],
            Some(at) => in_place::IN_PLACE[at],
        };
        at += 1;
    }
    all
};

goldens! {
    /// Everything derived.
    #[gemm]
    pub fn derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// B with N contiguous.
    #[gemm]
    pub fn mk_kn(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// A with M contiguous.
    #[gemm]
    pub fn km_nk(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// A with M and B with N contiguous.
    #[gemm]
    pub fn km_kn(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// The output with M contiguous.
    #[gemm]
    pub fn mk_nk_nm(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, N, M> {
        matmul(a, b)
    }

    /// Every matrix in its less usual order, and an output of f32.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn km_kn_nm(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// The classic: 128×128×32, four warps, 16-byte copies past L1.
    #[gemm(
        tile = [128, 128, 32],
        warps = [2, 2],
        mma = m16n8k16,
        copy = cp_async(16, cg),
        swizzle = [2, 3, 3],
        stages = 4,
    )]
    pub fn classic(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The atom of half the depth.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, stages = 3)]
    pub fn atom_m16n8k8(a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Eight warps on a tile for large problems; too large for the shared memory of sm_86.
    #[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 3, targets = [sm_80, sm_90])]
    pub fn big_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// One warp.
    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    pub fn small_tile(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// No extent is a power of two.
    #[gemm(tile = [80, 96, 48], warps = [1, 3], stages = 3)]
    pub fn odd_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// Copies of 8 bytes through L1.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], copy = cp_async(8, ca), stages = 3)]
    pub fn copies_of_8_bytes(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Copies of 4 bytes for one side only.
    #[gemm(
        tile = [64, 64, 64],
        warps = [2, 2],
        copy(a = cp_async(4, ca), b = cp_async(16, cg)),
        stages = 3,
    )]
    pub fn copies_of_4_bytes(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// No swizzle: the eight rows of a matrix that is loaded begin in the same bank.
    #[gemm(
        tile = [64, 64, 64],
        warps = [2, 2],
        swizzle = [0, 3, 3],
        stages = 2,
        allow(bank_conflicts),
    )]
    pub fn conflicts_no_swizzle(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Copies, too, meet in a bank: rows of 48 elements cross the lines that the swizzle permutes.
    #[gemm(
        tile = [48, 32, 64],
        warps = [1, 4],
        swizzle(a = [2, 3, 4], b = [1, 3, 3]),
        stages = 2,
        allow(bank_conflicts),
    )]
    pub fn conflicts_weak_swizzle(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Strips of blocks along N.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], raster = along_n(4))]
    pub fn raster_along_n(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// A linear layer.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
    pub fn linear_gelu(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        gelu(matmul(x, w) + bias)
    }

    /// Both vectors, an elementwise matrix and scalars.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn residual(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, K, N>,
        scale: Vector<f32, M>,
        bias: Vector<bf16, N>,
        previous: Mat<bf16, M, N>,
        alpha: f32,
        beta: f32,
    ) -> Mat<bf16, M, N> {
        alpha * scale * silu(matmul(a, b) + bias) + beta * previous
    }

    /// Branches, bindings, casts and methods; an elementwise matrix in the other order than the
    /// output. What is decided by is exact, so that both sides take the same branch.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn branches(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        gate: Mat<f16, N, M>,
        power: i32,
    ) -> Mat<f32, M, N> {
        let sum = matmul(a, b);
        let bounded = sum.clamp(-4.0, 4.0) / 4.0;
        if gate > 0.5 && (gate < 0.9 || power <= 0) {
            bounded.powi(2).mul_add(gate, -1.0) * power as f32
        } else {
            relu(-bounded) + (sum * 0.25).tanh()
        }
    }

    /// 8-bit integers, everything derived.
    #[gemm]
    pub fn integers(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// 8-bit integers of both kinds, every matrix in its less usual order.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn integers_km_kn_nm(a: Mat<u8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }

    /// 8-bit weights of a layer whose activations are halves again.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn dequantized(
        a: Mat<i8, M, K>,
        b: Mat<u8, K, N>,
        scale: Vector<f32, N>,
        alpha: f32,
    ) -> Mat<f16, M, N> {
        matmul(a, b) as f32 * (0.001 * alpha * scale)
    }

    /// From 8 bits to 8 bits, through integers and floats.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k16, stages = 3)]
    pub fn requantized(
        a: Mat<u8, K, M>,
        b: Mat<i8, N, K>,
        bias: Vector<i32, N>,
        scale: Vector<f32, M>,
    ) -> Mat<i8, M, N> {
        (matmul(a, b) + bias) as f32 * scale * 0.002
    }

    /// Integers alone, no extent a power of two, copies of one side narrower.
    #[gemm(
        tile = [80, 96, 48],
        warps = [1, 3],
        copy(a = cp_async(8, ca), b = cp_async(16, cg)),
        stages = 3,
    )]
    pub fn quotients(
        a: Mat<u8, M, K>,
        b: Mat<u8, N, K>,
        offset: Mat<i8, N, M>,
        divisor: i32,
    ) -> Mat<u8, N, M> {
        matmul(a, b) / (1024 * divisor) - offset.max(-5)
    }

    /// Single precision by tf32, everything derived.
    #[gemm]
    pub fn singles(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The same with every matrix in its less usual order.
    #[gemm(tile = [64, 128, 16], warps = [2, 2], stages = 3)]
    pub fn singles_km_kn_nm(a: Mat<f32, K, M>, b: Mat<f32, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// The shallower atom, one side of each order, an epilogue.
    #[gemm(tile = [64, 64, 12], warps = [2, 2], mma = m16n8k4, stages = 3)]
    pub fn singles_m16n8k4(
        a: Mat<f32, M, K>,
        b: Mat<f32, K, N>,
        bias: Vector<f32, N>,
    ) -> Mat<bf16, M, N> {
        relu(matmul(a, b) + bias)
    }
}
