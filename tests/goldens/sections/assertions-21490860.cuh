static_assert(BOXES_BYTES == 49152, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 16, "arrivals");
