    // Where column n of the factor's product lies among those of all products.
    static __device__ __forceinline__ int place(int n) {
        return (n / PART_N * PRODUCTS + FACTOR) * PART_N + n % PART_N;
    }
