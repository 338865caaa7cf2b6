#include "judge/scorers/bertscore.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/signals.h"
#include "judge/scorers/shared_batches.h"
#include "model/kernels/packed_batch.h"
#include "text/utf8.h"

namespace craft {

namespace {

// What stands for a figure that is not there among numbers, all of which are finite.
constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// The mean of the best matches of a text's tokens; absent where they all weigh nothing.
std::optional<double> weighted_mean(const at::Tensor& best, const std::vector<double>& weights) {
    const at::Tensor values = best.to(at::kCPU, at::kDouble).contiguous();
    const double* next = values.const_data_ptr<double>();
    double sum = 0, total = 0;
    for (const double weight : weights) {
        sum += weight * *next++;
        total += weight;
    }
    if (!std::isfinite(sum)) throw Error("bertscore", "finite states of the encoder", "others", "the weights are broken");
    if (total == 0) return std::nullopt;
    return sum / total;
}

std::optional<double> f1_of(const std::optional<double>& precision, const std::optional<double>& recall) {
    if (!precision || !recall) return std::nullopt;
    const double sum = *precision + *recall;
    return sum == 0 ? 0 : 2 * *precision * *recall / sum;
}

void keep_best(std::optional<double>& best, const std::optional<double>& value) {
    if (value && (!best || *value > *best)) best = value;
}

void rescale(std::optional<double>& figure, double base) {
    if (figure) figure = (*figure - base) / (1 - base);
}

}  // namespace

BertScorer::BertScorer(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, const BertScoreOptions& options)
    : encoder_(std::move(encoder)),
      tokenizer_(std::move(tokenizer)),
      options_(options),
      leading_(tokenizer_->leading_tokens()),
      trailing_(tokenizer_->trailing_tokens()) {
    const EncoderConfig& config = encoder_.config();
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error("bertscore", "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    const auto around = static_cast<int64_t>(leading_.size() + trailing_.size());
    if (around == 0)
        throw Error("bertscore", "a tokenizer that adds tokens around a text, as BERT's does", "one that adds none");
    if (config.max_tokens() <= around)
        throw Error("bertscore", "a model with room for a text", std::to_string(config.max_tokens()) + " positions");
}

// RoBERTa's tokens know whether a blank stands before them: a text's first word is read like all others.
WholeText BertScorer::read(const std::string& text) const {
    const EncoderConfig& config = encoder_.config();
    const bool begins_with_blank = !text.empty() && config.architecture.starts_with("Roberta");
    return read_whole(*tokenizer_, begins_with_blank ? " " + text : text, config.max_tokens());
}

std::vector<BertScorer::Item> BertScorer::read_items(const std::vector<BertScoreTexts>& items,
                                                     std::unordered_map<std::string, WholeText>& texts) const {
    const auto known = [&](const std::string& text) {
        const auto [place, is_new] = texts.try_emplace(trim(text));
        if (is_new) place->second = read(place->first);
        return &place->second;
    };
    std::vector<Item> all;
    for (const BertScoreTexts& item : items) {
        throw_if_stopped();
        Item& one = all.emplace_back();
        one.prediction = known(item.prediction);
        for (const std::string& reference : item.references) one.references.push_back(known(reference));
    }
    return all;
}

// Without document frequencies the tokens around a text weigh 0 and all others 1. With them a token weighs log((N + 1) / (n
// + 1)), where n of N documents have it.
BertScorer::Weights BertScorer::document_weights(const std::vector<std::string>& documents) const {
    Weights weights;
    if (!options_.idf) {
        for (const auto* around : {&leading_, &trailing_})
            for (const int64_t id : *around) weights.by_token[id] = 0;
        return weights;
    }
    for (const std::string& document : documents) {
        const std::vector<int64_t> ids = read(trim(document)).ids;
        for (const int64_t id : std::set<int64_t>(ids.begin(), ids.end())) ++weights.by_token[id];
    }
    const auto count = static_cast<double>(documents.size());
    for (auto& [id, weight] : weights.by_token) weight = std::log((count + 1) / (weight + 1));
    weights.other = std::log(count + 1);
    return weights;
}

// The states of all texts of a group of items, normed to length 1. Equal texts are computed once; which texts are computed
// beside each other depends on what they are, not on their order.
BertScorer::States BertScorer::states_of(const std::vector<Item>& items, const std::vector<size_t>& group) const {
    std::set<const WholeText*> distinct;
    for (const size_t i : group) {
        distinct.insert(items[i].prediction);
        distinct.insert(items[i].references.begin(), items[i].references.end());
    }
    std::vector<const WholeText*> texts(distinct.begin(), distinct.end());
    std::sort(texts.begin(), texts.end(), [](const WholeText* a, const WholeText* b) {
        return a->ids.size() != b->ids.size() ? a->ids.size() < b->ids.size() : a->ids < b->ids;
    });
    std::vector<int64_t> sizes;
    for (const WholeText* text : texts) sizes.push_back(static_cast<int64_t>(text->ids.size()));
    States states;
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(options_.batch_tokens, sizes.back()))) {
        throw_if_stopped();
        std::vector<EncoderRow> rows;
        for (size_t i = begin; i < end; ++i) rows.push_back({.ids = texts[i]->ids});
        const std::vector<at::Tensor> hidden = encoder_.hidden(rows);
        for (size_t i = begin; i < end; ++i) {
            const at::Tensor state = hidden[i - begin].to(at::kFloat);
            states[texts[i]] = state / state.norm(2, 1, /*keepdim=*/true);
        }
    }
    return states;
}

