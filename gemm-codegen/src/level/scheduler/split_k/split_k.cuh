// The last-arriving block of a tile reduces the partial sums of all its blocks and returns true.
// It adds them in the order of the splits, so the result does not depend on the order of arrival.
//
// partials(number, splits, REGISTERS / WORD_REGISTERS, THREADS, WORD_REGISTERS): warps access
// whole lines. arrivals(number): how many blocks have stored theirs; 0 before and after a launch.
__device__ __forceinline__ bool split_k(
    Accumulators& acc, Share share, void* partials, unsigned* arrivals) {
    constexpr int BYTES = sizeof(Accumulators), IN_FLIGHT = 8;
    constexpr int WORD_BYTES = BYTES % 16 == 0 ? 16 : BYTES % 8 == 0 ? 8 : 4;
    constexpr int REGISTERS = BYTES / int(sizeof(Register));  // of a lane
    constexpr int WORD_REGISTERS = WORD_BYTES / int(sizeof(Register));
    typedef typename Word<WORD_BYTES>::Type Words;
    Register (&sums)[REGISTERS] = reinterpret_cast<Register (&)[REGISTERS]>(acc);
    const long long number = share.number;
    Register* const of_tile = static_cast<Register*>(partials)
                            + number * share.splits * REGISTERS * THREADS
                            + threadIdx.x * WORD_REGISTERS;
    Register* const mine = of_tile + share.split * REGISTERS * THREADS;
#pragma unroll
    for (int i = 0; i < REGISTERS; i += WORD_REGISTERS) {
        __align__(16) Register word[WORD_REGISTERS];
#pragma unroll
        for (int j = 0; j < WORD_REGISTERS; ++j) word[j] = sums[i + j];
        *reinterpret_cast<Words*>(mine + i * THREADS) = *reinterpret_cast<const Words*>(word);
    }

    // One thread counts the block in: the barrier orders the stores of the others before that, and
    // the next barrier their loads after it.
    __syncthreads();
    const unsigned last = share.splits - 1;
    const bool is_last = threadIdx.x == 0 && count_in(arrivals + number, last) == last;
    if (!__syncthreads_or(is_last)) return false;

    // Each thread has IN_FLIGHT words in flight.
#pragma unroll
    for (int first = 0; first < REGISTERS; first += IN_FLIGHT * WORD_REGISTERS) {
        const int end = min(first + IN_FLIGHT * WORD_REGISTERS, REGISTERS);
#pragma unroll
        for (int i = first; i < end; ++i) sums[i] = 0;
#pragma unroll 1
        for (int split = 0; split < share.splits; ++split) {
            const Register* const from = of_tile + split * REGISTERS * THREADS;
#pragma unroll
            for (int i = first; i < end; i += WORD_REGISTERS) {
                __align__(16) Register word[WORD_REGISTERS];
                // Bypasses L1, which is not coherent across SMs.
                *reinterpret_cast<Words*>(word) =
                    __ldcg(reinterpret_cast<const Words*>(from + i * THREADS));
#pragma unroll
                for (int j = 0; j < WORD_REGISTERS; ++j) add(sums[i + j], word[j]);
            }
        }
    }
    return true;
}
