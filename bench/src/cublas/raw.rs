//! The calls of cuBLASLt, and its objects, each destroyed when dropped.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

use anyhow::{Result, ensure};
use cudarc::cublaslt::{result, sys};
use cudarc::driver::CudaStream;
use sys::cublasLtMatmulDescAttributes_t as Attribute;
use sys::cublasLtMatmulPreferenceAttributes_t as PreferenceAttribute;
use sys::cublasLtMatrixLayoutAttribute_t as OfLayout;

/// How to multiply.
pub(super) type Algorithm = sys::cublasLtMatmulAlgo_t;

/// The library.
pub(super) struct Handle(sys::cublasLtHandle_t);

/// The shape and elements of a matrix that is stored column by column.
pub(super) struct Layout(sys::cublasLtMatrixLayout_t);

/// The operation.
pub(super) struct Description(sys::cublasLtMatmulDesc_t);

/// The limits of the heuristic.
struct Preference(sys::cublasLtMatmulPreference_t);

/// A product, c = alpha · op(a) · b: addresses and layouts of a, b and c.
pub(super) struct Call<'a> {
    pub(super) description: &'a Description,
    pub(super) layouts: &'a [Layout; 3],
    pub(super) addresses: [u64; 3],
    /// alpha and 0, whose first bytes are of the scale type of the description.
    pub(super) scalars: &'a [u64; 2],
    pub(super) algorithm: &'a Algorithm,
    pub(super) workspace: u64,
    pub(super) workspace_bytes: usize,
}

impl Layout {
    /// `count` matrices without gaps.
    pub(super) fn new(
        elements: sys::cudaDataType,
        [rows, columns]: [usize; 2],
        count: usize,
    ) -> Result<Layout> {
        let leading = i64::try_from(rows)?;
        let layout = result::create_matrix_layout(elements, rows as u64, columns as u64, leading)?;
        let layout = Layout(layout);
        layout.set(OfLayout::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, i32::try_from(count)?)?;
        let apart = i64::try_from(rows * columns)?;
        layout.set(OfLayout::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, apart)?;
        Ok(layout)
    }

    fn set<V: Copy>(&self, attribute: OfLayout, value: V) -> Result<()> {
        // SAFETY: the layout lives, and as many bytes as are named are read of `value`.
        let set = unsafe {
            result::set_matrix_layout_attribute(
                self.0,
                attribute,
                ptr::from_ref(&value).cast(),
                size_of::<V>(),
            )
        };
        Ok(set?)
    }
}

impl Description {
    pub(super) fn new(
        compute: sys::cublasComputeType_t,
        scale: sys::cudaDataType,
    ) -> Result<Description> {
        Ok(Description(result::create_matmul_desc(compute, scale)?))
    }

    /// Whether the first factor is stored transposed.
    pub(super) fn transpose_first(&self, transposed: bool) -> Result<()> {
        self.set(Attribute::CUBLASLT_MATMUL_DESC_TRANSA, i32::from(transposed))
    }

    /// Whether products of 8-bit floats are added in the fewer bits of the tensor cores.
    pub(super) fn fast_sums(&self, fast: bool) -> Result<()> {
        self.set(Attribute::CUBLASLT_MATMUL_DESC_FAST_ACCUM, i8::from(fast))
    }

    /// A bias at this address, then GELU.
    pub(super) fn bias_gelu(&self, address: u64) -> Result<()> {
        let epilogue = sys::cublasLtEpilogue_t::CUBLASLT_EPILOGUE_GELU_BIAS;
        self.set(Attribute::CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue as u32)?;
        self.set(Attribute::CUBLASLT_MATMUL_DESC_BIAS_POINTER, address)
    }

    fn set<V: Copy>(&self, attribute: Attribute, value: V) -> Result<()> {
        // SAFETY: the description lives, and as many bytes as are named are read of `value`.
        let set = unsafe {
            result::set_matmul_desc_attribute(
                self.0,
                attribute,
                ptr::from_ref(&value).cast(),
                size_of::<V>(),
            )
        };
        Ok(set?)
    }
}

