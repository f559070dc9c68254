static_assert(TileA::COLS * sizeof(bf16) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
