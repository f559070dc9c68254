    __device__ __forceinline__ Slabs(Shared& shared, int group)
        : places(shared.staged + group * PLACES * PLACE),
          fetched(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.fetched[group]))),
          written(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.written[group]))) {}
};
