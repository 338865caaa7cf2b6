#include "gec/trace_score.h"

#include <algorithm>

#include "gec/sentence_edit.h"
#include "gec/sentence_words.h"
#include "metrics/gleu.h"
#include "text/lists.h"

namespace craft {

namespace {

// Over the words that edits are made of, so that raw text and tokenised text are worth the same.
double gleu_of(const std::string& source, const std::string& text, const std::string& gold) {
    const auto apart = [](const std::string& sentence) {
        const auto words = sentence_words(sentence);
        return join(std::vector<std::string>(words.begin(), words.end()), " ");
    };
    return gleu(gleu_counts(apart(source), apart(text), {apart(gold)}).at(0), /*smooth=*/true);
}

}  // namespace

CorrectionScore score_correction(const std::string& source, const std::string& text, const std::string& gold, double penalty,
                                 CorrectionMetric metric) {
    const std::vector<SentenceEdit> made = edits_between(source, text), wanted = edits_between(source, gold);
    CorrectionScore score;
    for (const SentenceEdit& edit : made) {
        const bool is_right = std::any_of(wanted.begin(), wanted.end(), [&](const SentenceEdit& one) {
            return one.start == edit.start && one.end == edit.end && one.to == edit.to;
        });
        ++(is_right ? score.right : score.wrong);
    }
    score.missed = static_cast<int64_t>(wanted.size()) - score.right;
    // F = 1.25 P R / (.25 P + R) = 1.25 right / (1.25 right + .25 missed + wrong)
    const double right = 1.25 * static_cast<double>(score.right);
    const double all = right + .25 * static_cast<double>(score.missed) + static_cast<double>(score.wrong);
    score.f05 = all > 0 ? right / all : 1;
    score.value = (metric == CorrectionMetric::f05 ? score.f05 : gleu_of(source, text, gold)) -
                  penalty * static_cast<double>(score.wrong);
    return score;
}

}  // namespace craft
