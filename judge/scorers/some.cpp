#include "judge/scorers/some.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/signals.h"
#include "judge/scorers/shared_batches.h"
#include "judge/scorers/whole_text.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr double kGrammaticalityWeight = 0.55, kFluencyWeight = 0.43, kMeaningWeight = 0.02;

Regressor open_regressor(const fs::path& folder, at::ScalarType dtype, const at::Device& device) {
    if (!fs::is_directory(folder)) throw Error(folder.string(), "the folder of a regressor of SOME", "none");
    return {Encoder::load(folder, dtype, device), open_tokenizer(folder)};
}

void check_regressor(const Regressor& regressor, const std::string& what, int64_t max_tokens, bool of_pairs) {
    const EncoderConfig& config = regressor.encoder.config();
    const std::string where = "SOME's regressor of " + what;
    if (!config.regression) throw Error(where, "a regression head (one label)", config.architecture + " without one");
    if (config.max_tokens() < max_tokens)
        throw Error(where, "at least " + std::to_string(max_tokens) + " positions", std::to_string(config.max_tokens()));
    if (regressor.tokenizer->vocabulary_size() > config.vocab_size)
        throw Error(where, "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(regressor.tokenizer->vocabulary_size()), "tokenizer and model are not of one folder");
    if (of_pairs && config.type_count < 2)
        throw Error(where, "a model that distinguishes two texts by token types (BERT)", config.architecture);
}

// What a regressor reads of a part, token ids and their types: the revision, after the text where it is one of pairs.
using Input = std::pair<std::vector<int64_t>, std::vector<int64_t>>;

// Each input once and in an order of its own, so that neither the order of the texts nor repetitions change what is computed
// beside what.
class Regression {
public:
    Regression(const Regressor& regressor, bool of_pairs, const SomeOptions& options)
        : regressor_(regressor), of_pairs_(of_pairs), options_(options) {}

    // Takes a part in, and says whether it was cut.
    bool add(const MeasuredPair& part) {
        const WholeText read = of_pairs_ ? read_pair(*regressor_.tokenizer, part.first, part.second, options_.max_tokens)
                                         : read_whole(*regressor_.tokenizer, part.second, options_.max_tokens);
        parts_.push_back(known_.try_emplace(Input{read.ids, read.types}, 0).first);
        return read.cut;
    }
    void compute(const std::string& what) {
        std::vector<Known::iterator> order;
        for (auto one = known_.begin(); one != known_.end(); ++one) order.push_back(one);
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& a, const auto& b) { return a->first.first.size() < b->first.first.size(); });
        SharedBatches all{.doing = "scoring " + what,
                          .unit = "texts",
                          .sizes = {},
                          .batch_tokens = options_.batch_tokens,
                          .ranks = *options_.ranks};
        for (const auto& one : order) all.sizes.push_back(static_cast<int64_t>(one->first.first.size()));
        const std::vector<double> scores = in_shared_batches(all, [&](size_t begin, size_t end) {
            std::vector<EncoderRow> rows;
            for (size_t i = begin; i < end; ++i)
                rows.push_back({.ids = order[i]->first.first, .types = order[i]->first.second});
            const at::Tensor of_rows =
                regressor_.encoder.scores(regressor_.encoder.hidden(rows)).to(at::kCPU, at::kDouble).contiguous();
            return std::vector<double>(of_rows.const_data_ptr<double>(), of_rows.const_data_ptr<double>() + rows.size());
        });
        for (size_t i = 0; i < scores.size(); ++i) {
            if (!std::isfinite(scores[i]))
                throw Error("SOME's regressor of " + what, "finite numbers", "others", "the weights are broken");
            order[i]->second = (scores[i] - 1) / 3;
        }
    }
    // Of parts [begin, end), in the order in which they came.
    double mean(size_t begin, size_t end) const {
        double sum = 0;
        for (size_t i = begin; i < end; ++i) sum += parts_[i]->second;
        return sum / static_cast<double>(end - begin);
    }

private:
    using Known = std::map<Input, double>;
    const Regressor& regressor_;
    bool of_pairs_;
    const SomeOptions& options_;
    Known known_;
    std::vector<Known::iterator> parts_;
};

}  // namespace

int64_t SomeRegressors::max_tokens() const {
    int64_t most = grammaticality.encoder.config().max_tokens();
    for (const auto& other : {fluency, meaning})
        if (other) most = std::min(most, other->encoder.config().max_tokens());
    return most;
}

SomeRegressors open_some(const fs::path& folder, bool grammaticality_alone, at::ScalarType dtype, const at::Device& device) {
    const bool is_spelled_out = fs::is_directory(folder / "grammaticality");
    SomeRegressors regressors{
        .grammaticality = open_regressor(folder / (is_spelled_out ? "grammaticality" : "grammer"), dtype, device),
        .fluency = {},
        .meaning = {}};
    if (grammaticality_alone) return regressors;
    regressors.fluency = open_regressor(folder / "fluency", dtype, device);
    regressors.meaning = open_regressor(folder / "meaning", dtype, device);
    return regressors;
}

SomeScorer::SomeScorer(SomeRegressors regressors, const SomeOptions& options)
    : regressors_(std::move(regressors)), options_(options) {
    check_regressor(regressors_.grammaticality, "grammaticality", options.max_tokens, false);
    if (options.grammaticality_alone) return;
    if (!regressors_.fluency || !regressors_.meaning)
        throw Error("SOME", "three regressors", "that of grammaticality alone");
    check_regressor(*regressors_.fluency, "fluency", options.max_tokens, false);
    check_regressor(*regressors_.meaning, "meaning", options.max_tokens, true);
}

std::vector<SomeFigures> SomeScorer::figures(const std::vector<ScoredPair>& pairs) const {
    Regression grammaticality(regressors_.grammaticality, false, options_);
    std::optional<Regression> fluency, meaning;
    if (!options_.grammaticality_alone) {
        fluency.emplace(*regressors_.fluency, false, options_);
        meaning.emplace(*regressors_.meaning, true, options_);
    }
    std::vector<SomeFigures> all(pairs.size());
    std::vector<size_t> begins = {0};
    for (size_t i = 0; i < pairs.size(); ++i) {
        throw_if_stopped();
        const auto parts = measured_pairs(pairs[i].source, pairs[i].hypothesis, options_.sentences);
        for (const MeasuredPair& part : parts)
            for (Regression* one : {&grammaticality, fluency ? &*fluency : nullptr, meaning ? &*meaning : nullptr})
                if (one != nullptr && one->add(part)) ++all[i].cut;
        begins.push_back(begins.back() + parts.size());
    }
    grammaticality.compute("grammaticality");
    if (fluency) fluency->compute("fluency");
    if (meaning) meaning->compute("meaning");
    for (size_t i = 0; i < pairs.size(); ++i) {
        SomeFigures& figures = all[i];
        figures.some = figures.grammaticality = grammaticality.mean(begins[i], begins[i + 1]);
        if (options_.grammaticality_alone) continue;
        figures.fluency = fluency->mean(begins[i], begins[i + 1]);
        figures.meaning = meaning->mean(begins[i], begins[i + 1]);
        figures.some = kGrammaticalityWeight * figures.grammaticality + kFluencyWeight * *figures.fluency +
                       kMeaningWeight * *figures.meaning;
    }
    return all;
}

std::vector<double> SomeScorer::score(const std::vector<ScoredPair>& pairs) {
    std::vector<double> values;
    for (const SomeFigures& one : figures(pairs)) values.push_back(one.some);
    return values;
}

}  // namespace craft
