// c(8x8) += a(8x4) * b(4x8). (PTX ISA, mma.m8n8k4)
__device__ __forceinline__ void mma_atom(double (&c)[2], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(__hiloint2double(a[1], a[0])), "d"(__hiloint2double(b[1], b[0])));
}
