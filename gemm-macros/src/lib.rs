//! The `#[gemm]` attribute. Users get it through `gemm_runtime::prelude`.
//!
//! The phases are the modules: `attribute`, `signature` and `body` turn tokens into a
//! `gemm_codegen::Spec` with a place for each of its fields (`spans`); `gemm_codegen::Plan`
//! proves it; `expand` writes the items. Every phase reports all of its errors at once
//! (`errors`), and a later phase runs only if the earlier ones found none.

#![forbid(unsafe_code)]

mod attribute;
mod body;
mod errors;
mod expand;
mod function;
mod phases;
mod signature;
mod spans;

/// Declares a GEMM: the signature says what is multiplied, the body says what happens to the
/// result, the attribute says how the GPU does it.
///
/// ```ignore
/// use gemm_runtime::prelude::*;
///
/// /// y = gelu(x · wᵀ + bias)
/// #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
/// pub fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
///     gelu(matmul(x, w) + bias)
/// }
/// ```
///
/// # Signature
///
/// A parameter is a `Mat<T, I, J>` (stored row by row: `J` is contiguous), a `Vector<T, I>`, a
/// `Scalar<T>` in device memory, an `f32`, an `f64` or an `i32`; the result is a `Mat<T, I, J>`. `T`
/// is `f16`, `bf16`, `f32`, `f64`, `i8`, `u8`, `i32`, `e4m3` or `e5m2`; what is multiplied is two
/// `f16`, two `bf16`, two `f64`, two `f32`, which are rounded to tf32 unless `mma = fma(..)`, `i8`
/// and `u8` in any mix, or `e4m3` and `e5m2` in any mix. The indices are
/// free names. The one that both arguments of `matmul` share and the output lacks is
/// contracted; every other operand is applied element by element to the output.
///
/// `Batched<T, B, I, J>` is a matrix, `Batched<T, B, I>` a vector, for each number of `B`. If an
/// argument of `matmul` is a batch, so is the output; what is none is the same for every matrix:
///
/// ```ignore
/// #[gemm]
/// fn scores(q: Batched<f16, H, M, K>, k: Batched<f16, H, N, K>, scale: f32) -> Batched<f16, H, M, N> {
///     scale * matmul(q, k)
/// }
/// ```
///
/// A tuple of two to four is returned by a body that ends in a tuple, behind any `let`s. Each value is
/// stored as elements of its own output; all outputs have the indices of the first, in its order:
///
/// ```ignore
/// #[gemm]
/// fn linear_both(
///     x: Mat<f16, M, K>,
///     w: Mat<f16, N, K>,
///     bias: Vector<f16, N>,
/// ) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
///     let z = matmul(x, w) + bias;
///     (z, gelu(z))
/// }
/// ```
///
/// Instead of being returned, the output can be a parameter `c: &mut Mat<T, I, J>`, which the body
/// assigns to. The launch then takes a mutable matrix in its place and returns `Result<(), Error>`:
///
/// ```ignore
/// #[gemm]
/// fn axpby(a: Mat<f16, M, K>, b: Mat<f16, N, K>, alpha: f32, beta: f32, c: &mut Mat<f32, M, N>) {
///     *c = alpha * matmul(a, b) + beta * *c
/// }
/// ```
///
/// # Body
///
/// One expression over `matmul(a, b)`: arithmetic, comparisons, `&&`, `||`, `!`, `as f32`,
/// `as f64`, `as i32`, literals, `let`, `if`/`else`, the activations of the prelude and the methods
/// of `f32`, `f64` and `i32` that have a twin on the device. In place it is `*c = value`, after any `let`s, or
/// `*c += value` and the like; inside, `*c` is the old element. It becomes the end of the kernel
/// and, as Rust, the host function `reference`.
///
/// Inside a body an `f64` is an `f64`, every other float an `f32` and an integer an `i32`; the sum of
/// integers is an `i32` that wraps. A float literal has the type that rustc infers for it. An `f32`
/// is stored as a float of at most 32 bits or, rounded to nearest even and saturated, as `i8` or
/// `u8`; `e4m3` and `e5m2` saturate to their largest finite number, and keep NaN. An `f64` is stored
/// as it is, an integer as `i32` or, saturated, as `i8` or `u8`. Nothing else is converted without
/// `as`:
/// `matmul(a, b) as f32 * scale`. What is assigned to `*c` has the type of `*c`.
///
/// # Schedule
///
/// Each key is optional. `tile`, `warps`, `swizzle`, `stages` and `split_k` fix one schedule: what is left
/// out of it is derived, and shown in the documentation of the item.
///
/// Where none of these is given there are several schedules, all proved when the function is compiled: a
/// launch chooses by its shape and the GPU, and compiles what it chooses when that is first used. It
/// estimates what each would take, or measures it where the device was made by `with_tuning`. Other keys
/// hold for all of them. Of `f32` that are rounded to tf32, schedules with `copy = tma` round ties to
/// even, the others away from zero; `reference` rounds as the first.
///
/// | key | example | meaning |
/// | --- | --- | --- |
/// | `tile` | `tile = [128, 128, 32]` | BLK_M, BLK_N, BLK_K: the part of the problem a block does at a time |
/// | `warps` | `warps = [2, 2]`, `warps = [1, 1, 8]` | warps of a block along M and N, and K: those share the K of each tile |
/// | `mma` | `mma = m16n8k16` | the instruction a warp multiplies with; `fma(8, 8)`: no tensor core, 8×8 sums a lane |
/// | `acc` | `acc = f16` | what it sums in: `f32`, for `f16` operands also `f16`; `f64`; `i32` |
/// | `copy` | `copy = cp_async(16, cg)` | global → shared: bytes, cache operator; `cp_async(16, cg, evict_first)`: L2 gives its lines up first (or `evict_last`, `evict_normal`, `evict_unchanged`); `ld_global(16)`: through registers; `tma`: whole tiles, by a unit of the SM, from sm_90 on; or `copy(a = .., b = ..)`. `cp_async(4, ca)` transposes an `f32` operand that is contiguous along K for `fma(..)`, and is what such an operand gets |
/// | `swizzle` | `swizzle = [2, 3, 3]` | `Swizzle<B, M, S>` in elements; or `swizzle(a = .., b = ..)`; what is transposed has none, `[0, ..]` |
/// | `stages` | `stages = 4` | tiles in flight between global and shared memory |
/// | `raster` | `raster = along_m(8)` | the order of blocks: strips of 8 blocks; or `along_n(8)` |
/// | `split_k` | `split_k = 4`, `split_k = tail(8)` | blocks that share the K of each tile of the output; or up to 8 of each of the last tiles, which would leave a GPU partly idle; 1 by default |
/// | `pdl` | `pdl = [w]`, `pdl = []` | it may start before the kernel in front has ended, which its author promises not to write `w`: `w` is loaded before that, everything else behind it; from sm_90 on |
/// | `targets` | `targets = [sm_80, sm_90]` | the architectures on which it has to be legal |
/// | `allow` | `allow(bank_conflicts)` | what the author takes responsibility for |
/// | `auto` | `auto` | several schedules, as if nothing were said |
/// | `derived` | `derived` | one, derived as a whole: made for large products |
///
/// # Expansion
///
/// A function of this name that launches the kernel and returns a new matrix (of several outputs a
/// tuple, in place nothing), and a module of this name with `SOURCE`, `PLAN`, `KERNEL`, `into`,
/// `prepare`, `reference` and `report`. Behind the operands `into` and `prepare` take `out`, a mutable
/// matrix; of several outputs `out0`, `out1` and so on, and `reference` returns a tuple of vectors.
/// Errors have these names. Of several schedules the constants are those of the first, which is legal on
/// all targets, and `KERNELS` has the kernels of all.
#[proc_macro_attribute]
pub fn gemm(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    phases::run(attribute.into(), item.into()).into()
}
