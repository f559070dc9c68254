// The policy of lines that L2 goes on to treat as it did. (PTX ISA, createpolicy)
__device__ __forceinline__ unsigned long long evict_unchanged() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
