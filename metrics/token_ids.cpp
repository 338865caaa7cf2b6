#include "metrics/token_ids.h"

#include <bit>
#include <functional>

namespace craft {

namespace {

uint64_t mixed(uint64_t key) {
    key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 29);
}
uint64_t slot_hash(uint64_t key) {
    return mixed(key);
}
uint64_t slot_hash(std::string_view key) {
    return mixed(std::hash<std::string_view>{}(key));
}

// Numbers keys in the order in which they come. Open addressing: at most half of the slots are ever taken.
template <class Key>
class Numbering {
public:
    explicit Numbering(size_t most) : slots_(std::bit_ceil(2 * most + 2)), mask_(slots_.size() - 1) {}
    uint32_t operator()(Key key) {
        for (size_t at = slot_hash(key) & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.number == 0) {
                slot = {key, ++count_};
                return count_ - 1;
            }
            if (slot.key == key) return slot.number - 1;
        }
    }
    uint32_t count() const { return count_; }

private:
    struct Slot {
        Key key{};
        uint32_t number = 0;  // 0: free
    };
    std::vector<Slot> slots_;
    size_t mask_;
    uint32_t count_ = 0;
};

}  // namespace

IdSequences token_ids(std::span<const TokenTexts> sequences) {
    size_t total = 0;
    for (const TokenTexts& sequence : sequences) total += sequence.size();
    Numbering<std::string_view> numbering(total);
    IdSequences result;
    for (const TokenTexts& sequence : sequences) {
        auto& ids = result.ids.emplace_back();
        ids.reserve(sequence.size());
        for (std::string_view token : sequence) ids.push_back(numbering(token));
    }
    result.count = numbering.count();
    return result;
}

IdSequences ngram_ids(const IdSequences& tokens, const IdSequences& shorter, int n) {
    const size_t before = static_cast<size_t>(n) - 1;
    size_t total = 0;
    for (const auto& sequence : shorter.ids) total += sequence.size();
    Numbering<uint64_t> numbering(total);
    IdSequences result;
    for (size_t k = 0; k < tokens.ids.size(); ++k) {
        const auto& sequence = tokens.ids[k];
        auto& ids = result.ids.emplace_back();
        if (sequence.size() <= before) continue;
        ids.reserve(sequence.size() - before);
        for (size_t i = 0; i + before < sequence.size(); ++i) {
            ids.push_back(numbering(uint64_t{shorter.ids[k][i]} << 32 | sequence[i + before]));
        }
    }
    result.count = numbering.count();
    return result;
}

void IdCounts::set(std::span<const uint32_t> sequence) {
    for (const uint32_t id : distinct_) counts_[id] = 0;
    distinct_.clear();
    for (const uint32_t id : sequence) {
        if (counts_[id]++ == 0) distinct_.push_back(id);
    }
}

}  // namespace craft
