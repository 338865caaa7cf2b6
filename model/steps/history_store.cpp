#include "model/steps/history_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace craft {

namespace {

int64_t common(const std::vector<int64_t>& a, const std::vector<int64_t>& b, int64_t limit) {
    const auto shorter = std::min({static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size()), limit});
    return std::mismatch(a.begin(), a.begin() + shorter, b.begin()).first - a.begin();
}

}  // namespace

void HistoryStore::set_max_bytes(int64_t bytes) {
    max_bytes_ = bytes;
    while (bytes_ > max_bytes_ && !kept_.empty()) {
        remove(std::prev(kept_.end()));
        ++dropped_;
    }
}

void HistoryStore::hold(const History& history) {
    for (const auto& [place, bytes] : history.parts()) {
        Part& part = parts_[place];
        if (part.holders++ == 0) bytes_ += part.bytes = bytes;
    }
}

void HistoryStore::release(const History& history) {
    for (const auto& [place, bytes] : history.parts()) {
        const auto found = parts_.find(place);
        if (--found->second.holders > 0) continue;
        bytes_ -= found->second.bytes;
        parts_.erase(found);
    }
}

std::list<HistoryStore::Kept>::iterator HistoryStore::remove(std::list<Kept>::iterator kept) {
    release(*kept->history);
    return kept_.erase(kept);
}

HistoryStore::Found HistoryStore::longest(const std::vector<int64_t>& tokens, int64_t limit) {
    auto best = kept_.end();
    int64_t length = 0;
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept)
        if (const int64_t shared = common(kept->tokens, tokens, limit); shared > length) {
            best = kept;
            length = shared;
        }
    if (best == kept_.end()) return {};
    kept_.splice(kept_.begin(), kept_, best);
    return {best->history, length};
}

void HistoryStore::keep(std::vector<int64_t> tokens, std::shared_ptr<const History> history) {
    int64_t own_bytes = 0;
    for (const auto& [place, bytes] : history->parts()) own_bytes += bytes;
    if (own_bytes > max_bytes_) {
        ++dropped_;
        return;
    }
    for (auto kept = kept_.begin(); kept != kept_.end();) {
        const auto count = static_cast<int64_t>(kept->tokens.size());
        const bool begins = count <= history->length && common(kept->tokens, tokens, count) == count;
        kept = begins ? remove(kept) : std::next(kept);
    }
    hold(*history);
    kept_.push_front({std::move(tokens), std::move(history)});
    set_max_bytes(max_bytes_);
    max_held_bytes_ = std::max(max_held_bytes_, bytes_);
}

}  // namespace craft
