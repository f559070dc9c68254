// Stores four sums there. (PTX ISA, st)
__device__ __forceinline__ void store_at_rank(unsigned remote, const Sum* sums) {
    asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};"
                 :: "r"(remote), "f"(sums[0]), "f"(sums[1]), "f"(sums[2]), "f"(sums[3])
                 : "memory");
}
