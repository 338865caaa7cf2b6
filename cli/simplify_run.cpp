// `simplify run`: texts simplified by one system, with the policy's system prompt alone (policy simplification App. A.2.2),
// and with rounds of judged feedback where they are asked for (App. A.4).
#include "cli/command.h"
#include "cli/simplify_feedback.h"
#include "cli/simplify_texts.h"
#include "simplify/feedback_counts.h"
#include "systems/usable_answers.h"

namespace craft {

namespace {

int run_simplify_run(int argc, const char* const* argv);

const Command kSimplifyRunCommand = {
    "simplify run",
    CommandGroup::revise_and_judge,
    "simplify texts by a policy",
    "craft-train simplify run --input share/examples/sentences.jsonl --policy lexical --model "
    "local:weights/smollm2-135m-instruct.gguf --output simplified.jsonl",
    run_simplify_run,
    Work::generation};

// A text without an answer stays as it is, as with `revise` and `gec`; the status says so.
SimplifiedRow text_row(const CollectedCandidates& collected) {
    const Simplification& made = collected.all.at(0).made;
    const std::string& text = made.failure.empty() ? made.text : collected.source;
    Json row = {{"id", collected.id}, {"text", text}};
    add_status(row, text != collected.source, made.failure);
    return {std::move(row), "", feedback_trace(collected.id, collected.source, made)};
}

int run_simplify_run(int argc, const char* const* argv) {
    CommonOptions common;
    SimplifyOptions options;
    std::string model;
    OptionTable table;
    bind_simplify(table, options, {"model", "judge"});
    const auto group = table.group("Simplifier");
    table.add("model", model, "system that simplifies: local:MODEL[+ADAPTER], openai:PROFILE, or rules:NAME")
        .flag("--model")
        .input()
        .required();
    bind_simplify_feedback(table, options.feedback);
    const auto check = [&](OptionTable& t) {
        options.systems.clear();
        if (!model.empty()) options.systems.push_back(model);
        check_simplify_feedback(t, options.feedback, model, options.policy);
        check_simplify(t, options, "model");
    };
    if (!parse_command(kSimplifyRunCommand, table, common, argc, argv, check)) return 0;
    return run_simplifying(kSimplifyRunCommand, table, common, options, {"simplifier", text_row});
}

}  // namespace

Command simplify_run_command() {
    return kSimplifyRunCommand;
}

}  // namespace craft
