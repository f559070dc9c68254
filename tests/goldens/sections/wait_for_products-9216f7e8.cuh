// All products have been waited for.
__device__ __forceinline__ void wait_for_products(Accumulators&) {}
