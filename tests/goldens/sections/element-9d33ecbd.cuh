    __device__ __forceinline__ static Reducible element(int number, const Result& result) {
        return result.out1;
    }
