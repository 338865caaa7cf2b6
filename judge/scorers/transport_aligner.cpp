#include "judge/scorers/transport_aligner.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/progress.h"
#include "core/signals.h"
#include "model/kernels/packed_batch.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr size_t kMaxKnown = 200000;  // alignments that are kept

std::vector<std::string> alignment_words(const std::string& text) {
    return whitespace_words(lowercase(text));
}

// Words hold no blanks, so that no two pairs have one key.
std::string key_of(const WordAlignment& pair) {
    std::string key;
    for (const auto* words : {&pair.source, &pair.candidate}) {
        for (const std::string& word : *words) key += word + " ";
        key += "\n";
    }
    return key;
}

// The words of one text that have tokens: the others have no vector, and cannot be aligned.
std::vector<int64_t> readable_words(const PairTokens& pair, size_t begin, size_t end) {
    std::vector<int64_t> readable;
    for (size_t word = begin; word < end; ++word)
        if (!pair.words[word].empty()) readable.push_back(static_cast<int64_t>(word));
    return readable;
}

// Cosines of the given words' vectors, those of one text in rows, of the other in columns.
WordMatrix cosines_of(const at::Tensor& vectors, const std::vector<int64_t>& rows, const std::vector<int64_t>& columns) {
    const at::Tensor unit = vectors / vectors.norm(2, 1, /*keepdim=*/true).clamp_min(1e-8);
    const auto chosen = [&](const std::vector<int64_t>& words) {
        return unit.index_select(0, at::tensor(words, at::kLong));
    };
    const at::Tensor cosines = at::mm(chosen(rows), chosen(columns).t()).to(at::kDouble).contiguous();
    const double* values = cosines.const_data_ptr<double>();
    return {rows.size(), columns.size(), {values, values + cosines.numel()}};
}

}  // namespace

// A pair, each once a call.
struct TransportAligner::Item {
    WordAlignment alignment;
    PairTokens tokens;
    int64_t times = 1;   // it stands among the pairs
    at::Tensor vectors;  // [words, hidden]; undefined: not computed, or not kept
    WordMatrix plan;
};

// Items that are computed in one go.
struct TransportAligner::Batch {
    std::vector<size_t> items;
};

TransportAligner::TransportAligner(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, WordAlignerOptions options)
    : encoder_(std::move(encoder), std::move(tokenizer), options.layer), options_(std::move(options)) {
    if (!options_.mean.empty()) set_mean(options_.mean);
}

void TransportAligner::set_mean(std::vector<double> mean) {
    if (static_cast<int64_t>(mean.size()) != encoder_.hidden_size())
        throw Error("word alignment: mean",
                    std::to_string(encoder_.hidden_size()) + " numbers, as the encoder's states have",
                    std::to_string(mean.size()));
    options_.mean = std::move(mean);
    known_.clear();
}

std::vector<TransportAligner::Item> TransportAligner::distinct_items(const std::vector<WordPair>& pairs,
                                                                     std::vector<size_t>& item_of) const {
    std::vector<Item> items;
    std::unordered_map<std::string, size_t> found;
    for (const auto& [source, candidate] : pairs) {
        throw_if_stopped();
        Item item;
        item.alignment = {alignment_words(source), alignment_words(candidate), {}};
        const auto [place, is_new] = found.try_emplace(key_of(item.alignment), items.size());
        item_of.push_back(place->second);
        if (!is_new) {
            ++items[place->second].times;
            continue;
        }
        const WordAlignment& words = item.alignment;
        if (static_cast<double>(words.source.size()) * static_cast<double>(words.candidate.size()) >
            static_cast<double>(options_.max_cells))
            item.alignment.problem = "too_long";
        else
            item.tokens = encoder_.read(words.source, words.candidate);
        items.push_back(std::move(item));
    }
    return items;
}

