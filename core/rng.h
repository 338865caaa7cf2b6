// Random streams keyed by (seed, stage, item, sample): order, threads, ranks and restarts change nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace craft {

// xoshiro256** seeded from a hash of its key. Passed by reference, never static.
class Rng {
public:
    Rng(uint64_t seed, std::string_view stage, uint64_t item = 0, uint64_t sample = 0);
    Rng(uint64_t seed, std::string_view stage, std::string_view item, uint64_t sample = 0);

    uint64_t next();
    double uniform();                            // in [0, 1), 53 bits
    uint64_t below(uint64_t bound);              // in [0, bound), unbiased; throws std::logic_error on 0
    int64_t between(int64_t low, int64_t high);  // in [low, high]; throws std::logic_error if low > high
    double normal();                             // mean 0, variance 1 (Box-Muller, one value a call)

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }
    template <class T>
    const T& pick(const std::vector<T>& items) {
        return items[below(items.size())];
    }

    // The state, for checkpoints.
    std::array<uint64_t, 4> state() const { return state_; }
    void set_state(const std::array<uint64_t, 4>& state) { state_ = state; }

private:
    std::array<uint64_t, 4> state_{};
};

// A stable 64-bit hash of bytes (xxHash), the same on every machine and release.
uint64_t stable_hash(std::string_view bytes, uint64_t seed = 0);

}  // namespace craft
