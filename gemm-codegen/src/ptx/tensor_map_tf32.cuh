// A matrix of f32 in global memory as the driver describes it to the copy unit of an SM: where it
// is, its extents, the box that a copy moves, and that its elements become tf32 on the way, to
// nearest with ties to even. (CUDA Driver API, CUtensorMap, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };
