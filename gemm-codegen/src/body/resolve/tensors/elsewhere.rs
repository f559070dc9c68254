//! Functions of libraries of tensors that a body has under another name, in another form or not at all.

/// What is said of such a function.
pub(super) struct Elsewhere {
    names: &'static [&'static str],
    message: &'static str,
    /// What to write instead.
    pub(super) help: &'static str,
}

impl Elsewhere {
    /// What is said of the function of this name.
    pub(super) fn find(name: &str) -> Option<&'static Elsewhere> {
        ALL.iter().find(|function| function.names.contains(&name))
    }

    /// What is wrong with a call of `name`.
    pub(super) fn message(&self, name: &str) -> String {
        self.message.replace("{name}", name)
    }
}

const UNKNOWN: &str = "unknown function `{name}`";

/// What is said of elements that are read at an index.
const GATHERED: &str =
    "a kernel gathers no rows by an index: it reads operands at the position of the output";
const GATHER: &str = "gather the rows before the launch and pass them as an operand; a choice by position is an `if`, \
                          such as `if row() < split { x } else { y }`";

/// Names for a product, and for the method that it is not.
pub(super) const PRODUCTS: [&str; 7] = ["bmm", "dot", "einsum", "gemm", "mat_mul", "matmul", "mm"];

const ALL: [Elsewhere; 15] = [
    Elsewhere {
        names: &["to_f32"],
        message: "a value has no method `{name}`: an element is read as an f32",
        help: "remove it: a value is rounded when it is stored",
    },
    Elsewhere {
        names: &["conv", "conv1d", "conv2d", "conv3d", "convolution"],
        message: "`{name}` is not a product of two matrices",
        help: "unfold the input before the launch (im2col) to a matrix of a row for each position of the output and \
               a column for each weight of a filter, and multiply it: `matmul(patches, filters)`",
    },
    Elsewhere {
        names: &["causal_mask", "mask", "masked_fill", "tril", "triu"],
        message: "a body has no function `{name}`: it computes one element",
        help: "select by the coordinates of the element, such as `if column() > row() { 0.0 } else { z }`, or \
               `f32::NEG_INFINITY` for a causal mask; all elements are computed and stored",
    },
    Elsewhere {
        names: &["dropout", "rand", "randn", "random"],
        message: "a body has no random numbers",
        help: "draw the mask before the launch, and multiply by it: `mask: Mat<f16, M, N>`",
    },
    Elsewhere {
        names: &["average", "avg", "mean"],
        message: UNKNOWN,
        help: "return `sum(z)` as an output `Vector<f32, M>`, and divide it by the number of its terms",
    },
    Elsewhere {
        names: &["argmax", "argmin", "cumprod", "cumsum", "sort", "topk"],
        message: "`{name}` needs a whole row of the output, but a body computes one element",
        help: "return the product and compute this after the launch; what a body reduces a row or a column to is \
               `sum`, `max`, `min` or `abs_max`",
    },
    Elsewhere { names: &["swish"], message: UNKNOWN, help: "the function is `silu(x)`" },
    Elsewhere {
        names: &["geglu", "glu", "swiglu"],
        message: UNKNOWN,
        help: "multiply two products with a common factor, such as `silu(matmul(x, gate)) * matmul(x, up)`",
    },
    Elsewhere {
        names: &["log"],
        message: UNKNOWN,
        help: "the natural logarithm is the method `z.ln()`, that of base 2 `z.log2()`",
    },
    Elsewhere { names: &["rsqrt"], message: UNKNOWN, help: "write `z.sqrt().recip()`" },
    Elsewhere {
        names: &["clip"],
        message: UNKNOWN,
        help: "the method is `clamp`, as in `z.clamp(0.0, 1.0)`",
    },
    Elsewhere { names: &["maximum"], message: UNKNOWN, help: "the method is `x.max(y)`" },
    Elsewhere { names: &["minimum"], message: UNKNOWN, help: "the method is `x.min(y)`" },
    Elsewhere {
        names: &["gather", "index_select", "take", "embedding"],
        message: GATHERED,
        help: GATHER,
    },
    Elsewhere { names: &["col"], message: UNKNOWN, help: "the function is `column()`" },
];
