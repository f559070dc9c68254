    __device__ __forceinline__ void take(
        const Result (&results)[OUT_VECTOR], int valid, Sum* place) const {
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            Reducible reduced = Of::identity(number);
#pragma unroll
            for (int i = 0; i < OUT_VECTOR; ++i) {
                const Reducible element = Of::element(number, results[i]);
                if (i < valid) reduced = Of::combined(number, reduced, element);
            }
            reinterpret_cast<Reducible*>(place)[number] = reduced;
        }
    }
