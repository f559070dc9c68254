    // The first k-tile is stored.
    __device__ __forceinline__ Pipeline(Shared& shared, Sources& from)
        : from(from),
          read(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          write(read + STAGE_BYTES) {
        begin_tile();
        store(read);
    }
