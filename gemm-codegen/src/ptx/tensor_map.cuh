#if BATCHES
// A matrix, or a batch of them, in global memory as the driver describes it to the copy unit: its
// address, its extents and the box that one copy moves. (CUDA Driver API, CUtensorMap)
#else
// A matrix in global memory as the driver describes it to the copy unit: its address, its extents
// and the box that one copy moves. (CUDA Driver API, CUtensorMap)
#endif
#if TF32
// The copy rounds f32 to tf32, to nearest, ties to even. (CU_TENSOR_MAP_DATA_TYPE_TFLOAT32)
#endif
struct alignas(64) TensorMap { unsigned long long opaque[16]; };

// The first element of a box.
#if MATRICES
struct Box { int col, row; };
#endif
#if BATCHES
struct BatchBox { int col, row; Matrix matrix; };
#endif
