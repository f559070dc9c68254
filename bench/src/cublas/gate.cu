// out = silu(gate) * up of bf16, eight elements a vector, VECTORS of them a thread. Rows of the sums have
// `columns` vectors and begin `distance` vectors apart; those of `out` lie next to each other.

// x / (1 + e^-x), the power and the reciprocal by the hardware: the result is stored with 8 bits.
__device__ __forceinline__ float silu(const float x) {
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return x * result;
}

// Of two elements in a word, the first in its lower half.
__device__ __forceinline__ unsigned gated(const unsigned gate, const unsigned up) {
    const float first = silu(__uint_as_float(gate << 16)) * __uint_as_float(up << 16);
    const float second =
        silu(__uint_as_float(gate & 0xffff0000u)) * __uint_as_float(up & 0xffff0000u);
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
}

extern "C" __global__ void __launch_bounds__(THREADS) gate(
    const uint4* __restrict__ gates, const uint4* __restrict__ ups, uint4* __restrict__ out,
    unsigned columns, unsigned distance, unsigned vectors) {
    const unsigned first = blockIdx.x * VECTORS * THREADS + threadIdx.x;
    uint4 g[VECTORS], u[VECTORS];
    // All loads before the first use, so that they are in flight together.
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
        const unsigned i = first + v * THREADS;
        if (i < vectors) {
            const unsigned long long at = 1ull * (i / columns) * distance + i % columns;
            g[v] = __ldg(gates + at);
            u[v] = __ldg(ups + at);
        }
    }
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
        const unsigned i = first + v * THREADS;
        if (i < vectors) {
            out[i] = make_uint4(
                gated(g[v].x, u[v].x), gated(g[v].y, u[v].y), gated(g[v].z, u[v].z),
                gated(g[v].w, u[v].w));
        }
    }
}
