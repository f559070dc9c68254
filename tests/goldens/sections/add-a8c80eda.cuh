    // sums(MMA_M x MMA_N) += a(MMA_M x k) * ones(k x MMA_N), by one instruction
    static __device__ __forceinline__ void add(Sum (&sums)[C_REGISTERS], const unsigned* a) {
        const unsigned ones[2] = {ONES, ONES};
        mma_atom(sums, a, ones);
    }
};
