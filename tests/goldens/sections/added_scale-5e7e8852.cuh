// What the added term is multiplied by.
__device__ __forceinline__ float added_scale(const float alpha) {
    return alpha;
}
