#include "model/generate/grammar_mask.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"

namespace craft {

namespace {

constexpr float kOutside = -std::numeric_limits<float>::infinity();

// Whether a text's first blank is lost, as the first token that has one shows.
bool drops_first_blank(const Tokenizer& tokenizer, const std::vector<std::string>& bytes) {
    for (size_t id = 0; id < bytes.size(); ++id)
        if (bytes[id].size() > 1 && bytes[id][0] == ' ')
            return tokenizer.decode({static_cast<int64_t>(id)}, false) == bytes[id].substr(1);
    return false;
}

}  // namespace

GrammarMask::GrammarMask(std::shared_ptr<const Grammar> grammar, const Tokenizer& tokenizer)
    : grammar_(std::move(grammar)), bytes_(static_cast<size_t>(tokenizer.vocabulary_size())) {
    std::vector<int64_t> ids;
    for (size_t id = 0; id < bytes_.size(); ++id) {
        bytes_[id] = tokenizer.bytes_of(static_cast<int64_t>(id)).value_or("");
        if (bytes_[id].size() > std::numeric_limits<uint16_t>::max()) bytes_[id].clear();
        if (!bytes_[id].empty()) ids.push_back(static_cast<int64_t>(id));
    }
    if (ids.empty())
        throw Error("the grammar of calls", "a tokenizer whose tokens have texts of their own",
                    "one whose tokens depend on their neighbours", "go without --constrain-calls");
    const auto spelling = [&](int64_t id) -> const std::string& { return bytes_[static_cast<size_t>(id)]; };
    std::stable_sort(ids.begin(), ids.end(), [&](int64_t a, int64_t b) { return spelling(a) < spelling(b); });
    for (size_t i = 0; i < ids.size(); ++i) add_token(spelling(ids[i]), ids[i], i == 0 ? "" : spelling(ids[i - 1]));
    for (const uint32_t open : path_) nodes_[open].behind = static_cast<uint32_t>(nodes_.size());
    drops_blank_ = drops_first_blank(tokenizer, bytes_);
    found_.resize(2 * static_cast<size_t>(grammar_->states()));
}

// `before`: the spelling before it in their order.
void GrammarMask::add_token(const std::string& bytes, int64_t id, const std::string& before) {
    const auto same =
        static_cast<size_t>(std::mismatch(bytes.begin(), bytes.end(), before.begin(), before.end()).first - bytes.begin());
    for (; path_.size() > same; path_.pop_back()) nodes_[path_.back()].behind = static_cast<uint32_t>(nodes_.size());
    const auto first = static_cast<uint32_t>(order_.size());
    while (path_.size() < bytes.size()) {
        const size_t depth = path_.size();
        path_.push_back(static_cast<uint32_t>(nodes_.size()));
        nodes_.push_back({0, first, first, static_cast<uint16_t>(depth), static_cast<uint8_t>(bytes[depth])});
    }
    order_.push_back(id);
    nodes_[path_.back()].last_token = first + 1;
}

void GrammarMask::advance(Place& place, int64_t token) const {
    if (token < 0 || token >= std::ssize(bytes_)) return;
    const std::string& bytes = bytes_[static_cast<size_t>(token)];
    const bool drops = !place.is_begun && drops_blank_ && !bytes.empty() && bytes[0] == ' ';
    for (size_t i = drops ? 1 : 0; i < bytes.size(); ++i) place.state.advance(static_cast<uint8_t>(bytes[i]));
    place.is_begun = place.is_begun || !bytes.empty();
}

std::vector<uint64_t> GrammarMask::find_allowed(const Place& place) const {
    std::vector<uint64_t> allowed((bytes_.size() + 63) / 64);
    std::vector<GrammarState> states(1, place.state);  // before the byte of each depth
    for (size_t i = 0; i < nodes_.size();) {
        const Node& node = nodes_[i];
        GrammarState state = states[node.depth];
        const bool dropped = node.depth == 0 && node.byte == ' ' && drops_blank_ && !place.is_begun;
        if (!dropped && !state.advance(node.byte)) {
            i = node.behind;
            continue;
        }
        states.resize(node.depth + size_t{1}, state);
        states.push_back(state);
        // A blank alone would be lost, and some tokenizers have one that is not.
        if (!dropped)
            for (uint32_t t = node.first_token; t < node.last_token; ++t) {
                const auto token = static_cast<uint64_t>(order_[t]);
                allowed[token / 64] |= uint64_t{1} << (token % 64);
            }
        ++i;
    }
    return allowed;
}

const std::vector<uint64_t>& GrammarMask::allowed(const Place& place) const {
    static const std::vector<uint64_t> none;
    if (!place.state.is_live()) return none;
    const std::lock_guard lock(mutex_);
    auto& found = found_[2 * static_cast<size_t>(place.state.number()) + (place.is_begun ? 1 : 0)];
    if (!found) found = std::make_unique<const std::vector<uint64_t>>(find_allowed(place));
    return *found;
}

bool GrammarMask::apply(std::span<float> logits, const Place& place,
                        std::initializer_list<std::span<const int64_t>> ends) const {
    std::vector<std::pair<size_t, float>> kept;  // logits of tokens that end the text
    for (const std::span<const int64_t>& some : ends)
        for (const int64_t end : some)
            if (end >= 0 && end < std::ssize(logits))
                kept.emplace_back(static_cast<size_t>(end), logits[static_cast<size_t>(end)]);
    const std::vector<uint64_t>& mask = allowed(place);
    for (size_t word = 0; word * 64 < logits.size(); ++word) {
        const uint64_t bits = word < mask.size() ? mask[word] : 0;
        if (bits == ~uint64_t{0}) continue;
        const size_t last = std::min(logits.size(), word * 64 + 64);
        for (size_t i = word * 64; i < last; ++i)
            if ((bits >> (i % 64) & 1) == 0) logits[i] = kOutside;
    }
    const bool may_end = place.state.may_end();
    for (const auto& [end, logit] : kept) logits[end] = may_end ? logit : kOutside;
    return std::any_of(logits.begin(), logits.end(), [](float logit) { return logit != kOutside; });
}

}  // namespace craft
