// A's factors of k-steps that are converted together, in the registers of each step's instruction:
// of rows lane / 4 and lane / 4 + 8 of a warp the pairs at k = lane % 4 * 2 and at 8 further, as
// they are stored. (PTX ISA, Register fragments for wgmma.mma_async.m64nNk16, A)
typedef unsigned FactorsA[ATOMS_M][CONVERTED_STEPS][4];
