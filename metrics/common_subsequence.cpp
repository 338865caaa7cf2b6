// Bit i of row j is 0 where the common length of sequence[0..i] and other[0..j] is one more than that of sequence[0..i-1]
// and other[0..j]: so the number of zeros is the length, and the bit at a cell says which way the way back goes.
#include "metrics/common_subsequence.h"

#include <algorithm>
#include <bit>

namespace craft {

void CommonSubsequence::set(std::span<const uint32_t> sequence) {
    for (const uint32_t id : used_) first_[id] = 0;
    used_.clear();
    sequence_ = sequence;
    words_ = (sequence.size() + 63) / 64;
    // Sorting positions by id keeps an id's parts together.
    std::vector<uint64_t> keys(sequence.size());
    for (size_t i = 0; i < sequence.size(); ++i) keys[i] = uint64_t{sequence[i]} << 32 | i;
    std::sort(keys.begin(), keys.end());
    parts_.assign(1, Part{});  // number 0 means none
    for (size_t k = 0; k < keys.size(); ++k) {
        const auto id = static_cast<uint32_t>(keys[k] >> 32), position = static_cast<uint32_t>(keys[k]);
        const bool new_id = k == 0 || static_cast<uint32_t>(keys[k - 1] >> 32) != id;
        if (new_id && k > 0) parts_.push_back(Part{});
        if (new_id) {
            first_[id] = static_cast<uint32_t>(parts_.size());
            used_.push_back(id);
        }
        if (new_id || parts_.back().word != position / 64) parts_.push_back({.word = position / 64});
        parts_.back().positions |= uint64_t{1} << (position % 64);
    }
    parts_.push_back(Part{});
}

void CommonSubsequence::advance(uint32_t id, std::vector<uint64_t>& row) const {
    const uint32_t first = first_[id];
    if (first == 0) return;
    uint64_t carry = 0;
    size_t next = 0;  // the word that a carry goes to
    const auto carry_to = [&](size_t end) {
        for (; carry != 0 && next < end; ++next) {
            const uint64_t sum = row[next] + 1;
            carry = sum == 0 ? 1 : 0;
            row[next] |= sum;
        }
    };
    for (size_t p = first; parts_[p].positions != 0; ++p) {
        const auto [word, positions] = parts_[p];
        carry_to(word);
        const uint64_t bits = row[word], added = bits & positions;
        const uint64_t partial = bits + added, sum = partial + carry;
        carry = (partial < bits ? 1U : 0U) | (sum < partial ? 1U : 0U);
        row[word] = sum | (bits & ~positions);
        next = word + 1;
    }
    carry_to(words_);
}

bool CommonSubsequence::shares(std::span<const uint32_t> other) const {
    return std::any_of(other.begin(), other.end(), [&](uint32_t id) { return first_[id] != 0; });
}

int64_t CommonSubsequence::length(std::span<const uint32_t> other) {
    row_.assign(words_, ~uint64_t{0});
    for (const uint32_t id : other) advance(id, row_);
    int64_t zeros = 0;
    for (const uint64_t word : row_) zeros += std::popcount(~word);
    return zeros;
}

void CommonSubsequence::mark(std::span<const uint32_t> other, std::vector<bool>& marks) {
    if (words_ == 0 || !shares(other)) return;
    // The way back needs the rows from the last to the first. They are made in blocks: the row before each block is kept on
    // the way forth, and the block is made again when the way back comes to it.
    const size_t block = std::max<size_t>(1, kStoredWords / words_);
    row_.assign(words_, ~uint64_t{0});
    starts_.clear();
    for (size_t j = 0; j < other.size(); ++j) {
        if (j % block == 0) starts_.insert(starts_.end(), row_.begin(), row_.end());
        if (other.size() > block) advance(other[j], row_);
    }
    size_t i = sequence_.size(), j = other.size();
    while (i > 0 && j > 0) {
        const size_t from = (j - 1) / block * block;
        const auto start = starts_.begin() + static_cast<std::ptrdiff_t>(from / block * words_);
        row_.assign(start, start + static_cast<std::ptrdiff_t>(words_));
        stored_.clear();
        for (size_t k = from; k < j; ++k) {
            advance(other[k], row_);
            stored_.insert(stored_.end(), row_.begin(), row_.end());
        }
        while (i > 0 && j > from) {
            const uint64_t word = stored_[(j - 1 - from) * words_ + (i - 1) / 64];
            if (sequence_[i - 1] == other[j - 1]) {
                marks[--i] = true;
                --j;
            } else if ((word >> ((i - 1) % 64) & 1U) == 0) {
                --j;
            } else {
                --i;
            }
        }
    }
}

}  // namespace craft
