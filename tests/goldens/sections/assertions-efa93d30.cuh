static_assert(TileA::COLS * sizeof(e5m2) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
