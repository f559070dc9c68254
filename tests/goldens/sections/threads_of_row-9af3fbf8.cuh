// The most threads, up to `most`, that share the copies of a row equally.
constexpr int threads_of_row(int copies, int most) {
    int threads = copies < most ? copies : most;
    while (copies % threads != 0) --threads;
    return threads;
}
