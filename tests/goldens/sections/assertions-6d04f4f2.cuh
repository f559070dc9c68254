static_assert(TileA::COLS * sizeof(f64) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
