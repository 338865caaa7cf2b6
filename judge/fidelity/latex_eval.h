// `eval latex`: LaTeX that survives a revision, and revisions that still compile (CRAFT §7, App. D.8).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/fidelity/keyword_preservation.h"
#include "judge/fidelity/latex_compile.h"

namespace craft {

struct LatexEvaluation {
    PreservationEvaluation preservation;          // paragraphs with at least two occurrences of keywords count
    bool compiles = false;                        // whether there is a program that compiles
    std::vector<std::optional<int64_t>> errors;   // of each item's revision; absent where it gave none
    std::map<std::string, int64_t> not_compiled;  // by LatexOutcome::problem
    std::optional<double> mean_errors;            // AvgCE, over the counted items that have a log
    int64_t with_errors = 0;                      // these items
};

// By this many threads, each of which compiles a revision at a time; they change no figure. Without the program nothing is
// compiled and errors are absent. Throws Error as compile_latex() does.
LatexEvaluation evaluate_latex(const TextPairs& texts, const LatexOptions& options, int64_t threads = 1);

// As of PreservationEvaluation; items also have "errors", the corpus "errors" (AvgCE), "errors_of" (how many items' mean it
// is), "compiled" (all that have a log, also those that do not count) and "not_compiled". Null where there is none.
Json to_json(const LatexEvaluation& evaluation);

}  // namespace craft
