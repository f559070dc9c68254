// The policy of lines that L2 keeps as it keeps others. (PTX ISA, createpolicy)
__device__ __forceinline__ unsigned long long evict_normal() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
