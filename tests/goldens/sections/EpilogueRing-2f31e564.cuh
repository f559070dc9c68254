    __device__ __forceinline__ EpilogueRing(Shared& shared, int group)
        : stages(shared.staged + group * EPILOGUE_STAGES * EPILOGUE_STAGE),
          loaded(static_cast<unsigned>(__cvta_generic_to_shared(shared.epilogue.loaded[group]))),
          written(static_cast<unsigned>(__cvta_generic_to_shared(shared.epilogue.written[group]))) {
    }
