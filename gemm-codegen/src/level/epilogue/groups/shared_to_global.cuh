// Issues the store of an epilogue tile to the part of the output from (row, col) on; what lies
// outside is left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* tile, Matrix matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until at most N of the thread's latest groups have not read their epilogue tiles.
// (PTX ISA, cp.async.bulk.wait_group)
template <int N>
__device__ __forceinline__ void await_reads() {
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory");
}
