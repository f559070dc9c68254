//! Tensor maps: the driver's descriptions of matrices for tensor copies.

use std::ffi::c_void;

use cudarc::driver::sys::{
    CUresult, CUtensorMap, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapInterleave,
    CUtensorMapL2promotion, CUtensorMapSwizzle, cuTensorMapEncodeTiled,
};

use gemm_codegen::hardware::MAX_TENSOR_RANK;

use crate::error::Error;
use crate::launch::tensor::{Dimensions, Tensor};

/// Describes a matrix, or a batch of them; elements out of bounds are copied as zeros.
///
/// # Errors
/// [`Error::Driver`] if the driver refuses it.
pub(super) fn map(tensor: &Tensor) -> Result<CUtensorMap, Error> {
    let mut map = CUtensorMap { opaque: [0; 16] };
    if tensor.is_empty() {
        return Ok(map);
    }
    let Dimensions { rank, extents, strides, part } = tensor.dimensions();
    let steps = [1u32; MAX_TENSOR_RANK];
    // SAFETY: the arrays have an entry for each of up to five dimensions, the strides one less, and all
    // of them and `map`, whose type has the required alignment, outlive the call. The driver reads no
    // device memory.
    let result: CUresult = unsafe {
        cuTensorMapEncodeTiled(
            &mut map,
            data_type(tensor),
            rank as u32,
            tensor.address as *mut c_void,
            extents.as_ptr(),
            strides.as_ptr(),
            part.as_ptr(),
            steps.as_ptr(),
            CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle(tensor),
            CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    };
    result.result()?;
    Ok(map)
}

/// How rows of a box are permuted: as their bytes allow.
fn swizzle(tensor: &Tensor) -> CUtensorMapSwizzle {
    match tensor.swizzled_bytes() {
        None => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
        Some(32) => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B,
        Some(64) => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B,
        Some(_) => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
    }
}

/// The type as which elements are copied: bits alone, whose zeros are zeros, or f32 that are rounded.
fn data_type(tensor: &Tensor) -> CUtensorMapDataType {
    if tensor.part.rounds_to_tf32 {
        return CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    }
    match tensor.column_bytes() {
        1 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        2 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        4 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        _ => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT64,
    }
}
