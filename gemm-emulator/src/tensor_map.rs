//! Descriptors of tensors for the copies of `cp.async.bulk.tensor`.
//!
//! The limits of a map are those of the driver: CUDA Driver API, "Tensor Map Object Management",
//! `cuTensorMapEncodeTiled`, without interleaving, with element strides of 1 and zeros outside of the tensor.

use thiserror::Error;

/// Size of a map as a kernel parameter, which is aligned to [`TensorMap::ALIGNMENT`].
const BYTES: usize = 128;
/// The most dimensions (`tensorRank`).
const MAX_RANK: usize = 5;
/// The most elements along a dimension (`globalDim`).
const MAX_EXTENT: u64 = 1 << 32;
/// Strides are less than this (`globalStrides`).
const STRIDE_LIMIT: u64 = 1 << 40;
/// The most elements of a box along a dimension (`boxDim`).
const MAX_BOX: u32 = 256;
/// Alignment of the address, the strides and the inner length of a box, in bytes.
const UNIT: u64 = 16;
/// The first bytes of an encoded map.
const MAGIC: [u8; 8] = *b"gemm-map";

/// How the 16-byte chunks of a box are permuted in shared memory (`swizzle`).
///
/// Bits of the address of each chunk are flipped by those three above (PTX ISA, "Tensors, Swizzling modes"): the
/// pattern is that of the address in shared memory, not of the place in the box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swizzle {
    /// As they come.
    #[default]
    None,
    /// Bit 4 by bit 7.
    Bytes32,
    /// Bits 4 and 5 by bits 7 and 8.
    Bytes64,
    /// Bits 4 to 6 by bits 7 to 9.
    Bytes128,
}

impl Swizzle {
    const ALL: [Swizzle; 4] =
        [Swizzle::None, Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128];

    /// Bytes that a row of a box has; any number without a swizzle.
    pub fn span(self) -> Option<u64> {
        match self {
            Swizzle::None => None,
            Swizzle::Bytes32 => Some(32),
            Swizzle::Bytes64 => Some(64),
            Swizzle::Bytes128 => Some(128),
        }
    }

    /// Where the byte goes that would go to an address without a swizzle.
    pub(crate) fn apply(self, address: u64) -> u64 {
        let bits = self.span().map_or(0, |span| span / UNIT - 1);
        address ^ ((address >> 3) & (bits << 4))
    }
}

/// A problem of a map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TensorMapError {
    /// No or too many dimensions, or lists of other lengths than the rank asks for.
    #[error(
        "{dims} dimensions, {strides} strides and {box_dims} extents of a box; it takes 1 to 5, one less, and as many"
    )]
    Rank {
        /// Dimensions given.
        dims: usize,
        /// Strides given.
        strides: usize,
        /// Extents of the box given.
        box_dims: usize,
    },
    /// An element of an unknown size.
    #[error("elements of {bytes} B; they have 1, 2, 4 or 8")]
    Element {
        /// Its bytes.
        bytes: u32,
    },
    /// Elements to be rounded to tf32 that are not f32.
    #[error("elements of {bytes} B are rounded to tf32; it takes f32, of 4 B")]
    Rounded {
        /// Their bytes.
        bytes: u32,
    },
    /// The address is not a multiple of 16.
    #[error("address {address:#x} is not a multiple of 16")]
    Address {
        /// It.
        address: u64,
    },
    /// A dimension without elements, or with more than 2^32.
    #[error("dimension {dimension} has {extent} elements; it takes 1 to 2^32")]
    Extent {
        /// Number of the dimension, from 0.
        dimension: usize,
        /// Its elements.
        extent: u64,
    },
    /// A stride that is not a multiple of 16, or not less than 2^40.
    #[error("stride of dimension {dimension} is {stride} B; it takes multiples of 16 below 2^40")]
    Stride {
        /// Number of the dimension, from 1.
        dimension: usize,
        /// Its stride in bytes.
        stride: u64,
    },
    /// A box without elements, or with more than 256 along a dimension.
    #[error("a box has {extent} elements along dimension {dimension}; it takes 1 to 256")]
    Box {
        /// Number of the dimension, from 0.
        dimension: usize,
        /// Its elements.
        extent: u32,
    },
    /// The inner length of a box is not a multiple of 16 bytes.
    #[error("a row of a box has {bytes} B, no multiple of 16")]
    BoxRow {
        /// It.
        bytes: u64,
    },
    /// A row of a box that the swizzle does not take. The driver lets it be shorter than the swizzle's span, which
    /// is not modelled here.
    #[error("a row of a box has {bytes} B, its swizzle spans {span} B")]
    SwizzleSpan {
        /// Bytes of the row.
        bytes: u64,
        /// Bytes of the span.
        span: u64,
    },
}

/// A tensor in global memory, and the box that one copy moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMap {
    /// Where its first element lies: a multiple of 16.
    pub address: u64,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub element_bytes: u32,
    /// Elements along each dimension, the contiguous one first: 1 to 5 numbers.
    pub dims: Vec<u64>,
    /// Bytes from one element to the next along each dimension but the first: multiples of 16 below 2^40.
    pub strides: Vec<u64>,
    /// Elements of a box along each dimension: up to 256, and multiples of 16 bytes along the first.
    pub box_dims: Vec<u32>,
    /// How the box lies in shared memory.
    pub swizzle: Swizzle,
    /// Whether a copy rounds its elements, f32, to tf32: to nearest with ties to even (`tensorDataType`,
    /// `CU_TENSOR_MAP_DATA_TYPE_TFLOAT32`).
    pub rounds_to_tf32: bool,
}

