#include "judge/fidelity/stripped_pairs.h"

#include <stdexcept>

#include "text/latex_text.h"

namespace craft {

StrippedPairs strip_pairs(const TextPairs& texts, const PreservationEvaluation& preservation) {
    if (texts.pairs.size() != preservation.items.size()) throw std::logic_error("strip_pairs: the same texts");
    StrippedPairs stripped;
    for (size_t i = 0; i < texts.pairs.size(); ++i) {
        const TextPair& pair = texts.pairs[i];
        if (preservation.items[i].id != pair.id) throw std::logic_error("strip_pairs: the same texts");
        if (!preservation.items[i].is_counted) {
            ++stripped.not_counted;
            continue;
        }
        const LatexText source = latex_text(pair.original), prediction = latex_text(pair.revision);
        for (const auto& [kind, count] : source.dropped) stripped.sources[kind] += count;
        for (const auto& [kind, count] : prediction.dropped) stripped.predictions[kind] += count;
        stripped.empty += prediction.text.empty() ? 1 : 0;
        stripped.rows.push_back({{"id", pair.id}, {"source", source.text}, {"prediction", prediction.text}});
    }
    return stripped;
}

Json to_json(const StrippedPairs& stripped) {
    return {{"rows", stripped.rows.size()},
            {"not_counted", stripped.not_counted},
            {"empty", stripped.empty},
            {"source", stripped.sources},
            {"prediction", stripped.predictions}};
}

}  // namespace craft
