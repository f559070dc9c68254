// What all roofs share. Each is `extern "C" __global__ void roof(source, target, steps, never)`:
// it reads random data of `source`, does the same work `steps` times, and stores a word of its
// results to `target` if it is `never`, which the compiler cannot rule out.

typedef unsigned long long u64;

constexpr int THREADS = 32 * WARPS;

__device__ __forceinline__ unsigned bits(unsigned value) { return value; }
__device__ __forceinline__ unsigned bits(int value) { return unsigned(value); }
__device__ __forceinline__ unsigned bits(float value) { return __float_as_uint(value); }
__device__ __forceinline__ unsigned bits(double value) {
    return unsigned(__double_as_longlong(value) >> 32);
}

// Keeps what `word` was made from.
__device__ __forceinline__ void keep(unsigned word, unsigned* target, unsigned never) {
    if (word == never) target[threadIdx.x] = word;
}

// Loads 4 matrices of 8x8 b16; lanes 0-31 address their rows. (PTX ISA, ldmatrix)
__device__ __forceinline__ void ldmatrix_x4(unsigned* r, unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}

// Fills dynamic shared memory with the source's data.
__device__ __forceinline__ void fill(uint4* shared, const uint4* source, int bytes) {
    for (int i = threadIdx.x; i < bytes / 16; i += THREADS) shared[i] = source[i];
    __syncthreads();
}
