#include "judge/scorers/bartscore.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/progress.h"
#include "core/signals.h"
#include "judge/scorers/whole_text.h"
#include "model/kernels/packed_batch.h"

namespace craft {

namespace {

// What is computed beside what depends on the rows alone: they stand in an order of their own, each once.
using PairOfIds = std::pair<std::vector<int64_t>, std::vector<int64_t>>;

int64_t tokens_of(const PairOfIds& pair) {
    return static_cast<int64_t>(pair.first.size() + pair.second.size());
}

}  // namespace

BartScorer::BartScorer(Seq2Seq model, std::shared_ptr<const Tokenizer> tokenizer, const BartScoreOptions& options)
    : model_(std::move(model)), tokenizer_(std::move(tokenizer)), options_(options) {
    const EncoderConfig& config = model_.config().encoder;
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error("bartscore", "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    if (read_whole(*tokenizer_, "", config.most_tokens()).ids.empty())
        throw Error("bartscore", "a tokenizer that puts tokens around a text, as BART's does", "one that puts none");
}

std::vector<double> BartScorer::means(const std::vector<Seq2SeqRow>& rows) const {
    std::vector<double> values;
    for (const at::Tensor& logprobs : model_.target_logprobs(rows)) {
        values.push_back(logprobs.to(at::kDouble).mean().item<double>());
        if (!std::isfinite(values.back()))
            throw Error("bartscore", "finite log-probabilities", "others", "the weights are broken");
    }
    return values;
}

std::vector<BartScoreFigure> BartScorer::figures(const std::vector<ScoredPair>& pairs) const {
    const int64_t most = model_.config().encoder.most_tokens();
    std::map<PairOfIds, double> known;
    std::vector<std::vector<PairOfIds>> parts;
    std::vector<BartScoreFigure> all(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
        throw_if_stopped();
        parts.emplace_back();
        for (const MeasuredPair& part : measured_pairs(pairs[i].source, pairs[i].hypothesis, options_.sentences)) {
            const WholeText source = read_whole(*tokenizer_, part.first, most);
            const WholeText target = read_whole(*tokenizer_, part.second, most);
            all[i].cut += (source.cut ? 1 : 0) + (target.cut ? 1 : 0);
            parts.back().emplace_back(source.ids, target.ids);
            known.emplace(parts.back().back(), 0);
        }
    }
    std::vector<std::map<PairOfIds, double>::value_type*> order;
    for (auto& one : known) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return tokens_of(a->first) < tokens_of(b->first); });
    std::vector<int64_t> sizes;
    for (const auto* one : order) sizes.push_back(tokens_of(one->first));
    const int64_t largest = sizes.empty() ? 0 : sizes.back();
    Progress progress("scoring", static_cast<int64_t>(order.size()), "texts");
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(options_.batch_tokens, largest))) {
        throw_if_stopped();
        std::vector<Seq2SeqRow> rows;
        for (size_t i = begin; i < end; ++i)
            rows.push_back({.source = {.ids = order[i]->first.first}, .target = order[i]->first.second});
        const std::vector<double> values = means(rows);
        for (size_t i = begin; i < end; ++i) order[i]->second = values[i - begin];
        progress.advance(static_cast<int64_t>(end - begin));
    }
    for (size_t i = 0; i < pairs.size(); ++i) {
        double sum = 0;
        for (const PairOfIds& part : parts[i]) sum += known.at(part);
        all[i].value = sum / static_cast<double>(parts[i].size());
    }
    return all;
}

std::vector<double> BartScorer::score(const std::vector<ScoredPair>& pairs) {
    std::vector<double> values;
    for (const BartScoreFigure& figure : figures(pairs)) values.push_back(figure.value);
    return values;
}

}  // namespace craft
