// Python's random numbers, where a reference implementation's figures hang on its draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace craft {

// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded by its init_by_array as CPython's random.seed(n) does.
class PythonRandom {
public:
    explicit PythonRandom(uint32_t seed);

    uint32_t next();  // 32 random bits
    // CPython 3's randint(0, bound - 1), for each of `drawn`: the upper bits of draws until one lies below the bound. A
    // bound of 1 draws too. Needs bound > 0.
    void below_python3(uint32_t bound, std::span<uint32_t> drawn);
    // CPython 2's randint(0, bound - 1): int(random() * bound), of 53 bits from two draws.
    void below_python2(uint32_t bound, std::span<uint32_t> drawn);

private:
    static constexpr size_t kWords = 624;
    void refill();
    std::array<uint32_t, kWords> state_, ready_{};  // ready_: the numbers that the state stands for
    size_t at_ = kWords;
};

}  // namespace craft
