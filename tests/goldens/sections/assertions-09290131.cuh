static_assert(TileB::COLS * sizeof(e5m2) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");
