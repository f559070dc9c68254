// c(16x8) += a(16x4) * b(4x8). (PTX ISA, mma.m16n8k4)
__device__ __forceinline__ void mma_atom(double (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(__hiloint2double(a[1], a[0])), "d"(__hiloint2double(a[3], a[2])),
          "d"(__hiloint2double(b[1], b[0])));
}