// By length and then by content, so that what is computed beside what depends on no order.
std::vector<TransportAligner::Batch> TransportAligner::batches_of(const std::vector<Item>& items) const {
    std::vector<size_t> order(items.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::vector<int64_t> lengths;
    for (const Item& item : items) lengths.push_back(encoder_.tokens_of(item.tokens));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return lengths[a] != lengths[b] ? lengths[a] < lengths[b] : items[a].tokens.words < items[b].tokens.words;
    });
    std::vector<int64_t> sizes;
    for (const size_t i : order) sizes.push_back(lengths[i]);
    std::vector<Batch> batches;
    const int64_t largest = sizes.empty() ? 0 : sizes.back();
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(options_.batch_tokens, largest)))
        batches.push_back(
            {{order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end)}});
    return batches;
}

at::Tensor TransportAligner::mean_tensor() const {
    return at::tensor(options_.mean, at::kDouble);
}

// Keeps vectors as far as there is room for them, if they are wanted.
at::Tensor TransportAligner::mean_of_items(std::vector<Item>& items, const std::vector<Batch>& batches, bool keep) const {
    at::Tensor sum = at::zeros({encoder_.hidden_size()}, at::kDouble);
    int64_t tokens = 0, bytes = 0;
    Progress progress("reading words", static_cast<int64_t>(items.size()), "pairs");
    for (const Batch& batch : batches) {
        std::vector<const PairTokens*> asked;
        for (const size_t i : batch.items) asked.push_back(&items[i].tokens);
        const std::vector<WordStates> states = encoder_.states(asked, options_.batch_tokens);
        for (size_t n = 0; n < states.size(); ++n) {
            Item& item = items[batch.items[n]];
            sum += states[n].token_sum * static_cast<double>(item.times);
            tokens += states[n].tokens * item.times;
            bytes += states[n].vectors.numel() * states[n].vectors.element_size();
            if (keep && bytes <= options_.kept_bytes) item.vectors = states[n].vectors;
        }
        progress.advance(static_cast<int64_t>(batch.items.size()));
    }
    return sum / static_cast<double>(std::max<int64_t>(tokens, 1));
}

void TransportAligner::link(Item& item, const at::Tensor& mean) const {
    const PairTokens& tokens = item.tokens;
    const std::vector<int64_t> rows = readable_words(tokens, 0, tokens.first);
    const std::vector<int64_t> columns = readable_words(tokens, tokens.first, tokens.words.size());
    if (!item.alignment.problem.empty()) return;
    item.plan = {item.alignment.source.size(), item.alignment.candidate.size(), {}};
    item.plan.values.assign(item.plan.rows * item.plan.columns, 0);
    if (rows.empty() || columns.empty()) return;
    const at::Tensor vectors = item.vectors.to(at::kDouble) - mean;
    const WordMatrix cosines = cosines_of(vectors, rows, columns);
    const WordMatrix plan = alignment_plan(alignment_cost(cosines, options_.distortion), options_);
    for (size_t i = 0; i < plan.rows; ++i)
        for (size_t j = 0; j < plan.columns; ++j) {
            const size_t row = static_cast<size_t>(rows[i]), column = static_cast<size_t>(columns[j]) - tokens.first;
            item.plan.values[row * item.plan.columns + column] = plan.values[i * plan.columns + j];
        }
    const std::vector<std::pair<size_t, size_t>> links = alignment_links(plan, options_.threshold);
    for (const auto& [i, j] : links) {
        item.alignment.links.emplace_back(static_cast<size_t>(rows[i]), static_cast<size_t>(columns[j]) - tokens.first);
        item.alignment.similarity.push_back(cosines.values[i * cosines.columns + j]);
    }
    for (const auto& [i, j] : unlinked_in_one_place(plan.rows, plan.columns, links))
        item.alignment.unlinked.push_back({static_cast<size_t>(rows[i]), static_cast<size_t>(columns[j]) - tokens.first,
                                           cosines.values[i * cosines.columns + j]});
}

