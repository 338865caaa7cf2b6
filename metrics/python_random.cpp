#include "metrics/python_random.h"

#include <bit>

namespace craft {

namespace {
constexpr size_t kWords = 624, kShift = 397;
}  // namespace

PythonRandom::PythonRandom(uint32_t seed) : state_{} {
    state_[0] = 19650218U;
    for (uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
    // init_by_array of one word: it goes around the state once with the key and, but for one word, once without.
    size_t i = 1;
    const auto advance = [&] {
        if (++i < kWords) return;
        state_[0] = state_[kWords - 1];
        i = 1;
    };
    for (size_t k = 0; k < kWords; ++k) {
        state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + seed;
        advance();
    }
    for (size_t k = 0; k + 1 < kWords; ++k) {
        state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) - static_cast<uint32_t>(i);
        advance();
    }
    state_[0] = 0x80000000U;
}

void PythonRandom::refill() {
    const auto twist = [&](size_t i, size_t next, size_t far) {
        const uint32_t y = (state_[i] & 0x80000000U) | (state_[next] & 0x7FFFFFFFU);
        state_[i] = state_[far] ^ (y >> 1) ^ ((0U - (y & 1U)) & 0x9908B0DFU);
    };
    for (size_t i = 0; i < kWords - kShift; ++i) twist(i, i + 1, i + kShift);
    for (size_t i = kWords - kShift; i < kWords - 1; ++i) twist(i, i + 1, i + kShift - kWords);
    twist(kWords - 1, 0, kShift - 1);
    at_ = 0;
}

uint32_t PythonRandom::next() {
    if (at_ == kWords) refill();
    uint32_t y = state_[at_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9D2C5680U;
    y ^= (y << 15) & 0xEFC60000U;
    return y ^ (y >> 18);
}

uint32_t PythonRandom::below_python3(uint32_t bound) {
    const int shift = 32 - static_cast<int>(std::bit_width(bound));
    uint32_t drawn = next() >> shift;
    while (drawn >= bound) drawn = next() >> shift;
    return drawn;
}

uint32_t PythonRandom::below_python2(uint32_t bound) {
    const uint32_t high = next() >> 5, low = next() >> 6;
    const double uniform = (static_cast<double>(high) * 67108864.0 + static_cast<double>(low)) / 9007199254740992.0;
    return static_cast<uint32_t>(uniform * static_cast<double>(bound));
}

}  // namespace craft
