// The tokens of words that were seen before. Inside model/tokenizer/ only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace craft {

// Not for several threads at once: see WordCaches.
class WordCache {
public:
    static constexpr size_t kLongestWord = 64;  // bytes; longer ones are not kept

    WordCache() : slots_(kSets * kWays) {}

    // Appends the tokens of `word` to `ids`, those of the last time or, if they are not known, those that
    // `encode(word, ids)` appends.
    template <class Encode>
    void encode(std::string_view word, std::vector<int64_t>& ids, Encode encode) {
        if (word.size() > kLongestWord) {
            encode(word, ids);
            return;
        }
        Slot* const set = slots_.data() + hash(word) * kWays;
        for (Slot* slot = set; slot < set + kWays; ++slot) {
            if (slot->generation != generation_ || slot->length != word.size() ||
                std::memcmp(bytes_.data() + slot->text, word.data(), word.size()) != 0)
                continue;
            ids.insert(ids.end(), ids_.begin() + slot->first, ids_.begin() + slot->first + slot->count);
            return;
        }
        const size_t before = ids.size();
        encode(word, ids);
        if (bytes_.size() + ids_.size() > kMaxKept) clear();
        // The newest word of a set stands first, the oldest goes.
        std::move_backward(set, set + kWays - 1, set + kWays);
        *set = {generation_, static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(ids_.size()),
                static_cast<uint32_t>(ids.size() - before), static_cast<uint8_t>(word.size())};
        bytes_.insert(bytes_.end(), word.begin(), word.end());
        ids_.insert(ids_.end(), ids.begin() + static_cast<ptrdiff_t>(before), ids.end());
    }

private:
    static constexpr int kSetBits = 14;
    static constexpr size_t kSets = size_t{1} << kSetBits, kWays = 4;
    static constexpr size_t kMaxKept = size_t{1} << 22;  // bytes and tokens together
    struct Slot {
        uint32_t generation = 0;  // another one than the cache's: empty
        uint32_t text = 0, first = 0, count = 0;
        uint8_t length = 0;
    };

    void clear() {
        bytes_.clear();
        ids_.clear();
        ++generation_;
    }

    static uint64_t load(const char* bytes, size_t count) {
        uint64_t value = 0;
        std::memcpy(&value, bytes, count);
        return value;
    }

    static size_t hash(std::string_view word) {
        uint64_t state = word.size() * 0x9E3779B97F4A7C15ULL;
        const char* at = word.data();
        size_t left = word.size();
        for (; left >= 8; at += 8, left -= 8) state = mix(state ^ load(at, 8));
        if (left > 0) state = mix(state ^ load(at, left));
        return static_cast<size_t>(state * 0x9E3779B97F4A7C15ULL >> (64 - kSetBits));  // the high bits depend on all
    }

    static uint64_t mix(uint64_t value) {
        value *= 0xD6E8FEB86659FD93ULL;
        return value ^ value >> 32;
    }

    std::vector<Slot> slots_;
    std::vector<char> bytes_;
    std::vector<int64_t> ids_;
    uint32_t generation_ = 1;
};

// One cache for every thread that encodes at the same time.
class WordCaches {
public:
    class Loan {
    public:
        explicit Loan(WordCaches& owner) : owner_(owner), cache_(owner.take()) {}
        ~Loan() { owner_.give_back(std::move(cache_)); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        WordCache& operator*() { return *cache_; }

    private:
        WordCaches& owner_;
        std::unique_ptr<WordCache> cache_;
    };

private:
    std::unique_ptr<WordCache> take() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty()) return std::make_unique<WordCache>();
        std::unique_ptr<WordCache> cache = std::move(idle_.back());
        idle_.pop_back();
        return cache;
    }
    void give_back(std::unique_ptr<WordCache> cache) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(cache));
    }
    std::mutex mutex_;
    std::vector<std::unique_ptr<WordCache>> idle_;
};

}  // namespace craft
