// How the mean of GLEU over all choices of references is found: one by one, by an expansion, or by drawing choices.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "metrics/gleu_expansion.h"

namespace craft {

enum class ExactGleuWay {
    enumerated,  // every choice is scored
    expansion,   // from the counts' means and covariances (metrics/gleu_expansion.h)
    sampled      // choices are drawn, where they are too many to score and their sums too small for the expansion
};
std::string exact_gleu_name(ExactGleuWay way);  // "enumerated" ...

struct ExactGleuPlan {
    ExactGleuWay way = ExactGleuWay::enumerated;
    int64_t choices = 1;  // that are scored; 0 with the expansion
};

// Of each item what its references are counted as, one at least.
using GleuItemRows = std::vector<std::span<const GleuVariables>>;

constexpr int64_t kMostGleuChoices = int64_t{1} << 20;     // that are scored one by one, in some tenths of a second
constexpr int64_t kMostSampledChoices = int64_t{1} << 18;  // the standard error is the choices' deviation / 512

// The expansion is taken where it is sure to be good: a corpus figure is 0 where a sum of matches is 0, which has a chance
// below 1e-9 then, and no sum varies by more than a tenth of its mean, so that terms beyond the second order are below 1e-4
// of the figure. Does not hang on the order of the items.
ExactGleuPlan plan_exact_gleu(const GleuItemRows& items);

// Calls on_draw(the number of each item's reference) for that many random choices, each as likely. Items are drawn for in an
// order of their counts, so that the figures do not hang on the order in which they are given here.
void sample_gleu_choices(const GleuItemRows& items, int64_t choices,
                         const std::function<void(std::span<const uint32_t>)>& on_draw);

}  // namespace craft
