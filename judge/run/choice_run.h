// One run of an evaluation that asks a judge for verdicts in one word, and the files that it leaves.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ranks.h"
#include "judge/verdicts/choice_asking.h"
#include "systems/asked_rows.h"
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
    // To be made before the inputs are read: what comes from a pipe is then read once for its hash and once more. The ranks
    // share the items.
    Judging(const JudgingOptions& options, const RunIdentity& identity, bool overwrite, const Placement& place,
            Ranks& ranks = Ranks::alone());

    System& judge() { return asking_.open(options_.spec, "judge"); }
    const PromptFiles& prompts() const { return prompts_; }

    // Asks about the items that an earlier process did not, side by side, and keeps what was found, which to_json() and
    // `from_json` turn to a row and back; `done` then takes the verdicts of each item, in the items' order, in rank 0.
    // Returns whether this is rank 0 and all were answered: what is in a batch file was not. Where it throws, what was spent
    // is noted.
    template <class In, class Out>
    bool run(const std::string& what, const std::vector<In>& items, const std::function<Out(const In&)>& work,
             const std::function<Out(const Json&)>& from_json, const std::function<void(const In&, const Out&)>& done) {
        size_t next = 0;
        const bool all = ask_for_rows(
            asked_rows("judging", what, items.size(), [&](size_t item) { return to_json(work(items[item])); }), asking_,
            kept_.rows, [&] { write_manifest(false); }, [&](const Json& row) { done(items[next++], from_json(row)); });
        return all && kept_.rows.ranks().is_first();
    }
    // Rows for --judgements.
    void keep(const std::vector<Json>& rows);
    // Throws Error if questions were asked and none was answered by a choice; the answers are then kept beside --judgements.
    void require_answers(const ChoiceCounts& counts);
    // Judge, model, sampling and prompts, without which figures are not comparable: for the result's "options".
    Json options() const;
    // The judgements, the result and the manifest.
    void write(const Json& result);

private:
    void write_manifest(bool finished);

    const JudgingOptions& options_;
    PromptFiles prompts_;
    RunIdentity identity_;
    KeptOutput kept_;
    AskingRun asking_;
    std::vector<Json> rows_;
};

}  // namespace craft
