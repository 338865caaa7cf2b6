// Numbers for candidates, so that they can be judged by them (`--judge scores`): a metric that needs no reference, a command
// of the user's (LENS-SALSA, say), or numbers that came with the candidates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/process/json_command.h"
#include "data/candidates.h"
#include "judge/verdicts/score_judge.h"
#include "metrics/metric.h"
#include "model/kernels/placement.h"

namespace craft {

struct CandidateScoreOptions {
    std::string metric = {};           // one of candidate_metric_names(); empty: none
    std::filesystem::path model = {};  // of a metric that has one
    JsonCommandOptions command = {};   // empty: none
    std::string field = {};            // a name among the candidates' scores; empty: none
    bool lower_is_better = false;      // of the command's or the field's numbers; metrics know it
    int64_t batch_tokens = 4096;       // of one pass of a metric's model
};

// Metrics that measure a text by itself or against its source, in alphabetical order.
std::vector<std::string> candidate_metric_names();

class CandidateScores {
public:
    // Opens the metric's model where it is placed. Throws as open_model_metric() does.
    CandidateScores(const CandidateScoreOptions& options, const PlacementOptions& placing);
    // Measures the candidates of all groups at once, each text of a source once: a command is started once and a model
    // computes in batches. To be called before scoring()'s function is. Candidates that hold nothing but white space are not
    // measured. Throws Error as the metric or the command does.
    void measure(const std::vector<CandidateGroup>& groups);
    // Looks up what was measured, by source and text; higher is better. Throws Error, when it is called, for a text that was
    // not. It holds what it needs and may outlive this.
    CandidateScoring scoring() const;
    std::string name() const { return name_; }  // "scores:fkgl", "scores:command", "scores:field lens"
    int64_t measured() const;                   // different texts
    // {"name","better":"higher"|"lower","metric": its signature or null}, without which pairs are not comparable.
    Json to_json() const;

private:
    struct Measured;
    CandidateScoreOptions options_;
    std::string name_;
    bool lower_is_better_ = false;
    std::shared_ptr<Metric> metric_;  // null: a field
    std::shared_ptr<Measured> measured_;
};

}  // namespace craft
