//! [`Kernel`]: the emitted text and what a launch has to know about it.

use crate::auto::Footprint;
use crate::element::{Element, ScalarType};
use crate::hardware::Target;
use crate::level::global_to_shared::TensorBox;
use crate::level::split_k::SplitK;
use crate::spec::Axis;

/// CUDA C++ text with its launch facts. Only [`emit`](crate::emit) makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    pub(crate) entry: String,
    pub(crate) source: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) outputs: usize,
    pub(crate) block_tile: [u32; 3],
    pub(crate) threads: u32,
    pub(crate) shared_bytes: u32,
    pub(crate) reads_output: bool,
    pub(crate) split_k: Option<SplitK>,
    pub(crate) pdl: Option<Vec<usize>>,
    pub(crate) footprint: Footprint,
    pub(crate) targets: Vec<Target>,
}

impl Kernel {
    /// Name of the `extern "C"` entry point; it ends in a hash of the text.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The CUDA C++ text. It includes nothing.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The parameters behind `int m, int n, int k`, in kernel order: the operands as declared,
    /// then the [`outputs`](Self::outputs), wherever the function has them.
    ///
    /// A matrix takes two kernel parameters (`T* name`, `long long ld_name`, the leading
    /// dimension in elements), a vector or a scalar in device memory one (`const T* name`), a
    /// scalar by value one (`float name`, `double name` or `int name`). A batch of matrices or
    /// vectors takes one more behind them (`long long stride_name`, the elements from one to the
    /// next).
    ///
    /// Where K is split, two more follow that no caller passes: `void* partials` and
    /// `unsigned* arrivals`, the workspace of [`split_k`](Self::split_k).
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How many of the parameters are outputs, the last ones.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// BLK_M, BLK_N, BLK_K. The grid is `(ceil(m / BLK_M) * ceil(n / BLK_N), 1, 1)`, for a batch
    /// as many times that as it has matrices, and times the splits where K is split.
    pub fn block_tile(&self) -> [u32; 3] {
        self.block_tile
    }

    /// Threads of a block, in x.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// Dynamic shared memory of a block in bytes.
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Whether it reads the output's old elements, so that a launch needs an output that was
    /// written.
    pub fn reads_output(&self) -> bool {
        self.reads_output
    }

    /// How blocks share the K of each tile of the output, if they do.
    ///
    /// A launch brings a workspace: for each tile `splits` times `partial_bytes`, aligned to 16
    /// bytes, and a count of 4 bytes that is 0. The kernel leaves each count at 0. A launch whose K
    /// has fewer tiles of BLK_K than there are splits is wrong.
    pub fn split_k(&self) -> Option<SplitK> {
        self.split_k
    }

    /// Whether a launch lets it start before the kernel in front of it in the stream has ended, and the
    /// parameters that it reads before that, by number: who launches it promises that the kernel in
    /// front does not write them.
    pub fn pdl(&self) -> Option<&[usize]> {
        self.pdl.as_deref()
    }

    /// What its speed depends on, beside the shape of a product.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// The architectures it was proved legal on.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }
}

/// One parameter of an emitted kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name in the signature and in the text.
    pub name: String,
    /// What is passed, or what a batch of it has.
    pub kind: ParameterKind,
    /// Whether it is a batch: a matrix or a vector for each matrix of the output.
    pub batched: bool,
    /// Name of the macro that promises bytes (`-DALIGN_X=8`) which divide the address of this
    /// parameter and the distances of its rows and of the matrices of a batch, and the length of a
    /// row too if it [is multiplied](ParameterKind::is_multiplied). `None` if the text has no such
    /// macro. The text's own value is [`MAX_ALIGN`](crate::MAX_ALIGN).
    pub align_macro: Option<String>,
    /// The box by which tensor copies read it: then the kernel takes no pointer and leading
    /// dimension but a map, `const __grid_constant__ TensorMap name` (CUDA Driver API,
    /// `CUtensorMap`), made as the box says. Its address and the distance of its rows have to be
    /// multiples of 16 bytes.
    pub tensor: Option<TensorBox>,
}

/// What a kernel parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Pointer and leading dimension of a matrix stored row by row.
    Matrix {
        /// Type of its elements.
        element: Element,
        /// How many rows it has.
        rows: Axis,
        /// How many columns it has; contiguous.
        columns: Axis,
    },
    /// Pointer to a contiguous vector.
    Vector {
        /// Type of its elements.
        element: Element,
        /// How many elements it has.
        length: Axis,
    },
    /// Pointer to one element, whose value is the same for the whole output.
    DeviceScalar(Element),
    /// A value.
    Scalar(ScalarType),
}

impl ParameterKind {
    /// The type of its value inside a body.
    pub fn value(&self) -> ScalarType {
        match self {
            ParameterKind::Matrix { element, .. }
            | ParameterKind::Vector { element, .. }
            | ParameterKind::DeviceScalar(element) => element.value(),
            ParameterKind::Scalar(ty) => *ty,
        }
    }

    /// The type of its elements; a scalar that is passed by value has none.
    pub fn element(&self) -> Option<Element> {
        match self {
            ParameterKind::Matrix { element, .. }
            | ParameterKind::Vector { element, .. }
            | ParameterKind::DeviceScalar(element) => Some(*element),
            ParameterKind::Scalar(_) => None,
        }
    }

    /// Whether it is an operand of `matmul`: only those run along K.
    pub fn is_multiplied(&self) -> bool {
        matches!(self, ParameterKind::Matrix { rows, columns, .. } if [*rows, *columns].contains(&Axis::K))
    }
}

/// The alignment in bytes that an emitted text assumes where no `-DALIGN_..` says otherwise, and
/// the most that a launch need promise. Legal values: 16, 8, 4, 2, 1, no less than an element.
pub const MAX_ALIGN: u32 = 16;

/// The largest m, n or k of a launch: coordinates and their sums with a tile stay in 32 bits.
/// Offsets are 64 bits wide.
pub const MAX_EXTENT: u32 = 1 << 30;
