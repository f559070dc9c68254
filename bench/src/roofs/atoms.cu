// The instructions of a tensor core. A lane holds A, B and C registers of the two factors and the
// sum. `flip` changes the sign of a factor, so that sums stay near where they START.
// (PTX ISA, mma)

#define FACTORS_OF_BITS(SIGNS)                                                                     \
    typedef unsigned Factor;                                                                       \
    static __device__ __forceinline__ void flip(Factor& factor) { factor ^= SIGNS; }

#define SUMS(TYPE, START_)                                                                         \
    typedef TYPE Sum;                                                                              \
    static constexpr Sum START = START_;

#define MULTIPLY_4_2_4(PTX, LETTER)                                                                \
    static constexpr int A = 4, B = 2, C = 4;                                                      \
    static __device__ __forceinline__ void multiply(                                               \
        Sum (&c)[C], const Factor (&a)[A], const Factor (&b)[B]) {                                 \
        asm volatile("mma.sync.aligned." PTX                                                       \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"            \
                     : "+" LETTER(c[0]), "+" LETTER(c[1]), "+" LETTER(c[2]), "+" LETTER(c[3])      \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));          \
    }

struct f16_f32 {
    FACTORS_OF_BITS(0x80008000u)
    SUMS(float, 3)
    MULTIPLY_4_2_4("m16n8k16.row.col.f32.f16.f16.f32", "f")
};

struct bf16_f32 {
    FACTORS_OF_BITS(0x80008000u)
    SUMS(float, 3)
    MULTIPLY_4_2_4("m16n8k16.row.col.f32.bf16.bf16.f32", "f")
};

struct tf32_f32 {
    FACTORS_OF_BITS(0x80000000u)
    SUMS(float, 3)
    MULTIPLY_4_2_4("m16n8k8.row.col.f32.tf32.tf32.f32", "f")
};

struct e4m3_f32 {
    FACTORS_OF_BITS(0x80808080u)
    SUMS(float, 3)
    MULTIPLY_4_2_4("m16n8k32.row.col.f32.e4m3.e4m3.f32", "f")
};

// The complement is the opposite, but for one.
struct s8_s32 {
    FACTORS_OF_BITS(0xffffffffu)
    SUMS(int, 3)
    MULTIPLY_4_2_4("m16n8k32.row.col.s32.s8.s8.s32", "r")
};

// Sums are halves, two of them in a register; each starts as 3.
struct f16_f16 {
    FACTORS_OF_BITS(0x80008000u)
    SUMS(unsigned, 0x42004200u)
    static constexpr int A = 4, B = 2, C = 2;
    static __device__ __forceinline__ void multiply(
        Sum (&c)[C], const Factor (&a)[A], const Factor (&b)[B]) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
                     " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                     : "+r"(c[0]), "+r"(c[1])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

struct f64_f64 {
    typedef double Factor;
    SUMS(double, 3)
    static constexpr int A = 8, B = 4, C = 4;
    // By bits, as a subtraction would take the unit that is measured.
    static __device__ __forceinline__ void flip(Factor& factor) {
        factor = __longlong_as_double(__double_as_longlong(factor) ^ (1ll << 63));
    }
    static __device__ __forceinline__ void multiply(
        Sum (&c)[C], const Factor (&a)[A], const Factor (&b)[B]) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11},"
                     " {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                     : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]),
                       "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
    }
};
