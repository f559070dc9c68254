    __device__ __forceinline__ void start() {
#pragma unroll
        for (int i = 0; i < Of::COUNT * OUT_VECTOR; ++i) {
            own[i / OUT_VECTOR][i % OUT_VECTOR] = Of::identity(i / OUT_VECTOR);
        }
    }
