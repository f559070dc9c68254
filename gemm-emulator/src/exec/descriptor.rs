//! Matrix descriptors: where the parts of a matrix in shared memory lie.
//!
//! (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout": "Strides", "Canonical Layouts", "Matrix
//! Descriptor Format")

use crate::tensor_map::Swizzle;

/// Bytes that lie together in every layout.
pub(super) const CHUNK: usize = 16;
/// Rows of a core matrix, each of [`CHUNK`] bytes.
const ROWS: usize = 8;
/// Bits that a descriptor does not use: 14, 15, 30, 31, 46 to 48, 52 to 61.
const RESERVED: u64 = 0x3ff1_c000_c000_c000;
const BASE_OFFSET: u64 = 7 << 49;

/// How 16-bit elements lie in the chunks of a matrix, or those of any size if K is contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Major {
    /// Neighbours along K are contiguous.
    K,
    /// Neighbours along M or N are.
    Mn,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Descriptor {
    start: usize,
    leading: usize,
    stride: usize,
    swizzle: Swizzle,
}

impl Descriptor {
    pub(super) fn decode(bits: u64) -> Result<Descriptor, &'static str> {
        if bits & RESERVED != 0 {
            return Err("reserved bits are set");
        }
        if bits & BASE_OFFSET != 0 {
            return Err("a base offset other than 0 is not supported");
        }
        let field = |at: u32| ((bits >> at & 0x3fff) << 4) as usize;
        let swizzle = match bits >> 62 {
            0 => Swizzle::None,
            1 => Swizzle::Bytes128,
            2 => Swizzle::Bytes64,
            _ => Swizzle::Bytes32,
        };
        Ok(Descriptor { start: field(0), leading: field(16), stride: field(32), swizzle })
    }

    /// The address of each chunk of a matrix of `extent` rows along M or N and 32 bytes along K: in the order of
    /// rows, or of the 16 columns if M or N is contiguous.
    pub(super) fn chunks(&self, extent: usize, major: Major) -> Result<Vec<u32>, &'static str> {
        let across = match major {
            Major::K => 2,
            Major::Mn => extent / ROWS,
        };
        self.check_alignment(across)?;
        let Descriptor { start, leading, stride, swizzle } = *self;
        let span = swizzle.span().map_or(CHUNK, |span| span as usize);
        let place = |row: usize, chunk: usize| {
            let (band, row) = (row / ROWS, row % ROWS * span);
            let offset = match (major, swizzle) {
                (Major::K, Swizzle::None) => band * stride + chunk * leading,
                (Major::K, _) => band * stride + chunk * CHUNK,
                (Major::Mn, Swizzle::None) => band * leading + chunk * stride,
                (Major::Mn, _) => {
                    let width = span / CHUNK;
                    band * stride + chunk / width * leading + chunk % width * CHUNK
                }
            };
            swizzle.apply((start + row + offset) as u64) as u32
        };
        let rows = if major == Major::K { extent } else { 2 * ROWS };
        Ok((0..rows)
            .flat_map(|row| (0..across).map(move |chunk| (row, chunk)))
            .map(|(row, chunk)| place(row, chunk))
            .collect())
    }

    /// A swizzled matrix starts in the first row of the repeating pattern, and its chunks end with the row's.
    fn check_alignment(&self, across: usize) -> Result<(), &'static str> {
        let Some(span) = self.swizzle.span().map(|span| span as usize) else { return Ok(()) };
        if self.start % (ROWS * span) >= span {
            return Err("the start address is not in the first row of the swizzle's pattern");
        }
        if self.start % span + across.min(span / CHUNK) * CHUNK > span {
            return Err("the matrix crosses the end of a row of the swizzle's pattern");
        }
        Ok(())
    }
}
