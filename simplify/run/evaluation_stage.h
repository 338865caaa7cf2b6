// One evaluation of the student as a stage: outputs on the test sentences, what two judges find, SARI on data sets of
// others.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "eval/editeval/datasets.h"
#include "simplify/run/policy_summary.h"
#include "simplify/run/simplify_job.h"
#include "simplify/run/student.h"
#include "simplify/text_simplifier.h"

namespace craft {

// ASSET and TurkCorpus dev, as models are shown them.
struct SariSets {
    std::vector<EditItem> asset, turk;
};
// `items` of each at most, the same in every run. Throws Error where one of them is not in the folder.
SariSets read_sari_sets(const std::filesystem::path& data, int64_t items);

struct EvaluationInputs {
    std::vector<SimplificationTask> test;
    std::optional<SariSets> sari;  // absent: it is not measured
};

struct EvaluationStage {
    PolicyFigures figures;
    double seconds = 0;
};
// Of the student as it is, asked by the policy's prompt with this many examples. Writes test/outputs.jsonl (FoundOutput)
// and, with the sets of SARI, asset/outputs.jsonl and turk/outputs.jsonl.
EvaluationStage evaluation_stage(const Student& student, size_t shots, const EvaluationInputs& inputs,
                                 SimplificationPolicy policy, const SimplifyJobOptions& options,
                                 const SimplifyJobParts& parts, const std::filesystem::path& folder);

}  // namespace craft
