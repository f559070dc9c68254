// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(double (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(__hiloint2double(a[1], a[0])), "d"(__hiloint2double(a[3], a[2])),
          "d"(__hiloint2double(a[5], a[4])), "d"(__hiloint2double(a[7], a[6])),
          "d"(__hiloint2double(a[9], a[8])), "d"(__hiloint2double(a[11], a[10])),
          "d"(__hiloint2double(a[13], a[12])), "d"(__hiloint2double(a[15], a[14])),
          "d"(__hiloint2double(b[1], b[0])), "d"(__hiloint2double(b[3], b[2])),
          "d"(__hiloint2double(b[5], b[4])), "d"(__hiloint2double(b[7], b[6])));
}
