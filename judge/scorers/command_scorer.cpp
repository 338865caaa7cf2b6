#include "judge/scorers/command_scorer.h"

namespace craft {

namespace {

// The length says where the first text ends, whatever stands in it.
std::string pair_key(const ScoredPair& pair) {
    return std::to_string(pair.source.size()) + ":" + pair.source + pair.hypothesis;
}

}  // namespace

std::vector<double> CommandScorer::score(const std::vector<ScoredPair>& pairs) {
    std::vector<std::string> keys, asked;
    std::vector<MetricItem> items;
    std::unordered_map<std::string, size_t> is_asked;
    for (const ScoredPair& pair : pairs) {
        keys.push_back(pair_key(pair));
        if (known_.contains(keys.back()) || !is_asked.try_emplace(keys.back(), items.size()).second) continue;
        items.push_back(
            {.id = std::to_string(++asked_), .source = pair.source, .prediction = pair.hypothesis, .references = {}});
        asked.push_back(keys.back());
    }
    if (!items.empty()) {
        ExternalScores answers = ask_external_scorer(name(), ask_, items, said_);
        for (size_t i = 0; i < asked.size(); ++i) known_[asked[i]] = answers.scores.at(i);
        answers.scores.clear();
        said_ = std::move(answers);
    }
    std::vector<double> values;
    for (const std::string& key : keys) values.push_back(known_.at(key));
    return values;
}

}  // namespace craft
