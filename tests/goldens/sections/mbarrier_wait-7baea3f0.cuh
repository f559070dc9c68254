// Waits until the phase of this parity has completed.
__device__ __forceinline__ void mbarrier_wait(unsigned barrier, unsigned parity) {
    while (!mbarrier_try_wait(barrier, parity)) {}
}
