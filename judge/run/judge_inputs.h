// What `judge` reads: candidates and a guideline.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/unknown_keys.h"
#include "data/candidates.h"
#include "judge/run/candidate_judges.h"
#include "judge/run/candidate_scores.h"
#include "judge/run/judging_materials.h"
#include "judge/verdicts/guideline.h"
#include "judge/verdicts/judge_panel.h"
#include "judge/verdicts/preference_pairs.h"
#include "systems/open/asking_run.h"

namespace craft {

struct JudgeOptions {
    std::string input, output = "-";                           // candidates; pairs
    std::string items;                                         // or texts,
    std::vector<std::string> written_outputs;                  // and what systems made of them, NAME=FILE,
    std::vector<std::pair<std::string, std::string>> outputs;  // which says name and file
    std::optional<int64_t> sample;     // texts of them that are judged, drawn by the seed; absent: all
    std::string judgements;            // a file of all judgements with every answer as it came; empty: none
    std::string marks;                 // a file of the systems' mean marks; empty: none
    std::vector<std::string> compare;  // files of judgements: one that this run's are compared with, or two
    std::string guideline, aspect;     // aspect: of which verdict pairs are made; empty: the only one
    std::string judge;
    std::vector<std::string> panel;
    std::vector<CandidateJudgeSpec> specs;  // what these say
    JudgeForm form = JudgeForm::listwise;
    JudgingPlan plan;
    std::filesystem::path prompts;        // folder of files that come before those of share/prompts; empty: none
    std::filesystem::path system_prompt;  // what a pair's prompt begins with; empty: the source alone
    PairMakingOptions pairs;
    CandidateScoreOptions scores;
    JudgingSettings sources;
    ChoiceAsking asking{.sampling = {.keep_histories = false, .stage = "judge"}};
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 64, .items_ahead = 4096};
    JsonLinesOptions lines;
    bool dry_run = false;
    bool only_compares() const { return compare.size() == 2; }
    // One of the judges is of this kind.
    bool has(CandidateJudgeSpec::Kind kind) const {
        return std::any_of(specs.begin(), specs.end(), [&](const CandidateJudgeSpec& spec) { return spec.kind == kind; });
    }
};

// The groups of a file or, of texts and what systems made of them, a group a text, in order. Throws Error on a bad row, a
// repeated id, no row at all, and an output of no text.
struct JudgeInput {
    std::vector<CandidateGroup> groups;
    std::map<std::string, int64_t> missing;  // by system: texts without its output, which have a candidate less
    int64_t without_output = 0;              // texts without any, which are no groups
    UnknownKeys unknown;
    int64_t bad_lines = 0;
};
JudgeInput read_judge_input(const JudgeOptions& options, uint64_t seed);

// The guideline with the option --aspect put right: "" of one without aspects, the only one where it was not given. Throws
// UsageError on an aspect that the guideline does not have, or none where it has several, and as require_sees_guideline().
std::optional<Guideline> read_judge_guideline(JudgeOptions& options);

// Throws UsageError where the guideline shows more than texts, and the judge is the rules, which see nothing else.
void require_sees_guideline(const Guideline& guideline, const std::string& file, const CandidateJudgeSpec& spec);

// The aspect that was asked for or, where none was, the only one; "" of a guideline without aspects. Throws UsageError
// naming --aspect otherwise; `file` is the guideline's.
std::string aspect_of_guideline(const Guideline& guideline, const std::string& file, const std::string& asked);

}  // namespace craft
