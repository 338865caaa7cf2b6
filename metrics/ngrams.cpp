#include "metrics/ngrams.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace craft {

namespace {

// Keys to numbers in the order in which they come; open addressing, less than half full.
template <class Key>
class Numbers {
public:
    Numbers(size_t most, std::vector<uint32_t>& slots) : slots_(slots) {
        slots_.assign(std::bit_ceil(2 * most + 2), 0);
        mask_ = slots_.size() - 1;
        keys_.reserve(most);
    }
    uint32_t of(const Key& key, size_t hash) {
        size_t at = hash & mask_;
        for (; slots_[at] != 0; at = (at + 1) & mask_)
            if (keys_[slots_[at] - 1] == key) return slots_[at] - 1;
        keys_.push_back(key);
        slots_[at] = static_cast<uint32_t>(keys_.size());
        return slots_[at] - 1;
    }
    size_t size() const { return keys_.size(); }

private:
    std::vector<uint32_t>& slots_;  // a key's number and one; 0 is empty
    std::vector<Key> keys_;
    size_t mask_ = 0;
};

// Every bit moves the low bits, which choose the slot (the finaliser of splitmix64).
size_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

uint64_t bytes_at(const char* text, size_t count) {
    uint64_t value = 0;
    std::memcpy(&value, text, count);
    return value;
}

// Eight bytes at a time; most words have no more, so that the standard library's call for any length costs as much as the
// rest of the table.
size_t hash_of(std::string_view word) {
    uint64_t hash = word.size();
    const char* at = word.data();
    size_t left = word.size();
    for (; left > 8; at += 8, left -= 8) hash = mixed(hash ^ bytes_at(at, 8));
    if (left >= 4) return mixed(hash ^ bytes_at(at, 4) ^ (bytes_at(at + left - 4, 4) << 32));
    for (size_t i = 0; i < left; ++i) hash = (hash << 8) ^ static_cast<unsigned char>(at[i]);
    return mixed(hash);
}

size_t count_words(const std::string& text) {
    return text.empty() ? 0 : static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

}  // namespace

NgramIds::NgramIds(const std::vector<std::string>& texts) {
    begins_.reserve(texts.size() + 1);
    size_t total = 0;
    for (const std::string& text : texts) {
        begins_.push_back(total);
        total += count_words(text);
    }
    begins_.push_back(total);
    words_.reserve(total);
    Numbers<std::string_view> numbers(total, slots_);
    for (const std::string& text : texts) {
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find(' ', begin), text.size());
            const std::string_view word(text.data() + begin, end - begin);
            words_.push_back(numbers.of(word, hash_of(word)));
            begin = end + 1;
        }
    }
    ngrams_ = words_;
    types_ = numbers.size();
}

void NgramIds::advance() {
    Numbers<uint64_t> numbers(words_.size(), slots_);
    for (size_t text = 0; text + 1 < begins_.size(); ++text) {
        for (size_t i = begins_[text]; i + n_ < begins_[text + 1]; ++i) {
            const uint64_t pair = (uint64_t{ngrams_[i]} << 32) | words_[i + n_];
            ngrams_[i] = numbers.of(pair, mixed(pair));
        }
    }
    types_ = numbers.size();
    ++n_;
}

}  // namespace craft
