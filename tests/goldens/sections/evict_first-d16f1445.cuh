// The policy of lines that L2 is to give up first. (PTX ISA, createpolicy)
__device__ __forceinline__ unsigned long long evict_first() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
