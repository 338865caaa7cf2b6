// What `simplify candidates` and `simplify run` share: texts answered row by row, so that a stopped command can resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run_folder.h"
#include "english/lazy_pipeline.h"
#include "simplify/candidate_collection.h"
#include "simplify/model_simplifier.h"
#include "simplify/rule_systems.h"
#include "simplify/run/opened_feedback.h"

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

// Whether a system's specification is "rules:NAME", and which NAME; "": it is not.
std::string rules_name(const std::string& system);

class Simplifiers {
public:
    // `role` is what the systems' costs are counted under; `english` may have no pipeline where no system needs it. Throws
    // Error as AskingRun::open(), make_rule_system() and OpenedFeedback do.
    Simplifiers(const SimplifyOptions& options, const std::string& role, const EnglishModel& english,
                const PlacementOptions& placing, uint64_t seed, AskingRun& asking);
    const std::vector<const TextSimplifier*>& all() const { return all_; }
    const Json& versions() const { return prompts_.versions(); }
    const OpenedFeedback* feedback() const { return feedback_ ? &*feedback_ : nullptr; }

private:
    std::unique_ptr<TextSimplifier> of_model(const SimplifyOptions& options, const std::string& name, System& system) const;

    PromptFiles prompts_;
    std::optional<OpenedFeedback> feedback_;
    std::vector<std::unique_ptr<TextSimplifier>> made_;
    std::vector<const TextSimplifier*> all_;
};

// The row of a text for --output; absent: it has none, for this reason, and is counted.
struct SimplifiedRow {
    std::optional<Json> row;
    std::string dropped = {};
    Json trace = nullptr;  // a row of --trace, where that is a file
};

// How the rows of a command are made.
struct SimplifiedRows {
    std::string role;  // what the systems' costs are counted under
    std::function<SimplifiedRow(const CollectedCandidates&)> row_of;
};

// Simplifies all texts; counts stand in the manifest under "simplified" and are logged. A stopped run of the same identity
// continues. Where answers stand in batch files it says so and writes nothing. Throws Error and UsageError as Simplifiers
// and the readers do, where no answer can be used, and if no text has a row.
void simplify_texts(const SimplifyOptions& options, const SimplifiedRows& rows, const EnglishModel& english,
                    const PlacementOptions& placing, const RunIdentity& identity, bool overwrite);

}  // namespace craft
