struct EpilogueBarriers {
    unsigned long long loaded[STORERS][EPILOGUE_STAGES], written[STORERS][EPILOGUE_STAGES];
};
