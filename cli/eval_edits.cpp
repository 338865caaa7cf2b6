// `eval edits`: what was edited between a source and corrections of it, as an M2 file.
#include <thread>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "core/log.h"
#include "eval/annotation/edit_language.h"

namespace craft {

namespace {

struct EvalEditsOptions {
    std::string source;
    std::vector<std::string> hypotheses;
    std::string output = "-";
    EditMerging merging = EditMerging::rules;
    std::string english = "auto";
    std::string words = "auto";  // a file for WordList::load(); none; auto: english_word_list_file(), if it is there
};

void bind(OptionTable& table, EvalEditsOptions& o) {
    table.add("source", o.source, "tokenised sentences, one per line; - for stdin").flag("--source").input().required();
    table.add("hypothesis", o.hypotheses, "corrected sentences, one per line; repeat for several annotators")
        .flag("--hypothesis")
        .input()
        .required()
        .filled()
        .type = "paths";
    table.add("output", o.output, "M2 file, - for stdout").flag("--output").output();
    table
        .add_enum("merging", o.merging,
                  {{"rules", EditMerging::rules},
                   {"split", EditMerging::all_split},
                   {"merge", EditMerging::all_merge},
                   {"equal", EditMerging::all_equal}},
                  "which adjacent changes merge into one edit: by ERRANT's rules, none, all, those of one kind")
        .flag("--merging");
    bind_english(table, o.english);
    table
        .add("words", o.words,
             "dictionary for spelling errors: Hunspell's FILE.dic beside its FILE.aff, or one word per line; none: every "
             "word is known; auto: Debian's hunspell-en-gb if present")
        .flag("--words")
        .input()
        .excludes({"english", {"none"}});
}

int run_eval_edits(int argc, const char* const* argv);

const Command kEvalEditsCommand = {"eval edits", CommandGroup::evaluate, "what corrections changed, as an M2 file of edits",
                                   "craft-train eval edits --source share/examples/learners.txt --hypothesis "
                                   "share/examples/corrected.txt --output corrected.m2",
                                   run_eval_edits};

int run_eval_edits(int argc, const char* const* argv) {
    CommonOptions common;
    EvalEditsOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalEditsCommand, table, common, argc, argv)) return 0;

    const SentenceFile source = read_sentences(options.source);
    std::vector<SentenceFile> hypotheses;
    for (const std::string& path : options.hypotheses) hypotheses.push_back(read_sentences(path));
    const int64_t threads = common.threads > 0 ? common.threads : std::max<int64_t>(1, std::thread::hardware_concurrency());
    EditLanguage language = open_edit_language(options.english, options.words);
    language.merging = options.merging;
    const ExtractedEdits extracted = extract_edits(source, hypotheses, language, threads);
    if (extracted.empty_sources > 0)
        log_warning("empty lines of the source are skipped", {{"lines", extracted.empty_sources}});
    OutputFile out(options.output);
    out.write(to_m2(extracted.file));
    out.close();
    return 0;
}

}  // namespace

Command eval_edits_command() {
    return kEvalEditsCommand;
}

}  // namespace craft
