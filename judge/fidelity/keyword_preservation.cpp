#include "judge/fidelity/keyword_preservation.h"

#include <algorithm>

#include "core/signals.h"
#include "text/whole_words.h"

namespace craft {

std::optional<double> KeywordPreservation::share() const {
    if (occurrences == 0) return std::nullopt;
    return static_cast<double>(kept) / static_cast<double>(occurrences);
}

KeywordPreservation keyword_preservation(std::string_view original, std::string_view revision,
                                         const std::vector<std::string>& keywords) {
    KeywordPreservation found;
    const WholeParts parts(keywords);
    const std::vector<int64_t> before = parts.count(original), after = parts.count(revision);
    for (size_t i = 0; i < keywords.size(); ++i) {
        found.occurrences += before[i];
        found.kept += std::min(before[i], after[i]);
    }
    return found;
}

PreservationEvaluation evaluate_preservation(const TextPairs& texts, const KeywordFinder& find, int64_t at_least) {
    PreservationEvaluation evaluation;
    evaluation.missing = texts.missing;
    evaluation.empty_outputs = empty_revisions(texts);
    double sum = 0;
    for (const TextPair& pair : texts.pairs) {
        throw_if_stopped();
        const std::vector<std::string> keywords = find(pair.original);
        const KeywordPreservation found = keyword_preservation(pair.original, pair.revision, keywords);
        const bool is_counted = found.occurrences >= std::max<int64_t>(1, at_least);
        evaluation.items.push_back({pair.id, static_cast<int64_t>(keywords.size()), found, is_counted});
        if (!is_counted) continue;
        ++evaluation.counted;
        sum += *found.share();
        // In whole numbers, so that .3 is in [.3, .4) whatever a division makes of it.
        ++evaluation.histogram[static_cast<size_t>(std::min<int64_t>(9, found.kept * 10 / found.occurrences))];
    }
    if (evaluation.counted > 0) evaluation.preserved = sum / static_cast<double>(evaluation.counted);
    return evaluation;
}

Json to_json(const PreservationEvaluation& evaluation) {
    Json items = Json::array();
    for (const PreservationItem& item : evaluation.items)
        items.push_back({{"id", item.id},
                         {"preserved", value_or_null(item.preservation.share())},
                         {"kept", item.preservation.kept},
                         {"occurrences", item.preservation.occurrences},
                         {"keywords", item.keywords},
                         {"counted", item.is_counted}});
    return {{"corpus",
             {{"preserved", value_or_null(evaluation.preserved)},
              {"items", evaluation.items.size()},
              {"counted", evaluation.counted},
              {"missing", evaluation.missing},
              {"empty_outputs", evaluation.empty_outputs},
              {"histogram", evaluation.histogram}}},
            {"items", std::move(items)}};
}

}  // namespace craft
