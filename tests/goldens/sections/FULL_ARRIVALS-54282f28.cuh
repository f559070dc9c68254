// The arrivals that complete a phase: at `full`, with the bytes of the boxes, of the thread
// that copies, at `empty` of a lane of each warp that multiplies the stage. The plan has enumerated
// the boxes that land and the threads that arrive.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = WARPS_M * WARPS_N;
constexpr unsigned BOXES_BYTES = TileA::BYTES + TileB::BYTES;
