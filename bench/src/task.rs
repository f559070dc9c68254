//! [`Task`]: a product, for our kernels and for cuBLASLt.

/// out(m×n) = scale · a(m×k) · b, whose factors' and output's elements are types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// m, n, k.
    pub(crate) shape: [usize; 3],
    /// Products of this shape in a launch; `None` is one, whose operands are no batch.
    pub(crate) batch: Option<usize>,
    pub(crate) order: Order,
    pub(crate) compute: Compute,
    /// The factor of sums, as f32, before they are rounded to the output's elements.
    pub(crate) scale: Option<f32>,
    pub(crate) epilogue: Epilogue,
}

/// The operations after the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Epilogue {
    Nothing,
    /// A bias is added to each row, which then goes through GELU.
    BiasGelu,
    /// Then a matrix is added.
    BiasGeluResidual,
}

/// How b is stored, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Order {
    /// n×k: both factors have k contiguous.
    Rc,
    /// k×n.
    Rr,
}

/// The type of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compute {
    /// f32, of factors as they are.
    F32,
    /// f32, of f32 rounded to tf32.
    Tf32,
    /// f32 with the fewer bits that tensor cores add 8-bit floats in, cuBLASLt's `FAST_ACCUM`.
    Fast,
    I32,
    F64,
}

impl Task {
    /// The product alone.
    pub(crate) fn plain(shape: [usize; 3], compute: Compute) -> Task {
        let (order, epilogue) = (Order::Rc, Epilogue::Nothing);
        Task { shape, batch: None, order, compute, scale: None, epilogue }
    }

    pub(crate) fn has_bias(&self) -> bool {
        self.epilogue != Epilogue::Nothing
    }

    pub(crate) fn has_residual(&self) -> bool {
        self.epilogue == Epilogue::BiasGeluResidual
    }

    /// Rows and columns of b as it is stored.
    pub(crate) fn extents_of_b(&self) -> [usize; 2] {
        let [_, n, k] = self.shape;
        match self.order {
            Order::Rc => [n, k],
            Order::Rr => [k, n],
        }
    }

    /// How many products of its shape.
    pub(crate) fn products(&self) -> usize {
        self.batch.unwrap_or(1)
    }

    /// Elements of a, of b and of out.
    pub(crate) fn elements(&self) -> [usize; 3] {
        let [m, n, k] = self.shape;
        [m * k, n * k, m * n].map(|one| one * self.products())
    }

    /// Its extents, for a table.
    pub(crate) fn name(&self) -> String {
        let extents = self.shape.map(|extent| extent.to_string()).join("×");
        self.batch.map_or(extents.clone(), |batch| format!("{batch} of {extents}"))
    }
}

impl Compute {
    /// The relative distance of the sums of two right kernels.
    pub(crate) const fn tolerance(self) -> f64 {
        match self {
            Compute::F32 => 2e-4,
            // Some truncate factors, some round them.
            Compute::Tf32 => 2e-3,
            // Some kernels add partial sums to f32.
            Compute::Fast => 4e-3,
            Compute::I32 => 0.0,
            Compute::F64 => 1e-12,
        }
    }
}
