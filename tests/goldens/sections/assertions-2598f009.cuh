static_assert(TileB::COLS * sizeof(bf16) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");
