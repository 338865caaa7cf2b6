// What a run left, as far as it can be read: of one that goes on, was stopped or was made by another version, too.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "view/record_source.h"

namespace craft {

// One file of metrics: a row an optimiser step, or an evaluation of the training.
struct TrainingCurves {
    std::string name;                                                      // "sft", "round-1/train"
    bool is_evaluation = false;                                            // of data that was not trained on
    std::map<std::string, std::vector<std::pair<double, double>>> fields;  // step, value
};

struct NamedJson {
    std::string name;  // the file in the run, or the folder that it speaks of
    Json content;
};

struct ReportRun {
    std::string name;
    std::filesystem::path path;
    Json manifest = Json::object();         // of the run itself; empty: there is none
    std::vector<NamedJson> manifests = {};  // this one and those of outputs and runs within it
    // Stages of summary.json; of a run that has none yet, those that its metrics have.
    std::vector<Json> stages = {};
    Json summary = Json::object();  // the rest of it: differences, the sealed test set, further sets
    // Rounds whose pairs are made, by their folders: those of a run that goes on are no stages yet.
    std::vector<NamedJson> rounds = {};
    std::vector<NamedJson> evaluations = {};  // results of `eval tools` with errors of calls
    std::vector<TrainingCurves> trainings = {};
    std::vector<RecordPlace> places = {};  // files and stores of records
    std::vector<std::string> notes = {};   // what could not be read, and why
    std::filesystem::file_time_type changed = std::filesystem::file_time_type::min();
    bool finished = false;

    // The stage that was chosen, or else the last one; null without stages.
    const Json* best_stage() const;
};

// A folder of runs gives one each, and what is named twice is there once. Throws Error where nothing is there, or nothing
// that a report could show.
std::vector<ReportRun> read_report_runs(const std::vector<std::filesystem::path>& paths);

}  // namespace craft
