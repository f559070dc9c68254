// A matrix in global memory as the driver describes it to the copy unit: its address, its extents
// and the box that one copy moves. (CUDA Driver API, CUtensorMap)
// The copy rounds f32 to tf32, to nearest, ties to even. (CU_TENSOR_MAP_DATA_TYPE_TFLOAT32)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };
