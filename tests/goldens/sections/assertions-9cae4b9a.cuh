static_assert(BOXES_BYTES == 16384, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 2, "arrivals");
