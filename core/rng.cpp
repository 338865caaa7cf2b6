#include "core/rng.h"

#include <xxhash.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace craft {

namespace {

uint64_t splitmix(uint64_t& x) {
    x += 0x9e3779b97f4a7c15ULL;
    uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

}  // namespace

uint64_t stable_hash(std::string_view bytes, uint64_t seed) {
    return XXH64(bytes.data(), bytes.size(), seed);
}

Rng::Rng(uint64_t seed, std::string_view stage, uint64_t item, uint64_t sample) {
    uint64_t x = stable_hash(stage, seed);
    x = splitmix(x) ^ item;
    x = splitmix(x) ^ sample;
    for (auto& word : state_) word = splitmix(x);
}

Rng::Rng(uint64_t seed, std::string_view stage, std::string_view item, uint64_t sample)
    : Rng(seed, stage, stable_hash(item), sample) {}

uint64_t Rng::next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

double Rng::uniform() {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

uint64_t Rng::below(uint64_t bound) {
    if (bound == 0) throw std::logic_error("Rng::below: nothing to draw from");
    const uint64_t limit = -bound % bound;  // values under it would be drawn once too often
    uint64_t x = next();
    while (x < limit) x = next();
    return x % bound;
}

int64_t Rng::between(int64_t low, int64_t high) {
    if (low > high) throw std::logic_error("Rng::between: nothing to draw from");
    const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;  // 0: all 2^64 values
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (count == 0 ? next() : below(count)));
}

double Rng::normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace craft
