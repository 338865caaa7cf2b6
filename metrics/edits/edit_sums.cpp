#include "metrics/edits/edit_sums.h"

#include "core/error.h"
#include "metrics/edits/edit_results.h"

namespace craft {

namespace {

struct PrecisionRecall {
    double precision = 0, recall = 0, f = 0;
};

PrecisionRecall figures_of_sums(bool m2, double beta, std::span<const double> sums) {
    const auto first = static_cast<int64_t>(sums[0]), second = static_cast<int64_t>(sums[1]),
               third = static_cast<int64_t>(sums[2]);
    if (m2) {
        const M2Scores scores = m2_scores({first, second, third}, beta);
        return {scores.precision, scores.recall, scores.f};
    }
    const EditScores scores = edit_scores({first, second, third}, beta);
    return {scores.precision, scores.recall, scores.f};
}

}  // namespace

std::unique_ptr<CorpusSums> edit_sums(const std::string& metric, double beta, const std::string& figure,
                                      const std::vector<std::vector<int64_t>>& sentences, const std::string& where) {
    const bool m2 = metric == "m2";
    if (!m2 && metric != "errant") return nullptr;
    double PrecisionRecall::*which = nullptr;
    if (figure == "precision") which = &PrecisionRecall::precision;
    if (figure == "recall") which = &PrecisionRecall::recall;
    if (figure == f_name(beta)) which = &PrecisionRecall::f;
    if (which == nullptr) return nullptr;
    for (const std::vector<int64_t>& counts : sentences)
        if (counts.size() != 3)
            throw Error(where + ": field 'summands'", "3 numbers per item", std::to_string(counts.size()));
    return std::make_unique<CountSums>(
        sentences, [m2, beta, which](std::span<const double> sums) { return figures_of_sums(m2, beta, sums).*which; });
}

}  // namespace craft
