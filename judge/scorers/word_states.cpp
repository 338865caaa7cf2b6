#include "judge/scorers/word_states.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"
#include "core/signals.h"
#include "model/kernels/packed_batch.h"

namespace craft {

namespace {

// Tokens of one text one after the other, and whose they are.
struct TextTokens {
    std::vector<int64_t> ids, owners;
    size_t size() const { return ids.size(); }
};

// Tokens [begin, end) of a text, of which [part_begin, part_end) are the part that the window is for.
struct TokenRange {
    size_t begin = 0, end = 0, part_begin = 0, part_end = 0;
};

TextTokens tokens_of_words(const PairTokens& pair, size_t begin, size_t end, size_t max_of_word) {
    TextTokens text;
    for (size_t word = begin; word < end; ++word) {
        const std::vector<int64_t>& ids = pair.words[word];
        const size_t count = std::min(ids.size(), max_of_word);
        text.ids.insert(text.ids.end(), ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count));
        text.owners.insert(text.owners.end(), count, static_cast<int64_t>(word));
    }
    return text;
}

// A word belongs to the part in which its first token stands: the next place from `at` on where a word begins.
size_t word_start(const TextTokens& text, size_t at) {
    while (at > 0 && at < text.size() && text.owners[at] == text.owners[at - 1]) ++at;
    return at;
}

TokenRange window_of(const TextTokens& text, size_t part, size_t parts, size_t room) {
    TokenRange range;
    range.part_begin = word_start(text, part * text.size() / parts);
    range.part_end = word_start(text, (part + 1) * text.size() / parts);
    const size_t spare = room - std::min(room, range.part_end - range.part_begin);
    range.begin = range.part_begin - std::min(range.part_begin, spare / 2);
    range.end = std::min(text.size(), range.begin + room);
    range.begin = range.end - std::min(range.end, room);
    return range;
}

void append_special(PairWindow& window, const std::vector<int64_t>& ids) {
    window.row.ids.insert(window.row.ids.end(), ids.begin(), ids.end());
    window.owners.insert(window.owners.end(), ids.size(), -1);
}

void append_range(PairWindow& window, const TextTokens& text, const TokenRange& range) {
    for (size_t i = range.begin; i < range.end; ++i) {
        window.row.ids.push_back(text.ids[i]);
        window.owners.push_back(i >= range.part_begin && i < range.part_end ? text.owners[i] : -1);
    }
}

size_t parts_of(size_t tokens, size_t room) {
    const size_t part = std::max<size_t>(1, room / 2);  // the other half of the room is for what is around it
    return tokens <= room ? 1 : (tokens + part - 1) / part;
}

// Sums over the windows of a pair. Row `words` takes what is nobody's.
struct PairSums {
    at::Tensor vectors, counts;  // [words + 1, hidden], [words + 1, 1]
    at::Tensor of_tokens;        // float64 [hidden]
    int64_t tokens = 0;
};

PairSums no_sums(const PairTokens& pair, int64_t hidden_size) {
    const auto words = static_cast<int64_t>(pair.words.size());
    return {at::zeros({words + 1, hidden_size}, at::kFloat), at::zeros({words + 1, 1}, at::kFloat),
            at::zeros({hidden_size}, at::kDouble)};
}

void add_window(PairSums& sums, const PairWindow& window, const at::Tensor& hidden) {
    const at::Tensor state = hidden.to(at::kCPU, at::kFloat);
    const at::Tensor of_tokens = state.sum(0, /*keepdim=*/false, at::kDouble);
    if (!at::isfinite(of_tokens).all().item<bool>())
        throw Error("word alignment", "finite states of the encoder", "others", "the weights are broken");
    sums.of_tokens += of_tokens;
    sums.tokens += state.size(0);
    std::vector<int64_t> owners = window.owners;
    std::replace(owners.begin(), owners.end(), int64_t{-1}, sums.vectors.size(0) - 1);
    const at::Tensor index = at::tensor(owners, at::kLong);
    sums.vectors.index_add_(0, index, state);
    sums.counts.index_add_(0, index, at::ones({state.size(0), 1}, at::kFloat));
}

WordStates means_of(const PairSums& sums) {
    const at::Tensor vectors = sums.vectors / sums.counts.clamp_min(1);
    return {vectors.narrow(0, 0, vectors.size(0) - 1).contiguous(), sums.of_tokens, sums.tokens};
}

}  // namespace

