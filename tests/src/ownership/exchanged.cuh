[&] {
                Sum sums[1];
                load_staged(sums, staged + row * STAGED_PITCH, col);
                return sums[0];
            }()
