static_assert(TileB::COLS * sizeof(e4m3) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");
