
    __device__ __forceinline__ Sum value(int i) const { return of[i / COUNT].value(i % COUNT); }
    __device__ __forceinline__ Sum offset(int i) const { return of[i / COUNT].offset(i % COUNT); }
};
