// What `simplify candidates` and `simplify run` share: options, the systems that simplify, and texts answered row by row, so
// that a stopped command can go on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/simplify_feedback.h"
#include "cli/system_options.h"
#include "simplify/candidate_collection.h"
#include "simplify/model_simplifier.h"

namespace craft {

struct SimplifyOptions {
    std::string input, output;
    SimplificationPolicy policy = SimplificationPolicy::lexical;
    std::vector<std::string> systems;  // specifications: rules:NAME, local:MODEL[+ADAPTER], openai:PROFILE
    int64_t min_words = 0;             // texts of fewer words are left out; 0: none is
    std::filesystem::path prompts;     // files that come before those of share/prompts; empty: none
    std::string english = "auto";
    ModelSimplifierOptions model;
    RoleSystemOptions asked;
    FlowOptions flow = {.items_at_once = 64, .items_ahead = 256};
    JsonLinesOptions lines;
    SimplifyFeedbackOptions feedback;  // of `simplify run`; off: texts are what was answered first

    std::vector<SystemSpec> specs;  // what `systems` say; of rules the kind alone
};

// All but `systems`, `min_words` and `feedback`, which are the commands' own. `roles`: as of bind_role_systems().
void bind_simplify(OptionTable& table, SimplifyOptions& options, const std::vector<const char*>& roles);
// Reads `options.systems`, which the option `key` gave, and adds problems; feedback has been checked.
void check_simplify(OptionTable& table, SimplifyOptions& options, const char* key);

// The row of a text for --output; absent: it has none, for this reason, and is counted.
struct SimplifiedRow {
    std::optional<Json> row;
    std::string dropped = {};
    Json trace = nullptr;  // a row of --trace, where that is a file
};

// Simplifies all texts; counts stand in the manifest under "simplified" and are logged. `role` is what the systems' costs
// are counted under. Throws Error if no text has a row.
int simplify_texts(const Command& command, OptionTable& table, const CommonOptions& common, const SimplifyOptions& options,
                   const std::string& role, const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of);

}  // namespace craft
