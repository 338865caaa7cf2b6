// `eval preserve`: names or LaTeX of texts that their revisions still have (CRAFT Figs. 6 and 9).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/recogniser_options.h"
#include "cli/text_pair_options.h"
#include "judge/fidelity/keyword_preservation.h"
#include "text/latex.h"

namespace craft {

namespace {

enum class Kept { entities, latex };

struct EvalPreserveOptions {
    TextPairOptions texts;
    Kept kind = Kept::entities;
    std::string english = "auto";
    JsonCommandOptions recogniser;
    std::optional<int64_t> at_least;  // occurrences that make a text count; absent: 1 of entities, 2 of LaTeX
};

void bind(OptionTable& table, EvalPreserveOptions& o) {
    bind_text_pairs(table, o.texts);
    table
        .add_enum("kind", o.kind, {{"entities", Kept::entities}, {"latex", Kept::latex}},
                  "what must be preserved: named entities, or commands, references and mathematics of LaTeX")
        .flag("--kind");
    bind_english(table, o.english).needs({"kind", {"entities"}});
    bind_recogniser(table, o.recogniser);
    table.at("recogniser.command").needs({"kind", {"entities"}});
    table
        .add("at_least", o.at_least,
             "minimum occurrences in a text that counts in the figures; none: 1 of entities, 2 of LaTeX, as in CRAFT")
        .flag("--at-least")
        .min(1);
}

int run_eval_preserve(int argc, const char* const* argv);

const Command kEvalPreserveCommand = {
    "eval preserve", CommandGroup::evaluate, "names or LaTeX that revisions preserve",
    "craft-train eval preserve --kind entities --items share/texts/dev.jsonl --outputs share/texts/dev.jsonl",
    run_eval_preserve};

int run_eval_preserve(int argc, const char* const* argv) {
    CommonOptions common;
    EvalPreserveOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalPreserveCommand, table, common, argc, argv)) return 0;

    const bool latex = options.kind == Kept::latex;
    const int64_t at_least = options.at_least.value_or(latex ? 2 : 1);
    int64_t bad_lines = 0;
    const TextPairs texts = read_text_pairs(options.texts, bad_lines);
    std::vector<std::string> originals;
    for (const TextPair& pair : texts.pairs) originals.push_back(pair.original);
    const NameFinder keywords = latex ? NameFinder{[](const std::string& text) { return latex_keywords(text); }, "latex"}
                                      : names_of_texts(options.recogniser, options.english, originals);
    Json result = {{"kind", latex ? "latex" : "entities"},
                   {"signature", "preserve|" + keywords.signature},
                   {"options", {{"at_least", at_least}}},
                   {"bad_lines", bad_lines}};
    result.update(to_json(evaluate_preservation(texts, keywords.find, at_least)));
    write_result(options.texts.output, result);
    return 0;
}

}  // namespace

Command eval_preserve_command() {
    return kEvalPreserveCommand;
}

}  // namespace craft
