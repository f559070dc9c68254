// Reads, or with COPY copies, `steps` pieces of 8 vectors for each thread of a block.

constexpr int VECTORS = 8;

extern "C" __global__ void __launch_bounds__(THREADS) roof(
    const uint4* source, uint4* target, long long steps, u64 never) {
    unsigned word = 0;
    for (long long piece = blockIdx.x; piece < steps; piece += gridDim.x) {
        const long long first = piece * VECTORS * THREADS + threadIdx.x;
        uint4 read[VECTORS];
#pragma unroll
        for (int i = 0; i < VECTORS; ++i) read[i] = __ldcs(source + first + i * THREADS);
#pragma unroll
        for (int i = 0; i < VECTORS; ++i) {
#ifdef COPY
            __stcs(target + first + i * THREADS, read[i]);
#else
            word ^= read[i].x ^ read[i].y ^ read[i].z ^ read[i].w;
#endif
        }
    }
#ifndef COPY
    keep(word, reinterpret_cast<unsigned*>(target), unsigned(never));
#endif
}
