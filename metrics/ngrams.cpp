#include "metrics/ngrams.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace craft {

namespace {

// Keys to numbers in the order in which they come; open addressing, less than half full.
template <class Key>
class Numbers {
public:
    explicit Numbers(size_t most) : slots_(std::bit_ceil(2 * most + 2), 0), mask_(slots_.size() - 1) { keys_.reserve(most); }
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
    std::vector<uint32_t> slots_;  // a key's number and one; 0 is empty
    std::vector<Key> keys_;
    size_t mask_;
};

// Every bit of a pair moves the low bits, which choose the slot (the finaliser of splitmix64).
size_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

size_t count_words(const std::string& text) {
    return text.empty() ? 0 : static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

}  // namespace

NgramIds::NgramIds(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) total_ += count_words(text);
    Numbers<std::string_view> numbers(total_);
    for (const std::string& text : texts) {
        std::vector<uint32_t>& words = words_.emplace_back();
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find(' ', begin), text.size());
            const std::string_view word(text.data() + begin, end - begin);
            words.push_back(numbers.of(word, std::hash<std::string_view>{}(word)));
            begin = end + 1;
        }
    }
    ngrams_ = words_;
    types_ = numbers.size();
}

void NgramIds::advance() {
    Numbers<uint64_t> numbers(total_);
    for (size_t text = 0; text < words_.size(); ++text) {
        const std::vector<uint32_t>& words = words_[text];
        std::vector<uint32_t>& ngrams = ngrams_[text];
        if (!ngrams.empty()) ngrams.pop_back();
        for (size_t i = 0; i < ngrams.size(); ++i) {
            const uint64_t pair = (uint64_t{ngrams[i]} << 32) | words[i + static_cast<size_t>(n_)];
            ngrams[i] = numbers.of(pair, mixed(pair));
        }
    }
    types_ = numbers.size();
    ++n_;
}

}  // namespace craft
