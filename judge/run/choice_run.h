// One run of an evaluation that asks a judge for verdicts in one word, and the files that it leaves.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/output_manifest.h"
#include "judge/verdicts/choice_asking.h"
#include "systems/open/asking_run.h"
#include "systems/prompt_files.h"

namespace craft {

struct JudgingOptions {
    std::string judge;              // who is asked
    SystemSpec spec;                // what it says
    std::filesystem::path prompts;  // folder of files that come before those of share/prompts; empty: none
    std::string judgements;         // a file of all answers as they came; empty: none
    std::string output = "-";       // the result
    ChoiceAsking asking;
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 64, .items_ahead = 4096};
};

// The file of --judgements in its place; empty: none is written.
void write_judgements(const std::string& file, const std::vector<Json>& rows);
// The hint of a run that failed: where its answers are (keep_failed_rows()). `file`: as --judgements has it.
std::string answers_are_in(const std::string& file);

// One run of such a command.
class Judging {
public:
    // To be made before the inputs are read: what comes from a pipe is then read once for its hash and once more.
    Judging(const JudgingOptions& options, const RunIdentity& identity, const Placement& place);

    System& judge() { return asking_.open(options_.spec, "judge"); }
    const PromptFiles& prompts() const { return prompts_; }

    // Asks about items side by side; `done` takes the verdicts of an item, in the items' order. Returns whether all were
    // answered: what is in a batch file was not. Where it throws, what was spent is noted.
    template <class In, class Out>
    bool run(const std::string& what, const std::vector<In>& items, const std::function<Out(const In&)>& work,
             const std::function<void(const In&, const Out&)>& done) {
        size_t next = 0;
        return asking_.run<const In*, Out>(
            {"judging", what, items.size()},
            [&] { return next < items.size() ? std::optional(&items[next++]) : std::nullopt; },
            [&](const In*& one) { return work(*one); },
            [&](const In*& one, std::optional<Out>& result) {
                if (result) done(*one, *result);
            },
            [&] { write_manifest(false); });
    }
    // Rows for --judgements.
    void keep(const std::vector<Json>& rows);
    // Throws Error if questions were asked and none was answered by a choice; the answers are then kept beside --judgements.
    void require_answers(const ChoiceCounts& counts) const;
    // Judge, model, sampling and prompts, without which figures are not comparable: for the result's "options".
    Json options() const;
    // The judgements, the result and the manifest.
    void write(const Json& result);

private:
    void write_manifest(bool finished);

    const JudgingOptions& options_;
    PromptFiles prompts_;
    RunIdentity identity_;
    OutputManifest manifest_;
    AskingRun asking_;
    std::vector<Json> rows_;
};

}  // namespace craft
