// How good a correction is beside the gold one, by the edits that both make: what traces are chosen by for training.
#pragma once

#include <cstdint>
#include <string>

namespace craft {

// What a correction's worth begins with.
enum class CorrectionMetric { f05, gleu };

struct CorrectionScore {
    int64_t right = 0, wrong = 0, missed = 0;  // edits: of both, of the correction alone, of gold alone
    double f05 = 0;                            // 0-1; 1 where neither edits
    // f05, or the sentence's GLEU (smoothed, 0-1), less `penalty` for each wrong edit, so that among corrections that help
    // as much the one that leaves more alone is better, and one that only does harm is worse than the source.
    double value = 0;
};

// Edits are those of edits_between(); two are the same where they change the same place into the same words.
CorrectionScore score_correction(const std::string& source, const std::string& text, const std::string& gold,
                                 double penalty = .1, CorrectionMetric metric = CorrectionMetric::f05);

}  // namespace craft
