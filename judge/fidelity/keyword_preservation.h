// How much of what a text must keep is still there in its revision (CRAFT §7, App. B, Figs. 6 and 9).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "judge/fidelity/text_pairs.h"

namespace craft {

// Occurrences of a text's keywords, and how many of them its revision has: of each keyword at most as many as the text.
struct KeywordPreservation {
    int64_t occurrences = 0, kept = 0;
    std::optional<double> share() const;  // 0-1; absent without occurrences
};

// `keywords` are those of the original, each once. What counts as an occurrence says WholeParts::count()
// (text/whole_words.h): within a longer keyword a shorter one is none, in original and revision alike.
KeywordPreservation keyword_preservation(std::string_view original, std::string_view revision,
                                         const std::vector<std::string>& keywords);

// What of a text must be kept, each once: names, or latex_keywords() (text/latex.h).
using KeywordFinder = std::function<std::vector<std::string>(const std::string&)>;

struct PreservationItem {
    std::string id;
    int64_t keywords = 0;  // different ones
    KeywordPreservation preservation;
    bool is_counted = false;  // in means and histogram: it has occurrences enough
};

struct PreservationEvaluation {
    std::vector<PreservationItem> items;  // those with a revision, in the order of the originals
    int64_t missing = 0;                  // originals without one
    int64_t empty_outputs = 0;            // revisions that hold nothing
    int64_t counted = 0;                  // items with as many occurrences as asked for; the figures are of them
    std::optional<double> preserved;      // mean of their shares; absent without any
    std::array<int64_t, 10> histogram{};  // they by share: [0, .1), ..., [.9, 1], compared as whole numbers
};

// `at_least` occurrences make an item count: two for LaTeX (CRAFT App. D.8), one for names.
PreservationEvaluation evaluate_preservation(const TextPairs& texts, const KeywordFinder& find, int64_t at_least);

// {"corpus":{"preserved","items","counted","missing","empty_outputs","histogram"},
// "items":[{"id","preserved","kept","occurrences","keywords","counted"}...]}; preserved is null where there is nothing to
// preserve.
Json to_json(const PreservationEvaluation& evaluation);

}  // namespace craft
