// `eval latex`: LaTeX that revisions keep, and whether they compile (CRAFT Table 8).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/text_pair_options.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/other_cpu_load.h"
#include "judge/fidelity/latex_eval.h"
#include "judge/fidelity/stripped_pairs.h"

namespace craft {

namespace {

struct EvalLatexOptions {
    TextPairOptions texts;
    LatexOptions latex;
    std::string preamble;  // a file; empty: latex_preamble()
    std::string stripped;  // a file for texts without LaTeX; empty: none
};

void bind(OptionTable& table, EvalLatexOptions& o) {
    bind_text_pairs(table, o.texts);
    table.add("latex.preamble", o.preamble, "preamble file, up to \\begin{document}; empty: article with common packages")
        .flag("--preamble")
        .input();
    table
        .add("stripped", o.stripped,
             "file for the counted paragraphs with their LaTeX stripped, {\"id\",\"source\",\"prediction\"} per line, which "
             "`eval metric` reads; empty: none")
        .flag("--stripped")
        .output();
    table.add("latex.seconds", o.latex.seconds, "seconds per paragraph; beyond that it is killed and not counted")
        .flag("--seconds")
        .min(0.1)
        .max(3600);
    table.add("latex.memory_bytes", o.latex.memory_bytes, "memory limit of the compiler, bytes").min(1 << 26);
    table.add("latex.file_bytes", o.latex.file_bytes, "largest file it may write, bytes").min(1 << 16);
    table.add("latex.folder_bytes", o.latex.folder_bytes, "total size of its files, bytes").min(1 << 16);
}

int run_eval_latex(int argc, const char* const* argv);

const Command kEvalLatexCommand = {
    "eval latex", CommandGroup::evaluate, "LaTeX that revisions preserve, and their compilation errors",
    "craft-train eval latex --items share/examples/latex.jsonl --outputs share/examples/latex.jsonl", run_eval_latex};

// What decides how many errors a paragraph has, and which one has none for want of time or room.
Json latex_how(const LatexOptions& o) {
    return {{"program", o.program},       {"preamble", hash_text(o.preamble.empty() ? latex_preamble() : o.preamble)},
            {"seconds", o.seconds},       {"memory_bytes", o.memory_bytes},
            {"file_bytes", o.file_bytes}, {"folder_bytes", o.folder_bytes}};
}

// Keywords are counted whatever compiles.
Json what_latex_says() {
    return {{"preserved", {{"better", "higher"}, {"depends_on", Json::array()}}}, {"errors", {{"better", "lower"}}}};
}

int run_eval_latex(int argc, const char* const* argv) {
    CommonOptions common;
    EvalLatexOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalLatexCommand, table, common, argc, argv)) return 0;

    if (!options.preamble.empty()) options.latex.preamble = read_file(options.preamble);
    int64_t bad_lines = 0;
    const TextPairs texts = read_text_pairs(options.texts, bad_lines);
    WorkerThreads threads(common.threads);
    const LatexEvaluation evaluation = evaluate_latex(texts, options.latex, threads.now());
    if (!evaluation.compiles) log_warning("pdflatex is not installed: nothing was compiled, and errors are null");
    Json result = {
        {"kind", "latex"}, {"options", latex_how(options.latex)}, {"figures", what_latex_says()}, {"bad_lines", bad_lines}};
    result.update(to_json(evaluation));
    if (!options.stripped.empty()) {
        const StrippedPairs stripped = strip_pairs(texts, evaluation.preservation);
        JsonLinesWriter writer(options.stripped);
        for (const Json& row : stripped.rows) writer.write(row);
        writer.close();
        result["stripped"] = to_json(stripped);
    }
    write_result(options.texts.output, result);
    return 0;
}

}  // namespace

Command eval_latex_command() {
    return kEvalLatexCommand;
}

}  // namespace craft
