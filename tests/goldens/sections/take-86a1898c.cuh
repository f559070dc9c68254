
    __device__ __forceinline__ void take(const Result (&results)[OUT_VECTOR], int valid) {
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
#pragma unroll
            for (int i = 0; i < OUT_VECTOR; ++i) {
                const Reducible element = Of::element(number, results[i]);
                if (i < valid) own[number][i] = Of::combined(number, own[number][i], element);
            }
        }
    }
