    // Takes results; the first `valid` lie inside. Their sums were staged at `place`.
    __device__ __forceinline__ void take(
        const Result (&results)[OUT_VECTOR], int valid, Sum* place) {
        of_rows.take(results, valid, place);
        of_columns.take(results, valid);
    }
