// to[i] += from[i], eight halves a thread.
extern "C" __global__ void add(uint4* to, const uint4* from, unsigned long long words) {
    const unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    uint4 x = to[i];
    const uint4 y = from[i];
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(x.x) : "r"(y.x));
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(x.y) : "r"(y.y));
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(x.z) : "r"(y.z));
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(x.w) : "r"(y.w));
    to[i] = x;
}