impl TensorMap {
    /// Alignment of a map in parameter space (`tensorMap`).
    pub const ALIGNMENT: u64 = 64;

    /// Checks what the driver would check when it encodes such a map.
    ///
    /// # Errors
    ///
    /// The first limit that does not hold.
    pub fn check(&self) -> Result<(), TensorMapError> {
        let TensorMap { dims, strides, box_dims, element_bytes, address, .. } = self;
        let rank = dims.len();
        if !(1..=MAX_RANK).contains(&rank) || strides.len() + 1 != rank || box_dims.len() != rank {
            let (dims, strides, box_dims) = (rank, strides.len(), box_dims.len());
            return Err(TensorMapError::Rank { dims, strides, box_dims });
        }
        if !matches!(element_bytes, 1 | 2 | 4 | 8) {
            return Err(TensorMapError::Element { bytes: *element_bytes });
        }
        if self.rounds_to_tf32 && *element_bytes != 4 {
            return Err(TensorMapError::Rounded { bytes: *element_bytes });
        }
        if !address.is_multiple_of(UNIT) {
            return Err(TensorMapError::Address { address: *address });
        }
        for (dimension, extent) in dims.iter().copied().enumerate() {
            if !(1..=MAX_EXTENT).contains(&extent) {
                return Err(TensorMapError::Extent { dimension, extent });
            }
        }
        for (dimension, stride) in (1..).zip(strides.iter().copied()) {
            if !stride.is_multiple_of(UNIT) || stride >= STRIDE_LIMIT {
                return Err(TensorMapError::Stride { dimension, stride });
            }
        }
        self.check_box()
    }

    fn check_box(&self) -> Result<(), TensorMapError> {
        for (dimension, extent) in self.box_dims.iter().copied().enumerate() {
            if !(1..=MAX_BOX).contains(&extent) {
                return Err(TensorMapError::Box { dimension, extent });
            }
        }
        let bytes = self.row_bytes();
        if !bytes.is_multiple_of(UNIT) {
            return Err(TensorMapError::BoxRow { bytes });
        }
        match self.swizzle.span() {
            Some(span) if span != bytes => Err(TensorMapError::SwizzleSpan { bytes, span }),
            _ => Ok(()),
        }
    }

    /// Bytes of a row of a box.
    pub(crate) fn row_bytes(&self) -> u64 {
        u64::from(self.box_dims[0]) * u64::from(self.element_bytes)
    }

    /// Bytes that a copy writes to shared memory, and that its mbarrier is told of: those of a whole box, wherever it
    /// lies.
    pub fn box_bytes(&self) -> u64 {
        let elements: u64 = self.box_dims.iter().map(|extent| u64::from(*extent)).product();
        elements * u64::from(self.element_bytes)
    }

    /// The bytes of a kernel parameter that is this map.
    ///
    /// They are the emulator's own; those that a driver makes are not documented.
    ///
    /// # Errors
    ///
    /// Those of [`TensorMap::check`].
    pub fn encode(&self) -> Result<[u8; BYTES], TensorMapError> {
        self.check()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.address.to_le_bytes());
        let swizzle = Swizzle::ALL.iter().position(|swizzle| *swizzle == self.swizzle);
        bytes.extend(
            [
                self.dims.len(),
                self.element_bytes as usize,
                swizzle.unwrap_or(0),
                self.rounds_to_tf32.into(),
            ]
            .map(|small| small as u8),
        );
        bytes.extend(self.dims.iter().flat_map(|extent| extent.to_le_bytes()));
        bytes.extend(self.strides.iter().flat_map(|stride| stride.to_le_bytes()));
        bytes.extend(self.box_dims.iter().flat_map(|extent| (*extent as u16).to_le_bytes()));
        bytes.resize(BYTES, 0);
        // At rank 5 it is 8 + 8 + 4 + 40 + 32 + 10 bytes.
        Ok(std::array::from_fn(|at| bytes[at]))
    }

    /// The map that [`TensorMap::encode`] made these bytes of.
    pub(crate) fn decode(bytes: &[u8; BYTES]) -> Option<TensorMap> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (address, rest) = rest.split_first_chunk::<8>()?;
        let ([rank, element_bytes, swizzle, rounds], rest) = rest.split_first_chunk::<4>()?;
        let rank = usize::from(*rank);
        if *magic != MAGIC || !(1..=MAX_RANK).contains(&rank) {
            return None;
        }
        let longs = rest.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let longs: Vec<u64> = longs.take(2 * rank - 1).collect();
        let box_dims = rest[8 * longs.len()..].as_chunks::<2>().0.iter().take(rank);
        let map = TensorMap {
            address: u64::from_le_bytes(*address),
            element_bytes: u32::from(*element_bytes),
            dims: longs[..rank].to_vec(),
            strides: longs[rank..].to_vec(),
            box_dims: box_dims.map(|bytes| u32::from(u16::from_le_bytes(*bytes))).collect(),
            swizzle: *Swizzle::ALL.get(usize::from(*swizzle))?,
            rounds_to_tf32: *rounds != 0,
        };
        map.check().is_ok().then_some(map)
    }
}

#[cfg(test)]
mod tests;