void TransportAligner::link_all(std::vector<Item>& items, bool keep_plans) const {
    const std::vector<Batch> batches = batches_of(items);
    at::Tensor mean = at::zeros({encoder_.hidden_size()}, at::kDouble);
    if (options_.centred) mean = options_.mean.empty() ? mean_of_items(items, batches, /*keep=*/true) : mean_tensor();
    Progress progress("aligning words", static_cast<int64_t>(items.size()), "pairs");
    for (const Batch& batch : batches) {
        throw_if_stopped();
        std::vector<const PairTokens*> asked;
        for (const size_t i : batch.items)
            if (!items[i].vectors.defined()) asked.push_back(&items[i].tokens);
        const std::vector<WordStates> states = encoder_.states(asked, options_.batch_tokens);
        auto next = states.begin();
        for (const size_t i : batch.items)
            if (!items[i].vectors.defined()) items[i].vectors = (next++)->vectors;
        at::parallel_for(0, static_cast<int64_t>(batch.items.size()), 1, [&](int64_t begin, int64_t end) {
            for (int64_t n = begin; n < end; ++n) link(items[batch.items[static_cast<size_t>(n)]], mean);
        });
        for (const size_t i : batch.items) {
            items[i].vectors.reset();
            if (!keep_plans) items[i].plan = {};
        }
        progress.advance(static_cast<int64_t>(batch.items.size()));
    }
}

std::vector<TransportedPair> TransportAligner::transport(const std::vector<WordPair>& pairs) {
    const std::lock_guard lock(one_at_a_time_);
    std::vector<size_t> item_of;
    std::vector<Item> items = distinct_items(pairs, item_of);
    link_all(items, /*keep_plans=*/true);
    std::vector<TransportedPair> all;
    for (const size_t i : item_of) all.push_back({items[i].alignment, items[i].plan});
    return all;
}

std::vector<WordAlignment> TransportAligner::align(const std::vector<WordPair>& pairs) {
    const std::lock_guard lock(one_at_a_time_);
    const bool keeps = !options_.centred || !options_.mean.empty();
    std::vector<size_t> item_of;
    std::vector<Item> items = distinct_items(pairs, item_of), missing;
    std::vector<size_t> missing_of(items.size(), 0);
    for (size_t i = 0; i < items.size(); ++i) {
        const auto found = keeps ? known_.find(key_of(items[i].alignment)) : known_.end();
        if (found != known_.end()) {
            items[i].alignment = found->second;
        } else {
            missing_of[missing.size()] = i;
            missing.push_back(std::move(items[i]));
        }
    }
    link_all(missing, /*keep_plans=*/false);
    for (size_t n = 0; n < missing.size(); ++n) {
        if (keeps && known_.size() < kMaxKnown) known_.try_emplace(key_of(missing[n].alignment), missing[n].alignment);
        items[missing_of[n]].alignment = std::move(missing[n].alignment);
    }
    std::vector<WordAlignment> all;
    for (const size_t i : item_of) all.push_back(items[i].alignment);
    return all;
}

std::vector<double> TransportAligner::mean_of(const std::vector<WordPair>& pairs) {
    const std::lock_guard lock(one_at_a_time_);
    std::vector<size_t> item_of;
    std::vector<Item> items = distinct_items(pairs, item_of);
    const at::Tensor mean = mean_of_items(items, batches_of(items), /*keep=*/false).contiguous();
    return {mean.const_data_ptr<double>(), mean.const_data_ptr<double>() + mean.numel()};
}

std::unique_ptr<TransportAligner> open_word_aligner(const std::filesystem::path& encoder, const WordAlignerOptions& options,
                                                    at::ScalarType dtype, const at::Device& device) {
    const auto tokenizer = open_tokenizer(encoder);
    return std::make_unique<TransportAligner>(Encoder::load(encoder, dtype, device), tokenizer, options);
}

}  // namespace craft
