//! [`Part`]: what the sections of a text belong to.

/// A part of a kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Which tile of the output a block computes, and which part of its K.
    Tiles,
    /// Which part of the tile a warp has.
    Warps,
    /// The copies from global to shared memory.
    Copies,
    /// The loads of fragments.
    Loads,
    /// The products.
    Multiply,
    /// The main loop, which calls these three.
    Mainloop,
    /// The sum of what several blocks have of a tile, and what rows or columns are reduced to.
    Reduction,
    /// The stores of results to shared memory, from where the epilogue reads them.
    Staging,
    /// The body and the stores of the output.
    Epilogue,
    /// The entry point.
    Entry,
}
