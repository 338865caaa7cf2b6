// `simplify candidates`: several systems' simplifications of each text, for a judge (policy simplification §2.2, step 1).
#include "cli/command.h"
#include "cli/simplify_texts.h"

namespace craft {

namespace {

int run_simplify_candidates(int argc, const char* const* argv);

const Command kSimplifyCandidatesCommand = {
    "simplify candidates",
    CommandGroup::revise_and_judge,
    "simplifications of each text by several systems, for a judge",
    "craft-train simplify candidates --input share/simplify/dev.jsonl --policy rewriting --systems "
    "rules:copy,rules:split,rules:delete --output candidates.jsonl",
    run_simplify_candidates,
    Work::generation};

// A group of one candidate is written: who makes pairs counts it.
SimplifiedRow group_row(const CollectedCandidates& collected) {
    const CandidateGroup group = collected.group();
    if (group.candidates.empty()) return {std::nullopt, "no candidate"};
    return {to_json(group)};
}

int run_simplify_candidates(int argc, const char* const* argv) {
    CommonOptions common;
    SimplifyOptions options;
    options.model.shots = PolicyPrompt::kMaxShots;
    options.min_words = 8;
    OptionTable table;
    bind_simplify(table, options, {"systems"});
    const auto group = table.group("Candidates");
    table
        .add("systems", options.systems,
             "systems that simplify, comma-separated: local:MODEL[+ADAPTER], openai:PROFILE, rules:lexical, rules:split, "
             "rules:delete, rules:rewrite, rules:copy")
        .flag("--systems")
        .input()
        .required()
        .filled();
    table.add("min_words", options.min_words, "minimum words of a text; shorter ones are dropped and counted; 0: no limit")
        .flag("--min-words")
        .min(0);
    if (!parse_command(kSimplifyCandidatesCommand, table, common, argc, argv,
                       [&](OptionTable& t) { check_simplify(t, options, "systems"); }))
        return 0;
    return run_simplifying(kSimplifyCandidatesCommand, table, common, options, {"candidate", group_row});
}

}  // namespace

Command simplify_candidates_command() {
    return kSimplifyCandidatesCommand;
}

}  // namespace craft
