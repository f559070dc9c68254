// A matrix in global memory as the driver describes it to the copy unit of an SM: where it is, its
// extents, and the box that a copy moves. (CUDA Driver API, CUtensorMap)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };
