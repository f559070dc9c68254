struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
constexpr unsigned BARRIER_BYTES = sizeof(unsigned long long);
