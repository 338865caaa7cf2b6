#include "judge/scorers/bartscore.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/signals.h"
#include "judge/scorers/shared_batches.h"
#include "judge/scorers/whole_text.h"

namespace craft {

std::string bartscore_direction_name(BartScoreDirection direction) {
    switch (direction) {
        case BartScoreDirection::backward:
            return "backward";
        case BartScoreDirection::f:
            return "f";
        default:
            return "forward";
    }
}

BartScorer::BartScorer(Seq2Seq model, std::shared_ptr<const Tokenizer> tokenizer, const BartScoreOptions& options)
    : model_(std::move(model)), tokenizer_(std::move(tokenizer)), options_(options) {
    const EncoderConfig& config = model_.config().encoder;
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error("bartscore", "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    if (read_whole(*tokenizer_, "", config.max_tokens()).ids.empty())
        throw Error("bartscore", "a tokenizer that adds tokens around a text, as BART's does", "one that adds none");
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

BartScorer::Parts BartScorer::read(const ScoredPair& pair, Known& known, int64_t& cut) const {
    const int64_t most = model_.config().encoder.max_tokens();
    Parts parts;
    for (const MeasuredPair& part : measured_pairs(pair.source, pair.hypothesis, options_.sentences)) {
        const WholeText text = read_whole(*tokenizer_, part.first, most);
        const WholeText revision = read_whole(*tokenizer_, part.second, most);
        cut += (text.cut ? 1 : 0) + (revision.cut ? 1 : 0);
        if (options_.direction != BartScoreDirection::backward)
            parts.forward.push_back(known.try_emplace({text.ids, revision.ids}, 0).first);
        if (options_.direction != BartScoreDirection::forward)
            parts.backward.push_back(known.try_emplace({revision.ids, text.ids}, 0).first);
    }
    return parts;
}

// What is computed beside what depends on the rows alone: they stand in an order of their own, each once.
void BartScorer::compute(Known& known) const {
    const auto tokens_of = [](const Known::value_type& row) {
        return static_cast<int64_t>(row.first.first.size() + row.first.second.size());
    };
    std::vector<Known::value_type*> order;
    for (auto& one : known) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto* a, const auto* b) { return tokens_of(*a) < tokens_of(*b); });
    SharedBatches all{
        .doing = "scoring", .unit = "texts", .sizes = {}, .batch_tokens = options_.batch_tokens, .ranks = *options_.ranks};
    for (const auto* one : order) all.sizes.push_back(tokens_of(*one));
    const std::vector<double> values = in_shared_batches(all, [&](size_t begin, size_t end) {
        std::vector<Seq2SeqRow> rows;
        for (size_t i = begin; i < end; ++i)
            rows.push_back({.source = {.ids = order[i]->first.first}, .target = order[i]->first.second});
        return means(rows);
    });
    for (size_t i = 0; i < values.size(); ++i) order[i]->second = values[i];
}

std::vector<BartScoreFigure> BartScorer::figures(const std::vector<ScoredPair>& pairs) const {
    Known known;
    std::vector<Parts> parts;
    std::vector<BartScoreFigure> all(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
        throw_if_stopped();
        parts.push_back(read(pairs[i], known, all[i].cut));
    }
    compute(known);
    const auto mean = [](const std::vector<Known::iterator>& rows) -> std::optional<double> {
        if (rows.empty()) return std::nullopt;
        double sum = 0;
        for (const auto& row : rows) sum += row->second;
        return sum / static_cast<double>(rows.size());
    };
    for (size_t i = 0; i < pairs.size(); ++i) {
        BartScoreFigure& figure = all[i];
        figure.forward = mean(parts[i].forward);
        figure.backward = mean(parts[i].backward);
        if (figure.forward && figure.backward)
            figure.value = (*figure.forward + *figure.backward) / 2;
        else
            figure.value = figure.forward ? *figure.forward : figure.backward.value();
    }
    return all;
}

std::string BartScorer::name() const {
    const bool is_plain = options_.direction == BartScoreDirection::forward;
    return is_plain ? "bartscore" : "bartscore_" + bartscore_direction_name(options_.direction);
}

std::vector<double> BartScorer::score(const std::vector<ScoredPair>& pairs) {
    std::vector<double> values;
    for (const BartScoreFigure& figure : figures(pairs)) values.push_back(figure.value);
    return values;
}

}  // namespace craft
