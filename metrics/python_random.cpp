#include "metrics/python_random.h"

#include <bit>

namespace craft {

namespace {

// What init_by_array begins with, whatever the seed.
template <size_t words>
constexpr std::array<uint32_t, words> first_state() {
    std::array<uint32_t, words> state{19650218U};
    for (uint32_t i = 1; i < words; ++i) state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    return state;
}

}  // namespace

PythonRandom::PythonRandom(uint32_t seed) {
    static constexpr std::array<uint32_t, kWords> kFirst = first_state<kWords>();
    state_ = kFirst;
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

// Loops whose lengths are multiples of four, as the compiler takes four words at a time then.
void PythonRandom::refill() {
    constexpr size_t kShift = 397, kFirst = kWords - kShift;
    const auto twist = [&](size_t i, size_t next, size_t far) {
        const uint32_t y = (state_[i] & 0x80000000U) | (state_[next] & 0x7FFFFFFFU);
        state_[i] = state_[far] ^ (y >> 1) ^ ((0U - (y & 1U)) & 0x9908B0DFU);
    };
    constexpr size_t kFours = kFirst / 4 * 4;
    for (size_t i = 0; i < kFours; ++i) twist(i, i + 1, i + kShift);
    for (size_t i = kFours; i < kFirst; ++i) twist(i, i + 1, i + kShift);
    for (size_t i = kFirst; i < kWords - 1; ++i) twist(i, i + 1, i - kFirst);
    twist(kWords - 1, 0, kShift - 1);
    for (size_t i = 0; i < kWords; ++i) {
        uint32_t y = state_[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C5680U;
        y ^= (y << 15) & 0xEFC60000U;
        ready_[i] = y ^ (y >> 18);
    }
    at_ = 0;
}

uint32_t PythonRandom::next() {
    if (at_ == kWords) refill();
    return ready_[at_++];
}

void PythonRandom::below_python3(uint32_t bound, std::span<uint32_t> drawn) {
    const int shift = 32 - static_cast<int>(std::bit_width(bound));
    for (size_t count = 0; count < drawn.size();) {
        if (at_ == kWords) refill();
        // A number that is not below the bound is written over by the next. That way nothing hangs on a branch that goes
        // either way half of the time.
        for (; at_ < kWords && count < drawn.size(); ++at_) {
            const uint32_t number = ready_[at_] >> shift;
            drawn[count] = number;
            count += number < bound ? 1 : 0;
        }
    }
}

void PythonRandom::below_python2(uint32_t bound, std::span<uint32_t> drawn) {
    for (uint32_t& number : drawn) {
        const uint32_t high = next() >> 5, low = next() >> 6;
        const double uniform = (static_cast<double>(high) * 67108864.0 + static_cast<double>(low)) / 9007199254740992.0;
        number = static_cast<uint32_t>(uniform * static_cast<double>(bound));
    }
}

}  // namespace craft
