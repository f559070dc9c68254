//! Warp tile → MMA atoms.

/// An MMA atom: the instruction a warp multiplies with. Named by its shape, m n k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mma {
    /// `mma.sync.aligned.m16n8k8` of f16 or bf16 with f32 accumulation.
    M16n8k8,
    /// `mma.sync.aligned.m16n8k16` of f16 or bf16 with f32 accumulation.
    M16n8k16,
}

impl Mma {
    /// Every atom.
    pub const ALL: [Mma; 2] = [Mma::M16n8k8, Mma::M16n8k16];

    /// The name in `mma = ..`.
    pub const fn name(self) -> &'static str {
        match self {
            Mma::M16n8k8 => "m16n8k8",
            Mma::M16n8k16 => "m16n8k16",
        }
    }
}
