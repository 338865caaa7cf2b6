// The benchmark's figures: of every data set and prompt every metric, then over prompts and data sets (EditEval §7).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "eval/editeval/datasets.h"
#include "eval/editeval/normaliser.h"
#include "eval/editeval/predictions.h"
#include "metrics/registry.h"

namespace craft {

// Figures in a fixed order, by the names that results have: "sari", "rouge1". Absent: nothing was there to measure.
using EditFigures = std::vector<std::pair<std::string, std::optional<double>>>;

// A metric as the benchmark uses it.
struct EditMetric {
    std::string name;                  // of the registry (metrics/registry.h)
    MetricOptions options = {};        // the benchmark's tokens
    std::vector<std::string> figures;  // keys of its corpus figures that stand in results
};
const std::vector<EditMetric>& edit_metrics();
// What stands beside SARI in the paper's Table 3: "gleu", "exact_match", "update_rouge1", or empty.
std::string second_figure(EditTask task);

struct PromptScores {
    std::string prompt;
    int64_t items = 0, missing = 0;  // that were measured; without a prediction, and left out
    int64_t empty = 0;               // of those that were measured: predictions of white space alone
    EditFigures figures;
    EditFigures copy = {};  // the copy baseline of the same items, where some are missing; else empty: it is the data set's
};

struct DatasetScores {
    const EditDataset* dataset = nullptr;
    int64_t count = 0;
    std::vector<PromptScores> prompts;
    EditFigures copy;                                      // the baseline that returns its input, of all items
    std::optional<int64_t> expected_count = std::nullopt;  // of the splits that were read, as they are published
    int64_t missing() const;  // predictions, over all prompts; all items where there is no prompt
    int64_t empty() const;    // likewise, predictions of white space alone
};

// A metric that is none of edit_metrics(), since it needs a model.
struct AddedEditMetric {
    std::string name;
    std::vector<std::string> figures;               // as for EditMetric
    std::function<std::unique_ptr<Metric>()> make;  // called for each data set and prompt, by one thread
};

struct ScoreOptions {
    std::vector<std::string> metrics;  // of edit_metrics() and of the added ones; empty: all
    int64_t threads = 1;               // that measure; no figure depends on it
    std::vector<AddedEditMetric> added = {};
};

// `items` are prepared ones (EditNormaliser::prepared). `on_prompt` hears of each prompt as it is done. Throws Error as
// metrics do, and Stopped between prompts.
DatasetScores score_dataset(const EditDataset& dataset, const std::vector<EditItem>& items,
                            const std::vector<std::string>& prompts, const EditPredictions& predictions,
                            const EditNormaliser& normaliser, const ScoreOptions& options,
                            const std::function<void(const PromptScores&)>& on_prompt = nullptr);

Json figures_json(const EditFigures& figures);  // {name: value or null}
// {"task","abbreviation","count","expected_count","prompts":[{"prompt","items","missing","empty_predictions","metrics"}…],
// "missing","empty_predictions","mean","max","min","cv"}, the last four by metric, over the prompts that have a figure. A
// prompt with missing predictions also has "copy".
Json to_json(const DatasetScores& scores);
// {"datasets","mean","max","min","cv"}: means over the data sets that anything was predicted for, and how many (Table 2).
Json overall_of(const std::vector<DatasetScores>& scores);
// One line a data set, for people: SARI and the second figure, as mean (max, min), beside the copy baseline, which is of the
// same items: where predictions are missing, the mean over prompts. What is missing ends the line. Then SARI over all.
std::string score_table(const std::vector<DatasetScores>& scores);

}  // namespace craft
