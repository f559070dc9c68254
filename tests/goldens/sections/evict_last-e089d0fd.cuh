// The policy of lines that L2 is to keep longest. (PTX ISA, createpolicy)
__device__ __forceinline__ unsigned long long evict_last() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
