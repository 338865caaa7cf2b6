// Python's random numbers, where a reference implementation's figures hang on its draws.
#pragma once

#include <array>
#include <cstdint>

namespace craft {

// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded by its init_by_array as CPython's random.seed(n) does.
class PythonRandom {
public:
    explicit PythonRandom(uint32_t seed);

    uint32_t next();  // 32 random bits
    // CPython 3's randint(0, bound - 1): the upper bits of draws until one lies below the bound. A bound of 1 draws too.
    // Needs bound > 0.
    uint32_t below_python3(uint32_t bound);
    // CPython 2's randint(0, bound - 1): int(random() * bound), of 53 bits from two draws.
    uint32_t below_python2(uint32_t bound);

private:
    void refill();
    std::array<uint32_t, 624> state_;
    size_t at_ = 624;
};

}  // namespace craft
