// `eval factuality`: names that revisions add, and sentences that do not follow from the text (CRAFT Table 10).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/recogniser_options.h"
#include "cli/text_pair_options.h"
#include "judge/fidelity/factuality.h"

namespace craft {

namespace {

struct EvalFactualityOptions {
    TextPairOptions texts;
    FactualityOptions factuality;
    std::string english = "auto";
    JsonCommandOptions recogniser;
};

void bind(OptionTable& table, EvalFactualityOptions& o) {
    bind_text_pairs(table, o.texts);
    table
        .add("entailment.command", o.factuality.entailment.command,
             "a shell command that reads {\"id\",\"premise\",\"hypothesis\"} per line and writes {\"id\",\"entailed\"} or "
             "{\"id\",\"score\"} (0-1) in the same order; empty: entailment is null")
        .flag("--entailment");
    table.add("entailment.threshold", o.factuality.threshold, "minimum score of an entailed sentence").min(0).max(1);
    table
        .add("entailment.timeout", o.factuality.entailment.timeout_seconds,
             "seconds without an answer before the command is killed")
        .flag("--timeout")
        .min(0.1);
    table.add("entailment.restarts", o.factuality.entailment.restarts, "restarts of a command that exits").min(0);
    table
        .add("entailment.skip_unfit", o.factuality.entailment.skip_unfit,
             "skip and count (unjudged) sentences whose answer is not JSON, NaN or out of range, instead of ending the run")
        .flag("--skip-unfit");
    bind_sentences(table, o.factuality.sentences);
    bind_english(table, o.english);
    bind_recogniser(table, o.recogniser);
}

int run_eval_factuality(int argc, const char* const* argv);

const Command kEvalFactualityCommand = {
    "eval factuality", CommandGroup::evaluate, "names that revisions add, and sentences that the text does not entail",
    "craft-train eval factuality --items share/texts/dev.jsonl --outputs share/texts/dev.jsonl", run_eval_factuality};

// What each figure hangs on: results of different entailment commands still have names that can be compared.
Json what_factuality_says() {
    Json of_names = {{"better", "lower"}, {"depends_on", Json::array({"signature"})}};
    Json of_sentences = {
        {"better", "higher"},
        {"depends_on", {"options.entailment", "options.threshold", "options.skip_unfit", "options.sentences"}}};
    return {{"ne_er", of_names}, {"unknown_entities", of_names}, {"entailed", std::move(of_sentences)}};
}

int run_eval_factuality(int argc, const char* const* argv) {
    CommonOptions common;
    EvalFactualityOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalFactualityCommand, table, common, argc, argv)) return 0;

    int64_t bad_lines = 0;
    const TextPairs texts = read_text_pairs(options.texts, bad_lines);
    std::vector<std::string> revisions;
    for (const TextPair& pair : texts.pairs) revisions.push_back(pair.revision);
    const NameFinder names = names_of_texts(options.recogniser, options.english, revisions);
    const FactualityEvaluation evaluation = evaluate_factuality(texts, names.find, options.factuality);
    Json result = {{"kind", "factuality"},
                   {"signature", "factuality|" + names.signature},
                   {"options",
                    {{"entailment", options.factuality.entailment.command},
                     {"threshold", options.factuality.threshold},
                     {"skip_unfit", options.factuality.entailment.skip_unfit},
                     {"sentences", sentence_rule_name(options.factuality.sentences)}}},
                   {"figures", what_factuality_says()},
                   {"bad_lines", bad_lines}};
    result.update(to_json(evaluation));
    write_result(options.texts.output, result);
    return 0;
}

}  // namespace

Command eval_factuality_command() {
    return kEvalFactualityCommand;
}

}  // namespace craft
