//! Every rule, with its explanation.

rules! {
    /// `matmul` contracts the one index that its arguments share and the output lacks.
    ///
    /// The other index of each argument has to be one of the two output indices, each once.
    ContractionIndices = "contraction-indices",
    /// The body multiplies two matrices that are parameters.
    ///
    /// A block computes the accumulators of `matmul`; a body without one is no GEMM.
    Matmul = "matmul",
    /// Several products have one first factor, at most four second ones, and these are alike.
    ///
    /// A block brings the shared factor to shared memory once, and next to it a tile of the others: parts
    /// of each in turn, so that a thread has the sums of all products for an element. The others have one
    /// element type, one order, one extent and the same batch indices, and what is stored has rows along N,
    /// as the parts lie. The limit of four is the generator's own.
    SharedFactor = "shared-factor",
    /// A term that is added to a product has factors like that product's, and is a multiple by one value.
    ///
    /// `matmul(x, w) + scale * matmul(t, b)`: a block first sums the term, in the registers and with the
    /// tiles of the product, multiplies these sums by the scale, and goes on with the product. So both terms
    /// have the same elements, orders and batch indices, and the same rows and columns; what they sum over may
    /// differ. Either may have its name from a `let` that is used once. Factors that are converted, scaled or
    /// multiplied as planes, and sums that are promoted by warpgroups, have no room for that.
    AddedTerm = "added-term",
    /// Products whose columns differ are computed in turn, alike.
    ///
    /// `(matmul(x, wq) + bq, matmul(x, wk) + bk)` with `wq: Mat<_, NQ, K>` and `wk: Mat<_, NK, K>`: the tiles of
    /// one launch are those of the first product, then those of the second one. One kernel computes all, whose blocks
    /// take the operands of their product. So second factors have one element type, order and batch, outputs one
    /// element type, and each is a matrix of the same expression, of operands of its own or shared ones.
    ProductsInTurn = "products-in-turn",
    /// Each warp, or warpgroup, multiplies whole parts of several products.
    ///
    /// BLK_N counts the columns of all products. Those of a warp are divided among them, and a part has
    /// whole bands of 8 columns, whole copies, and in panels of tensor copies whole panels.
    ProductsOfTile = "products-of-tile",
    /// Every other matrix has the output's indices, every vector one of them.
    ///
    /// A body is applied element by element, so an operand must have an element for each output.
    OperandIndices = "operand-indices",
    /// The output has the batch indices of what is multiplied, each once; every other operand has
    /// some of them, in their order.
    ///
    /// A block computes a tile of one matrix of the output. An operand that lacks a batch index is the
    /// same for all of its values; one with another index has no matrix for the block to read. The
    /// indices count matrices, so they are none that run within one.
    BatchIndices = "batch-indices",
    /// A kernel has at most four outputs, and one that is written in place has no other.
    ///
    /// Each is stored by the thread that computes it, from registers that it takes until then; the
    /// limit of four is the generator's own. In place the old elements are those of one matrix.
    OutputCount = "output-count",
    /// All outputs of a kernel have the indices of the first, in its order, and its batch index.
    ///
    /// A thread computes the body for a run of elements of a row and stores that run to each output:
    /// what is contiguous in one is contiguous in all.
    OutputsAlike = "outputs-alike",
    /// A body has a value for each output: one, or a tuple of as many as there are outputs.
    ///
    /// A tuple cannot be computed with. It ends the body, after its `let`s.
    OutputsOfBody = "outputs-of-body",
    /// `sum`, `max`, `min` and `abs_max` are the values of outputs that are vectors, of one type.
    ///
    /// A vector has one index of the product: values of elements are reduced over the other one.
    ReductionOfOutput = "reduction-of-output",
    /// Threads that store together have whole rows of the output, and what they reduce fits their shared memory.
    ///
    /// A run of elements is reduced in place of its sums: the generator's own limit.
    ReductionOfTile = "reduction-of-tile",
    /// Each operand has a name of its own, and all names are identifiers.
    ///
    /// The emitted text uses them.
    OperandNames = "operand-names",
    /// Every name in a body is a parameter or a `let` of the body.
    BodyNames = "body-names",
    /// Every function of a body has a twin on the device.
    ///
    /// Those of the user's own are inlined there, so that none can call itself.
    BodyFunctions = "body-functions",
    /// The values of a body have the types that its operators and functions take.
    BodyTypes = "body-types",
    /// The MMA atom multiplies the elements of these two operands.
    ///
    /// `mma = ..` names a shape; with the elements it has to be an instruction (PTX ISA, "mma").
    /// `fma(m, n)` multiplies two f16, two bf16 or two f32, each as an f32, or two f64.
    ElementsMatchAtom = "elements-match-atom",
    /// A factor of integers that is multiplied by floats comes by the copies of threads, and both factors have
    /// rows along K.
    ///
    /// A warp converts what it has loaded from shared memory, neighbours along K together. `wgmma` reads shared
    /// memory itself. The limits are the generator's own.
    ConvertedFactor = "converted-factor",
    /// A factor is multiplied by the scales of its tiles where warps sum products of what threads have copied in f32.
    ///
    /// The tensor cores sum the products of a tile; an FMA adds this sum times its scale to an f32. So warps round no weight,
    /// and what a warp sums of a k-tile has whole tiles of scales, or lies in one. An offset has the tiles of the scales, and is
    /// multiplied by the sums of the other factor's lines. A warp scales the sums of several products alike: their second
    /// factors have scales, and offsets, of one element type, tile and kind. The other limits are the generator's own.
    ScaledFactor = "scaled-factor",
    /// A `precision` is written where tensor cores multiply f32 factors, and nowhere else.
    ///
    /// They multiply f32 as tf32, with 10 bits of fraction in place of 23 (PTX ISA, "Alternate
    /// floating-point data formats"): an error of up to 2⁻¹⁰ in each product. numpy, PyTorch and candle
    /// multiply f32 as it is unless they are told otherwise, and so does `fma(m, n)`.
    PrecisionByName = "precision-by-name",
    /// A k-tile has whole units of [`Planes`](crate::Planes): all parts of 32 of K.
    PlanesOfTile = "planes-of-tile",
    /// The MMA atom sums in the accumulators that are asked for.
    ///
    /// All sum `f64` in itself, other floats in `f32`, integers in `i32`, `mma.sync` of `f16` in `f16` as
    /// well (PTX ISA, "mma"). `wgmma` could sum `f16` and 8-bit floats in `f16`, no faster on Hopper.
    AccumulatorOfAtom = "accumulator-of-atom",
    /// The MMA atom exists on every target.
    AtomOnTarget = "atom-on-target",
    /// A register tile fits the registers of a lane.
    ///
    /// `fma(m, n)` needs m·n sums, m + n factors and the addresses, of 255 registers of a thread; a
    /// sum or factor of `f64` takes two.
    RegisterTileFits = "register-tile-fits",
    /// The copy atom exists on every target.
    ///
    /// `cp.async` and the policies of its lines came with sm_80, `cp.async.bulk.tensor` (`tma`) with
    /// sm_90 (PTX ISA, "cp.async", "createpolicy", "cp.async.bulk.tensor"); `ld_global` is everywhere.
    CopyOnTarget = "copy-on-target",
    /// Both sides are copied by atoms of one kind.
    ///
    /// A main loop waits for asynchronous copies of one kind, or stores what it has loaded to
    /// registers.
    CopiesAlike = "copies-alike",
    /// The tiles that `tma` copies consist of boxes: rows of 128 bytes, at most 256 of them, swizzled as
    /// the copy unit does it. A batch that it copies has at most three indices.
    ///
    /// CUDA Driver API, "cuTensorMapEncodeTiled": a tensor has at most five dimensions, two of them
    /// rows and columns; a box has at most 256 elements along each dimension, and rows of at most 128 bytes where they are swizzled by
    /// `CU_TENSOR_MAP_SWIZZLE_128B`. BLK_K has the bytes of one row for each of the warps along K, of
    /// warpgroups those of one or two. Rows along M or N are transposed when they are loaded, which
    /// `ldmatrix` does for elements of 16 bits: 64 of them are a row, and BLK_M or BLK_N is a multiple
    /// of that. That BLK_K has such bytes there, too, and that it has at most two rows, are the
    /// generator's own limits.
    TensorCopy = "tensor-copy",
    /// The fragments of what `tma` copies are whole loads of `ldmatrix`, and of boxes of rows along M
    /// or N a warp has whole ones, or one of 2, 4, .. equal parts of one.
    ///
    /// The main loop that tensor copies feed loads four matrices at a time, those of A right before
    /// they are multiplied. A lane computes where it reads first; in a box of rows along M or N the
    /// other loads of a warp differ from that in bits that are 0 there. The limits are the generator's
    /// own.
    TensorFragments = "tensor-fragments",
    /// A copy moves 4, 8 or 16 bytes, and `cp.async` only 16 past the L1 cache.
    ///
    /// PTX ISA, "cp.async": `.cg` takes a size of 16, `.ca` of 4, 8 or 16; "ld": a vector has at
    /// most 16 bytes.
    CopySize = "copy-size",
    /// The warps divide the block tile into equal warp tiles.
    WarpsTileBlock = "warps-tile-block",
    /// `warps` share the tile where one warp executes an atom, `warpgroups` where four do.
    ///
    /// PTX ISA, "warpgroup": four warps execute `wgmma`, and the number of the first is a
    /// multiple of four.
    WarpsOfAtom = "warps-of-atom",
    /// One to three warpgroups of a block multiply.
    ///
    /// A fourth one copies. The registers of an SM are enough for 160 a thread of three that multiply
    /// and 32 of the one that copies; more would have fewer than the sums of a tile that is worth it.
    WarpgroupsOfBlock = "warpgroups-of-block",
    /// A warpgroup multiplies at most 256 columns, in steps that the instruction has.
    ///
    /// PTX ISA, "wgmma.mma_async": N is a multiple of 8, up to 256, of integers 8, 24 or a multiple of 16.
    /// One instruction has all columns of a warpgroup's tile. Of several warpgroups along N each has whole
    /// panels of 64 columns where B is stored along N, as a descriptor begins with one.
    WarpgroupColumns = "warpgroup-columns",
    /// `mma = m64nNkK` names the instruction that the tile, its warpgroups and the elements have.
    ///
    /// One instruction has all columns of a warpgroup's tile, N, and 32 bytes along K (PTX ISA,
    /// "wgmma.mma_async", `.shape`). `mma = wgmma` leaves both to them.
    WgmmaShape = "wgmma-shape",
    /// What `wgmma` multiplies comes by tensor copies.
    ///
    /// PTX ISA, "Shared memory layout for wgmma": the tiles are swizzled as the copy unit swizzles
    /// them, in rows of 128 bytes, and read without passing through registers.
    WarpgroupCopies = "warpgroup-copies",
    /// Blocks of warpgroups share the K of each tile in clusters of 2, 4 or 8.
    ///
    /// Their sums meet in their shared memory, so that they run at the same time. Eight blocks are
    /// the most that every GPU with clusters runs as one (CUDA C++ Programming Guide, "Thread Block
    /// Clusters"), and the text fixes their number. That it is a power of two is the generator's
    /// own limit.
    WarpgroupSplits = "warpgroup-splits",
    /// A cluster whose blocks share the K of a tile computes that tile alone.
    ///
    /// A block that walks over tiles fills its ring for the next one, where it would receive the
    /// sums of the others. And these blocks multiply different k-tiles: none could be copied to
    /// several.
    SplitsAlone = "splits-alone",
    /// The blocks that share the K of a tile store whole bands of 8 columns of each warpgroup.
    ///
    /// A lane has four sums of each band of 8 columns (PTX ISA, "Register fragments for
    /// wgmma.mma_async.m64nNk16", D). They are sent together, and each block stores the same number
    /// of bands.
    SplitColumns = "split-columns",
    /// Blocks that walk over tiles of the output consist of warpgroups.
    ///
    /// One that only copies brings the next tile while the others store. The limit is the generator's
    /// own: warps that do both would keep a part of shared memory for what they store.
    WalkOfWarpgroups = "walk-of-warpgroups",
    /// Blocks that walk over tiles of the output sum the k-tiles of every second one backwards; others do not.
    ///
    /// `k_order = serpentine` lets a tile begin with the k-tiles that its block has read last, which are
    /// in L2. A block of one tile has none.
    KOrderOfWalk = "k-order-of-walk",
    /// With `invariant` the order of a sum depends on its K alone.
    ///
    /// `split_k = tail(..)` and `k_order = serpentine` sum a tile as its number in the grid says, so a row would have
    /// other bits beside other rows. [`Plan::summation`](crate::Plan::summation) states the order.
    Invariant = "invariant",
    /// Sums of floats by `wgmma` are promoted after whole k-tiles, all in the ring: their products are
    /// summed for one atom after the other. The limits are the generator's own.
    PromotionOfTiles = "promotion-of-tiles",
    /// Each of the two warpgroups of a pingpong has a tile of its own.
    ///
    /// So one multiplies while the other stores. Four that multiply would have too few registers
    /// (`warpgroups-of-block`).
    PingpongWarpgroups = "pingpong-warpgroups",
    /// A cluster consists of blocks of warpgroups.
    ///
    /// Its producers copy a tile to all of its blocks. The limit is the generator's own.
    ClusterOfWarpgroups = "cluster-of-warpgroups",
    /// A cluster has at most eight blocks, a power of two along M and one along N.
    ///
    /// Eight are the most that every GPU with clusters runs (CUDA C++ Programming Guide, "Thread Block
    /// Clusters"). That the extents are powers of two is the generator's own: they divide a tile into
    /// equal copies.
    ClusterSize = "cluster-size",
    /// MMA atoms tile the warp tile.
    AtomsTileWarp = "atoms-tile-warp",
    /// MMA atoms tile BLK_K.
    AtomsTileK = "atoms-tile-k",
    /// The threads of a block fit a block of the hardware.
    ///
    /// CUDA C++ Programming Guide, technical specifications: 1024.
    ThreadsFitBlock = "threads-fit-block",
    /// The copies of a block's threads write every element of a tile exactly once.
    ///
    /// A copy runs along a row, so it is of whole elements and its vector has to divide the row; the rest is proved by
    /// enumeration of every thread's copies.
    CopyCoversTile = "copy-covers-tile",
    /// A swizzle permutes a tile that lies as rows.
    ///
    /// `cp_async(4, ca)` transposes elements of 4 bytes for `fma(m, n)` where their rows run along K:
    /// then columns lie one after the other, padded so that no copy and no load meets a bank twice.
    SwizzleOfRows = "swizzle-of-rows",
    /// A swizzle leaves 16-byte chunks whole: `2^M` elements are at least 16 bytes.
    SwizzleKeepsChunks = "swizzle-keeps-chunks",
    /// A swizzle is its own inverse: `B <= S`.
    ///
    /// It xors bits `M+S..M+S+B` of an offset into bits `M..M+B`. Where the two ranges overlap it
    /// is not a permutation (`S = 0`) or not its own inverse; CuTe refuses it as well
    /// (`cute/swizzle.hpp`).
    SwizzleInvertsItself = "swizzle-inverts-itself",
    /// The span of a swizzle, `2^(B+M+S)` elements, divides the tile.
    SwizzleSpanDividesTile = "swizzle-span-divides-tile",
    /// The banks of shared memory serve every access to an operand's tile in one pass.
    ///
    /// Shared memory has 32 banks of 4 bytes; 16-byte accesses are served eight lanes at a time.
    /// `allow(bank_conflicts)` waives it.
    BankConflictFree = "bank-conflict-free",
    /// A ring has a stage to fill while another is read.
    ///
    /// `cp_async` and `tma` fill a ring of any depth; what `ld_global` loads takes turns between two stages.
    PipelineDepth = "pipeline-depth",
    /// At most 256 blocks share the K of a tile.
    ///
    /// The one that comes last adds up the sums of all of them, one after the other. No target has
    /// as many SMs; the limit is the generator's own.
    SplitsOfTile = "splits-of-tile",
    /// `pdl` names operands of `matmul` that come by `cp_async` or to warpgroups by `tma`, each once and with its scales.
    ///
    /// Their first tiles are what a block loads before its predecessor has ended. Copies through
    /// registers would have to be stored before the block waits, and so would wait themselves.
    PdlOperands = "pdl-operands",
    /// The ring of stages and the staging of the output fit the shared memory of a block, on every target.
    SharedMemoryFits = "shared-memory-fits",
    /// Accumulators and fragments fit the registers of a thread.
    ///
    /// `setmaxnreg` gives a thread of warpgroups more of them than at launch, but ptxas compiles each `wgmma`
    /// for those at launch: its sums and 26 more (NVRTC 13.1, message C7602).
    RegistersFit = "registers-fit",
    /// Every target converts between the elements that a body reads or writes and its values.
    ///
    /// Rounding to `bf16` came with sm_80, conversions of 8-bit floats with sm_89 (PTX ISA, "cvt").
    ElementsOnTarget = "elements-on-target",
    /// At least one target is named, and none twice.
    TargetsNamed = "targets-named",
}
