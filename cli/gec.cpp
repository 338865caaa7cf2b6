// `gec`: texts of learners corrected by the grammar agent, or by a model's single answers (GEC-Agent §3, §4).
#include "cli/asked_rows.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/gec_options.h"
#include "cli/gec_scores.h"
#include "cli/option_groups.h"
#include "cli/output_manifest.h"
#include "core/error.h"
#include "gec/correction_counts.h"
#include "gec/edit_m2.h"
#include "gec/learner_texts.h"

namespace craft {

namespace {

int run_gec(int argc, const char* const* argv);

const Command kGecCommand = {"gec",
                             CommandGroup::revise_and_judge,
                             "correct learners' sentences step by step",
                             "craft-train gec --input share/examples/learners.txt --output corrected.jsonl --model "
                             "local:weights/smollm2-135m-instruct.gguf --method zero_shot --max-new-tokens 40",
                             run_gec,
                             Work::generation};

enum class GecFormat { jsonl, text, m2 };

struct GecCommandOptions {
    GecOptions gec;
    bool whole = false;
    GecFormat format = GecFormat::jsonl;
    std::vector<std::string> references;
};

void bind_command(OptionTable& table, GecCommandOptions& o) {
    const auto data = table.group(kDataGroup);
    table
        .add("input", o.gec.input,
             "texts: {\"id\",\"text\"} a line of a .jsonl file or, as -, of stdin; of any other file each line is one")
        .flag("--input")
        .input()
        .required();
    bind_gec(table, o.gec);
    table
        .add_enum("method", o.gec.method,
                  {{"agent", GecMethod::agent},
                   {"zero_shot", GecMethod::zero_shot},
                   {"zero_shot_cot", GecMethod::zero_shot_cot},
                   {"few_shot", GecMethod::few_shot},
                   {"few_shot_cot", GecMethod::few_shot_cot},
                   {"few_shot_retrieved", GecMethod::few_shot_retrieved}},
                  "agent: step by step; the others ask once: without examples, with three, or with the three nearest of "
                  "--retrieval; "
                  "cot: with a thought before the answer")
        .flag("--method")
        .excludes({"model", {"rules"}}, "the rules answer no other prompts")
        .when({"zero_shot", "zero_shot_cot", "few_shot", "few_shot_cot", "few_shot_retrieved"})
        .needs("retrieval")
        .when({"few_shot_retrieved"});
    table.add("whole", o.whole, "a text is not cut into sentences").flag("--whole");
    table
        .add_enum("format", o.format, {{"jsonl", GecFormat::jsonl}, {"text", GecFormat::text}, {"m2", GecFormat::m2}},
                  "jsonl: text, edits, calls and trace; text: a line each; m2: the edits, of tokens between blanks")
        .flag("--format");
    bind_gec_references(table, o.references);
}

// The output of all rows, in its format. A text of several lines has no line of its own.
std::string output_of(const CorrectedText& one, GecFormat format) {
    if (format == GecFormat::jsonl) return dump_line(to_json(one)) + "\n";
    if (one.source.find('\n') != std::string::npos)
        throw Error("text '" + one.id + "'", "one line, for --format text and m2", "several", "take --format jsonl");
    if (format == GecFormat::text) return one.text + "\n";
    M2File file;
    file.sentences.push_back(m2_of(one.source, one.text));
    return to_m2(file);
}

void check_lines(const std::vector<RevisedText>& texts, const GecCommandOptions& o) {
    if (o.format == GecFormat::jsonl && o.references.empty()) return;
    for (const RevisedText& text : texts)
        if (text.text.find('\n') != std::string::npos)
            throw Error(text.where, "a text of one line, for --format text and m2, and beside references", "several",
                        "take --format jsonl, and no --reference");
}

std::optional<GecScores> open_scores(const GecCommandOptions& o, const std::vector<RevisedText>& texts,
                                     const CommonOptions& common) {
    if (o.references.empty()) return std::nullopt;
    std::vector<std::string> sources;
    for (const RevisedText& text : texts) sources.push_back(text.text);
    return std::optional<GecScores>(std::in_place, o.references, std::move(sources), o.gec.input,
                                    o.gec.tools.grammar.english, common.threads);
}

int run_gec(int argc, const char* const* argv) {
    CommonOptions common;
    GecCommandOptions options;
    OptionTable table;
    bind_command(table, options);
    if (!parse_command(kGecCommand, table, common, argc, argv, [&](OptionTable& t) { check_gec(t, options.gec); })) return 0;
    const GecOptions& gec = options.gec;
    int64_t bad_lines = 0;
    JsonLinesOptions lines = gec.lines;
    lines.bad_lines = &bad_lines;
    const RunIdentity identity = rows_identity(kGecCommand, table, common, open_placement(common), /*by_parts=*/true);
    PartialRows rows(gec.output, identity, common.overwrite);
    OutputManifest manifest(gec.output, identity, rows.earlier() > 0);
    const std::vector<RevisedText> texts = read_learner_texts(gec.input, lines);
    check_lines(texts, options);
    const std::optional<GecScores> scores = open_scores(options, texts, common);
    AskingRun asking(gec.asked, gec.flow, common, manifest.earlier().value("usage", Json()));
    const GecCorrector corrector(gec, common, asking);
    const auto write_manifest = [&](bool finished) {
        manifest.note("versions", {{"prompts", corrector.versions()}});
        manifest.note("usage", asking.systems().usage());
        if (const Json figures = corrector.tool_figures(); !figures.is_null()) manifest.note("tools", figures);
        if (bad_lines > 0) manifest.note("dropped", {{"bad line", bad_lines}});
        manifest.write(finished);
    };
    const SentenceCorrector correct = [&](const std::string& sentence, uint64_t item, uint64_t sample) {
        return corrector.correct(sentence, item, sample);
    };
    const auto row = [&](size_t item) {
        return to_json(correct_text(texts[item].id, texts[item].text, item, options.whole, correct));
    };
    OutputFile output(gec.output);
    CorrectionCounts counts;
    UsableAnswers answers;
    std::vector<std::string> corrected;  // where there are references
    const auto write = [&](const Json& made) {
        const CorrectedText one = corrected_text_from_json(made, gec.output);
        counts.add(one);
        if (one.is_asked()) answers.add(one.problem());
        if (scores) corrected.push_back(one.text);
        output.write(output_of(one, options.format));
    };
    const auto kept = [&] { write_manifest(false); };
    if (!make_rows(asked_rows("correcting", "texts", texts.size(), row), asking, rows, kept, write)) return 0;
    output.flush();
    manifest.note("corrected", counts.to_json());
    if (scores) {
        Json told = scores->of(corrected);
        manifest.note("scores", told);
        told.erase("by_type");
        log_info("scores beside the references", told);
    }
    write_manifest(false);
    log_info("corrected", counts.to_json());
    rows.check([&] { asking.require_answers(answers, rows_say_why(gec.output), rows.earlier()); });
    output.close();
    write_manifest(true);
    rows.remove();
    return 0;
}

}  // namespace

Command gec_command() {
    return kGecCommand;
}

}  // namespace craft