BertScoreFigures BertScorer::counts_of(const Item& item) {
    BertScoreFigures figures;
    figures.prediction_cut = item.prediction->cut;
    figures.prediction_empty = item.prediction->empty;
    for (const WholeText* reference : item.references) {
        figures.references_cut += reference->cut ? 1 : 0;
        figures.references_empty += reference->empty ? 1 : 0;
    }
    return figures;
}

BertScorer::Matches BertScorer::best_matches(const Item& item, const States& states, const Weights& weights) const {
    const auto weights_of = [&](const WholeText& text) {
        std::vector<double> all;
        for (const int64_t id : text.ids) {
            const auto found = weights.by_token.find(id);
            all.push_back(found == weights.by_token.end() ? weights.other : found->second);
        }
        return all;
    };
    std::optional<double> best_precision, best_recall, best_f1;
    const WholeText& prediction = *item.prediction;
    const std::vector<double> own_weights = weights_of(prediction);
    for (const WholeText* reference : item.references) {
        const at::Tensor similarity = at::mm(states.at(&prediction), states.at(reference).t());
        std::optional<double> precision = weighted_mean(similarity.amax(1), own_weights);
        std::optional<double> recall = weighted_mean(similarity.amax(0), weights_of(*reference));
        if (prediction.empty || reference->empty) precision = recall = 0;
        keep_best(best_precision, precision);
        keep_best(best_recall, recall);
        keep_best(best_f1, f1_of(precision, recall));
    }
    if (options_.baseline) {
        rescale(best_precision, options_.baseline->precision);
        rescale(best_recall, options_.baseline->recall);
        rescale(best_f1, options_.baseline->f1);
    }
    return {best_precision, best_recall, best_f1};
}

std::vector<BertScoreFigures> BertScorer::score(const std::vector<BertScoreTexts>& items) const {
    std::vector<std::string> documents = options_.documents;
    if (options_.idf && documents.empty())
        for (const BertScoreTexts& item : items)
            documents.insert(documents.end(), item.references.begin(), item.references.end());
    std::unordered_map<std::string, WholeText> texts;  // its elements stay where they are
    const std::vector<Item> all = read_items(items, texts);
    const Weights weights = document_weights(documents);
    // Items in an order that only their tokens decide, so that each stands in the same group in any file.
    std::vector<std::vector<std::vector<int64_t>>> keys;
    for (const Item& item : all) {
        std::vector<std::vector<int64_t>> key;
        for (const WholeText* reference : item.references) key.push_back(reference->ids);
        std::sort(key.begin(), key.end());
        key.insert(key.begin(), item.prediction->ids);
        keys.push_back(std::move(key));
    }
    std::vector<size_t> order(all.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });

    SharedBatches groups{.doing = "embedding",
                         .unit = "items",
                         .sizes = {},
                         .batch_tokens = options_.group_tokens,
                         .width = 3,
                         .ranks = *options_.ranks};
    for (const size_t i : order) {
        int64_t tokens = 0;
        for (const auto& ids : keys[i]) tokens += static_cast<int64_t>(ids.size());
        groups.sizes.push_back(tokens);
    }
    const std::vector<double> numbers = in_shared_batches(groups, [&](size_t begin, size_t end) {
        const std::vector<size_t> group(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                        order.begin() + static_cast<std::ptrdiff_t>(end));
        const States states = states_of(all, group);
        std::vector<double> of_group;
        for (const size_t i : group)
            for (const std::optional<double>& figure : best_matches(all[i], states, weights))
                of_group.push_back(figure.value_or(kAbsent));
        return of_group;
    });
    std::vector<BertScoreFigures> figures;
    for (const Item& item : all) figures.push_back(counts_of(item));
    for (size_t i = 0; i < order.size(); ++i) {
        BertScoreFigures& one = figures[order[i]];
        size_t next = 3 * i;
        for (std::optional<double>* figure : {&one.precision, &one.recall, &one.f1})
            if (const double number = numbers[next++]; !std::isnan(number)) *figure = number;
    }
    return figures;
}

std::vector<double> BertScoreOfPairs::score(const std::vector<ScoredPair>& pairs) {
    std::vector<BertScoreTexts> texts;
    for (const ScoredPair& pair : pairs) texts.push_back({pair.hypothesis, {pair.source}});
    std::vector<double> values;
    for (const BertScoreFigures& figures : scorer_.score(texts)) values.push_back(figures.f1.value_or(0));
    return values;
}

}  // namespace craft
