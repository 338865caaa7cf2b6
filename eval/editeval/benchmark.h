// One run of the benchmark: a system is asked, or predictions are read, and what comes of it is measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/partial_rows.h"
#include "core/run_folder.h"
#include "eval/editeval/asking.h"
#include "eval/editeval/datasets.h"
#include "eval/editeval/normaliser.h"
#include "eval/editeval/predictions.h"
#include "eval/editeval/scores.h"
#include "systems/asked_rows.h"

namespace craft {

struct EditBenchmarkOptions {
    std::filesystem::path data;                  // the folder of the data sets
    std::string system;                          // who is asked; empty: nobody
    std::string predictions;                     // a file of them, instead of a system
    std::vector<std::string> tasks;              // empty: all
    std::vector<std::string> datasets;           // empty: all
    std::vector<std::string> splits = {"test"};  // that of the paper's Table 3
    int64_t items = 0;                           // of each data set, drawn by seed; 0: all
    std::filesystem::path prompts;               // empty: those that ship
    EditAsking asking;
    std::string normalize = "treebank";
    EditNormaliser::Kind normalisation = EditNormaliser::Kind::treebank;  // what `normalize` says
    std::string t5_file;                                                  // likewise
    ScoreOptions scores;
    JsonLinesOptions lines;
};

// A data set with prepared items.
struct ChosenDataset {
    const EditDataset* dataset = nullptr;
    EditItems rows;
    int64_t available = 0;  // before items were drawn
    int64_t bad_lines = 0;
    std::map<std::string, int64_t> split_counts;  // available, of each split that is there
    std::vector<std::string> missing_splits;
    std::vector<std::string> prompts = {};
    std::set<std::string> ids() const;  // of its items
};

struct EditBenchmark {
    std::vector<ChosenDataset> chosen;
    std::map<std::string, std::string> absent;  // data sets that were asked for: their layouts
    EditIds ids;                                // of all data sets, asked for or not, drawn or not
    std::vector<std::filesystem::path> files;   // that were read
    // Data sets that are parts of the same files have the same bad lines.
    int64_t bad_lines() const;
};

// Warns of what data sets have less of than their authors published. Throws Error where none is there, and as
// read_edit_dataset() does.
EditBenchmark read_benchmark(const EditBenchmarkOptions& options, const EditNormaliser& normaliser, uint64_t seed);

// Sets the prompts of each data set: those that the options name or ship; of given predictions (null: there are none) those
// that stand there. Returns where they come from, for manifests and results. Throws Error where a task has none, and where
// predictions have others than those of the options.
Json choose_prompts(const EditBenchmarkOptions& options, const EditPredictions* predictions, EditBenchmark& benchmark);

class EditBenchmarkRun {
public:
    // Reads what there is to read. Throws Error as the readers do. The options must outlive it.
    EditBenchmarkRun(const EditBenchmarkOptions& options, uint64_t seed);
    const std::vector<std::filesystem::path>& files() const { return benchmark_.files; }  // of the data sets

    // Into the run's manifest: what was left out, and the prompts. To be called first.
    void begin(RunFolder& run) const;
    // Asks the system for what the run does not have yet, failed answers among it; several ranks share it out. Returns
    // whether this is rank 0 and all was answered, which is in predictions.jsonl then: what is in a batch file was not.
    // Throws Error where no answer can be used.
    bool ask(System& system, Asking& asking, RunFolder& run);
    // Measures what was answered or given, writes metrics, tables and editeval.json, and finishes the run. `added`: metrics
    // that need a model.
    void score(RunFolder& run, const std::vector<AddedEditMetric>& added, int64_t threads);

private:
    struct Question {
        const EditItem* item;
        const std::string* prompt;
    };
    std::vector<Question> questions() const;
    void take_answer(const Json& row);
    Json scores(const EditPredictions& predictions, const RunFolder& run, ScoreOptions options, int64_t threads) const;
    void note_left_out(RunFolder& run) const;
    Json settings() const;

    const EditBenchmarkOptions& options_;
    uint64_t seed_;
    EditNormaliser normaliser_;
    EditBenchmark benchmark_;
    std::optional<EditPredictions> given_;
    int64_t bad_predictions_ = 0;
    Json prompts_;  // where they come from
    // Of a system that was asked.
    std::optional<PartialRows> rows_;  // until the run is finished
    EditPredictions answers_;
    std::map<std::string, int64_t> counted_;  // answers by status, failed ones by their failure
};

}  // namespace craft
