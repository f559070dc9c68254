// The threads that multiply and store, which are all of a block, and their barrier.
constexpr int CONSUMERS = THREADS;
__device__ __forceinline__ void consumers_sync() { __syncthreads(); }
