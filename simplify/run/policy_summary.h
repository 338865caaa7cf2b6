// What a run of policy-driven simplification measured: summary.json and the table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace craft {

// Of one system on the test sentences.
struct PolicyFigures {
    // Shares (0-1) of the outputs that follow the policy, by the judge that the pairs come from and by the other one.
    std::optional<double> follows, follows_other_judge;
    std::optional<double> sari_asset, sari_turk;  // 0-100; absent: not measured
    // Means over answered sentences: sentences of the output to those of the source, characters to characters.
    std::optional<double> splits, compression;
    int64_t sentences = 0, unanswered = 0, cut = 0;  // cut: of the unanswered; none follows no policy
};

// One output as it was found.
struct FoundOutput {
    std::string id, source, text;
    std::string failure;  // why there is no text; empty: there is one
    bool follows = false, follows_other_judge = false;
};
Json to_json(const FoundOutput& output);
// Throws Error naming `where` on another form.
FoundOutput found_output_from_json(const Json& row, const std::string& where);

// All but the SARI of them. Sentences are ICU's.
PolicyFigures policy_figures_of(const std::vector<FoundOutput>& outputs);

struct PolicySummary {
    std::vector<std::pair<std::string, PolicyFigures>> systems;  // zero_shot, few_shot, sft, trained, random
    std::vector<std::pair<std::string, double>> stages;          // seconds, in their order
    Json counts = Json::object();                                // of candidates by system, and of pairs
    double seconds() const;
};

struct SimplifySummary {
    std::vector<std::pair<std::string, PolicySummary>> policies;
    double seconds() const;  // of all stages, those of stopped processes too
};

// {"policies":{P:{NAME:{"follows","follows_other_judge","sari_asset","sari_turk","splits","compression"}}},"seconds",
// "stages":{P:[{"stage","seconds"}...]},"counts":{P:{"candidates","pairs","outputs":{NAME:{"sentences","unanswered","cut"}}}}}
Json to_json(const SimplifySummary& summary);
SimplifySummary simplify_summary_from_json(const Json& object, const std::string& where);
// A line a system, and the seconds of each stage.
std::string summary_table(const SimplifySummary& summary);

}  // namespace craft
