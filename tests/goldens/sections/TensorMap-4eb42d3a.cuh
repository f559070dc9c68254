// A matrix in global memory as the driver describes it to the copy unit: its address, its extents
// and the box that one copy moves. (CUDA Driver API, CUtensorMap)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };
