#include "metrics/sequence_matcher.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/error.h"

namespace craft {

namespace {

struct Block {
    size_t a = 0, b = 0, size = 0;
};

class SequenceMatcher {
public:
    SequenceMatcher(std::u32string_view a, std::u32string_view b, int64_t max_steps)
        : a_(a), b_(b), ends_(b.size()), max_steps_(max_steps) {
        std::unordered_map<char32_t, uint32_t> numbers;
        for (size_t j = 0; j < b.size(); ++j) {
            const auto [found, is_new] = numbers.try_emplace(b[j], static_cast<uint32_t>(positions_.size()));
            if (is_new) positions_.emplace_back();
            positions_[found->second].push_back(static_cast<uint32_t>(j));
        }
        if (b.size() >= 200) {
            for (auto& where : positions_)
                if (where.size() > b.size() / 100 + 1) where.clear();
        }
        positions_.emplace_back();  // of characters that b lacks
        const auto none = static_cast<uint32_t>(positions_.size() - 1);
        kinds_.reserve(a.size());
        for (const char32_t c : a) {
            const auto found = numbers.find(c);
            kinds_.push_back(found == numbers.end() ? none : found->second);
        }
    }

    std::vector<Block> blocks() {
        std::vector<Block> found;
        std::vector<Range> open{{0, a_.size(), 0, b_.size()}};
        while (!open.empty()) {
            const Range range = open.back();
            open.pop_back();
            const Block block = longest(range);
            if (block.size == 0) continue;
            found.push_back(block);
            if (range.a_from < block.a && range.b_from < block.b)
                open.push_back({range.a_from, block.a, range.b_from, block.b});
            const size_t a_end = block.a + block.size, b_end = block.b + block.size;
            if (a_end < range.a_to && b_end < range.b_to) open.push_back({a_end, range.a_to, b_end, range.b_to});
        }
        std::sort(found.begin(), found.end(), [](const Block& x, const Block& y) { return x.a < y.a; });
        return found;
    }

private:
    struct Range {
        size_t a_from, a_to, b_from, b_to;
    };
    // The length of the common block that ends at a position of b, for the row of a that wrote it last.
    struct End {
        uint32_t row = 0, length = 0;  // rows count over all calls, from 1
    };

    Block longest(const Range& range) {
        Block best{range.a_from, range.b_from, 0};
        ++row_;  // what the call before wrote does not count
        take_step();
        for (size_t i = range.a_from; i < range.a_to; ++i) {
            ++row_;
            const auto& where = positions_[kinds_[i]];
            auto at = std::lower_bound(where.begin(), where.end(), range.b_from);
            End before;  // what stood at the position written last, which the next position may look at
            size_t written = b_.size();
            for (; at != where.end() && *at < range.b_to; ++at) {
                const size_t j = *at;
                const End end = j == 0 ? End{} : (written + 1 == j ? before : ends_[j - 1]);
                const uint32_t length = end.row + 1 == row_ ? end.length + 1 : 1;
                before = ends_[j];
                written = j;
                ends_[j] = {row_, length};
                if (length > best.size) best = {i + 1 - length, j + 1 - length, length};
                ++steps_;
            }
            take_step();
        }
        return grown(best, range);
    }

    // Junk was left out of the search; beside the block it belongs to it.
    Block grown(Block block, const Range& range) const {
        while (block.a > range.a_from && block.b > range.b_from && a_[block.a - 1] == b_[block.b - 1]) {
            --block.a;
            --block.b;
            ++block.size;
        }
        while (block.a + block.size < range.a_to && block.b + block.size < range.b_to &&
               a_[block.a + block.size] == b_[block.b + block.size]) {
            ++block.size;
        }
        return block;
    }

    void take_step() {
        if (++steps_ <= max_steps_) return;
        throw Error("prediction", "texts that are compared in " + std::to_string(max_steps_) + " steps", "more",
                    "shorter texts, or less repetitive ones (of prediction or references)");
    }

    std::u32string_view a_, b_;
    std::vector<std::vector<uint32_t>> positions_;  // in b, of each kind of character
    std::vector<uint32_t> kinds_;                   // of a's characters
    std::vector<End> ends_;
    uint32_t row_ = 0;
    int64_t steps_ = 0, max_steps_;
};

}  // namespace

std::vector<TextChange> text_changes(std::u32string_view a, std::u32string_view b, int64_t max_steps) {
    std::vector<TextChange> changes;
    if (a == b) return changes;
    size_t i = 0, j = 0;
    const auto change_to = [&](size_t a_to, size_t b_to) {
        if (i < a_to || j < b_to) changes.push_back({i, a_to, j, b_to});
    };
    for (const Block& block : SequenceMatcher(a, b, max_steps).blocks()) {
        change_to(block.a, block.b);
        i = block.a + block.size;
        j = block.b + block.size;
    }
    change_to(a.size(), b.size());
    return changes;
}

}  // namespace craft
