    template <int COUNT>
    __device__ __forceinline__ void operator()(
        Staged (&elements)[COUNT], const Sum* sums, int, int) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) elements[i] = sums[i];
    }
};
__device__ __forceinline__ void stage_sums(Staged* staged, const Accumulators& acc, int pass) {
    stage(staged, acc, pass, PutSums());
}
