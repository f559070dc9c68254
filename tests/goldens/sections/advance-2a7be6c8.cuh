    __device__ __forceinline__ void advance(int by) {
#pragma unroll
        for (int product = 0; product < PRODUCTS; ++product) of[product].advance(by);
    }
