// The first band of an atom in a pass. The last pass may have fewer bands than others.
__device__ __forceinline__ int first_band(int pass) { return pass % ATOM_PASSES * PASS_BANDS; }