std::vector<PairWindow> pair_windows(const Tokenizer& tokenizer, const PairTokens& pair, int64_t max_tokens) {
    const std::vector<int64_t> leading = tokenizer.leading_tokens(), trailing = tokenizer.trailing_tokens();
    const int64_t room = max_tokens - static_cast<int64_t>(leading.size() + 2 * trailing.size());
    if (room < 8)
        throw Error("word alignment", "an encoder with room for two texts", std::to_string(max_tokens) + " positions");
    const auto half = static_cast<size_t>(room / 2);
    size_t total = 0;
    for (const auto& word : pair.words) total += word.size();
    const size_t max_of_word = total <= static_cast<size_t>(room) ? total : half / 4;
    const TextTokens first = tokens_of_words(pair, 0, pair.first, max_of_word);
    const TextTokens second = tokens_of_words(pair, pair.first, pair.words.size(), max_of_word);
    const auto whole = static_cast<size_t>(room);
    const size_t first_room = std::max(half, whole - std::min(whole, second.size()));
    const size_t second_room = whole - std::min(first.size(), first_room);
    const size_t parts = first.size() + second.size() <= whole
                             ? 1
                             : std::max(parts_of(first.size(), first_room), parts_of(second.size(), second_room));
    std::vector<PairWindow> windows;
    for (size_t part = 0; part < parts; ++part) {
        PairWindow& window = windows.emplace_back();
        append_special(window, leading);
        append_range(window, first, window_of(first, part, parts, first_room));
        append_special(window, trailing);
        window.row.types.assign(window.row.ids.size(), 0);
        append_range(window, second, window_of(second, part, parts, second_room));
        append_special(window, trailing);
        window.row.types.resize(window.row.ids.size(), 1);
    }
    return windows;
}

WordEncoder::WordEncoder(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, int64_t layer)
    : encoder_(std::move(encoder)), tokenizer_(std::move(tokenizer)) {
    const std::string where = "word alignment";
    const EncoderConfig& config = encoder_.config();
    const int64_t layers = config.stack.layers, kept = layer < 0 ? layers + 1 + layer : layer;
    if (kept < 0 || kept > layers)
        throw Error(where, "a layer from " + std::to_string(-layers - 1) + " to " + std::to_string(layers),
                    std::to_string(layer), "-1 is the last one, 0 the embeddings");
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error(where, "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    if (config.type_count < 2)
        throw Error(where, "a model that distinguishes two texts by token types (BERT)", config.architecture);
    const size_t trailing = tokenizer_->trailing_tokens().size();
    around_ = static_cast<int64_t>(tokenizer_->leading_tokens().size() + 2 * trailing);
    if (trailing == 0)
        throw Error(where, "a tokenizer that adds tokens around a text, as BERT's does", "one that adds none");
    pair_windows(*tokenizer_, {}, config.max_tokens());  // says whether there is room
    encoder_.keep_layers(kept);
}

PairTokens WordEncoder::read(const std::vector<std::string>& first, const std::vector<std::string>& second) const {
    PairTokens pair;
    pair.first = first.size();
    for (const auto* words : {&first, &second})
        for (const std::string& word : *words) pair.words.push_back(tokenizer_->encode(word, /*allow_special=*/false));
    return pair;
}

int64_t WordEncoder::tokens_of(const PairTokens& pair) const {
    int64_t tokens = around_;
    for (const auto& word : pair.words) tokens += static_cast<int64_t>(word.size());
    return tokens;
}

std::vector<WordStates> WordEncoder::states(const std::vector<const PairTokens*>& pairs, int64_t batch_tokens) const {
    std::vector<PairWindow> windows;
    std::vector<size_t> pair_of;
    std::vector<int64_t> sizes;
    std::vector<PairSums> sums;
    for (size_t i = 0; i < pairs.size(); ++i) {
        for (PairWindow& window : pair_windows(*tokenizer_, *pairs[i], encoder_.config().max_tokens())) {
            sizes.push_back(static_cast<int64_t>(window.row.ids.size()));
            windows.push_back(std::move(window));
            pair_of.push_back(i);
        }
        sums.push_back(no_sums(*pairs[i], hidden_size()));
    }
    const int64_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(batch_tokens, largest))) {
        throw_if_stopped();
        std::vector<EncoderRow> rows;
        for (size_t i = begin; i < end; ++i) rows.push_back(windows[i].row);
        const std::vector<at::Tensor> hidden = encoder_.hidden(rows);
        for (size_t i = begin; i < end; ++i) add_window(sums[pair_of[i]], windows[i], hidden[i - begin]);
    }
    std::vector<WordStates> states;
    for (const PairSums& one : sums) states.push_back(means_of(one));
    return states;
}

}  // namespace craft