impl Preference {
    fn new(workspace_bytes: usize) -> Result<Preference> {
        let preference = Preference(result::create_matmul_pref()?);
        let attribute = PreferenceAttribute::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
        // SAFETY: the preference lives, and the attribute is a size_t.
        unsafe {
            result::set_matmul_pref_attribute(
                preference.0,
                attribute,
                ptr::from_ref(&workspace_bytes).cast(),
                size_of::<usize>(),
            )
        }?;
        Ok(preference)
    }
}

impl Handle {
    pub(super) fn new() -> Result<Handle> {
        Ok(Handle(result::create_handle()?))
    }

    /// Up to `MOST` algorithms, the one that the heuristic thinks the fastest first; at least one.
    pub(super) fn heuristic<const MOST: usize>(
        &self,
        description: &Description,
        [a, b, c]: &[Layout; 3],
        workspace_bytes: usize,
    ) -> Result<Vec<Algorithm>> {
        let preference = Preference::new(workspace_bytes)?;
        type Found = sys::cublasLtMatmulHeuristicResult_t;
        let mut found = [const { MaybeUninit::<Found>::zeroed() }; MOST];
        let mut count: c_int = 0;
        // SAFETY: all objects live, there is room for `MOST` results, and `count` is an int.
        unsafe {
            sys::cublasLtMatmulAlgoGetHeuristic(
                self.0,
                description.0,
                a.0,
                b.0,
                c.0,
                c.0,
                preference.0,
                MOST as c_int,
                found.as_mut_ptr().cast(),
                &mut count,
            )
            .result()?;
        }
        let count = usize::try_from(count)?;
        ensure!((1..=MOST).contains(&count), "cuBLASLt has no algorithm");
        let found = found[..count].iter().map(|result| {
            // SAFETY: cuBLASLt has written as many results as it says.
            let result = unsafe { result.assume_init() };
            result.state.result().map(|()| result.algo)
        });
        let usable: Vec<Algorithm> = found.flatten().collect();
        ensure!(!usable.is_empty(), "cuBLASLt has no usable algorithm");
        Ok(usable)
    }

    /// Enqueues a product.
    ///
    /// Trusts its caller that the buffers at the addresses have the elements of their layouts, the
    /// workspace its bytes, and that all are alive until the stream has come there.
    pub(super) fn multiply(&self, call: &Call<'_>, stream: &CudaStream) -> Result<()> {
        let [a, b, c] = call.addresses;
        let [of_a, of_b, of_c] = call.layouts;
        let [alpha, beta] = call.scalars;
        // SAFETY: all objects live; the scalars have the size and alignment of the largest scale type;
        // for the buffers see above. beta is 0, with which c is not read.
        let enqueued = unsafe {
            result::matmul(
                self.0,
                call.description.0,
                ptr::from_ref(alpha).cast(),
                ptr::from_ref(beta).cast(),
                a as *const _,
                of_a.0,
                b as *const _,
                of_b.0,
                c as *const _,
                of_c.0,
                c as *mut _,
                of_c.0,
                call.algorithm,
                call.workspace as *mut _,
                call.workspace_bytes,
                stream.cu_stream().cast(),
            )
        };
        Ok(enqueued?)
    }
}

/// Destroys an object when it is dropped, and ignores a failure.
macro_rules! destroyed_by {
    ($($object:ident: $destroy:ident;)+) => {
        $(impl Drop for $object {
            fn drop(&mut self) {
                // SAFETY: it was created, and is destroyed once.
                let _ = unsafe { result::$destroy(self.0) };
            }
        })+
    };
}

destroyed_by! {
    Handle: destroy_handle;
    Layout: destroy_matrix_layout;
    Description: destroy_matmul_desc;
    Preference: destroy_matmul_pref;
}
