// `eval compare`: two results over the same items (docs/comparison.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/results/eval_result.h"
#include "metrics/statistics/paired.h"

namespace craft {

struct Comparison {
    std::string metric;
    PairedTest test = PairedTest::sign;
    bool higher_is_better = true;
    bool of_corpus = false;  // the corpus figure was made again for every resample; else it is the mean of items
    PairedResult result;
    int64_t wins = 0, ties = 0, losses = 0;    // items in which A is better, neither, B
    int64_t n = 0;                             // items that were compared
    int64_t left_out = 0;                      // items that have no figure on one side or both
    std::optional<double> corpus_a, corpus_b;  // what the results give for the whole corpus, which need be no mean
    std::optional<double> p_holm;              // p by Holm's correction, of one comparison among several
};

struct ComparisonOptions {
    PairedTest test = PairedTest::sign;
    std::optional<int64_t> resamples = {};      // absent: PairedOptions' default
    uint64_t seed = 1;                          // of the draws
    std::optional<bool> higher_is_better = {};  // absent: as the results say, or the figure's name (better_of())
    int64_t threads = 1;                        // that draw; they change no digit
};

// The figure `metric` of A against that of B; an empty one: the main figure of both. Throws Error if ids stand on one side
// only (how many, and some of them), if the results are of different scorers (scorer_of() the figure) or main figures, if no
// item has the figure, if nothing says whether more of it is better, or if items' "summands" do not fit together. Logs a
// warning where the corpus figure is no mean of items and they have none.
Comparison compare_results(const EvalResult& a, const EvalResult& b, const std::string& metric,
                           const ComparisonOptions& options);

// The same for several figures, each p also by Holm's correction. Throws Error also if one is named twice.
std::vector<Comparison> compare_figures(const EvalResult& a, const EvalResult& b, const std::vector<std::string>& metrics,
                                        const ComparisonOptions& options);

// {"metric","test","better","statistic","a","b","difference","interval","p","p_holm","wins","ties","losses","n","left_out",
// "resamples","a_better","b_better","share_b_better","corpus"}; what does not apply is absent.
Json to_json(const Comparison& comparison);
// One object, or of several {"correction","comparisons":[...]}.
Json to_json(const std::vector<Comparison>& comparisons);

std::string paired_test_name(PairedTest test);  // "sign", "bootstrap", "permutation"

}  // namespace craft
