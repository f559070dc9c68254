//! [`Task`]: a product, for our kernels and for cuBLASLt.

/// out(m×n) = scale · a(m×k) · b, whose factors' and output's elements are types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// m, n, k.
    pub(crate) shape: [usize; 3],
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
    I32,
    F64,
}

impl Task {
    /// The product alone.
    pub(crate) fn plain(shape: [usize; 3], compute: Compute) -> Task {
        Task { shape, order: Order::Rc, compute, scale: None, epilogue: Epilogue::Nothing }
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

    /// Its extents, for a table.
    pub(crate) fn name(&self) -> String {
        self.shape.map(|extent| extent.to_string()).join("×")
    }
}

impl Compute {
    /// The relative distance of the sums of two right kernels.
    pub(crate) const fn tolerance(self) -> f64 {
        match self {
            Compute::F32 => 2e-4,
            // Some truncate factors, some round them.
            Compute::Tf32 => 2e-3,
            Compute::I32 => 0.0,
            Compute::F64 => 1e-12,
        }
    }
}
