// `eval easy`: constraints that no program can check, met or not by a judge (CRAFT App. B.1, Table 9).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/evaluation_options.h"
#include "cli/inquiry.h"
#include "cli/judging_options.h"
#include "cli/ranks.h"
#include "judge/verdicts/easy_judge.h"

namespace craft {

namespace {

struct EvalEasyOptions {
    std::string items, outputs;
    JudgingOptions judging;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, EvalEasyOptions& o) {
    table
        .add("items", o.items,
             "{\"id\",\"text\",\"constraints\":[{\"kind\":\"style\"|\"semantic\",\"text\"}...]} per line, - for stdin")
        .flag("--items")
        .input()
        .required();
    table.add("outputs", o.outputs, "revisions: {\"id\",\"text\"} per line, - for stdin")
        .flag("--outputs")
        .input()
        .required();
    bind_judging(table, o.judging);
    bind_json_lines(table, o.lines);
}

// For whoever asks what the command would take: a question of each item's constraint.
void tell_work(const EvalEasyOptions& o) {
    constexpr double kQuestion = 130, kYesOrNo = 5;
    Inquiry* const inquiry = Inquiry::estimating();
    if (inquiry == nullptr) return;
    const DataSize items = inquiry->size_of(o.items);
    WorkEstimate work;
    add_asked(work, "judge", o.judging.spec, items.rows, kQuestion + 2 * items.text, kYesOrNo);
    inquiry->tell(std::move(work));
}

int run_eval_easy(int argc, const char* const* argv);

const Command kEvalEasyCommand = {
    "eval easy",
    CommandGroup::evaluate,
    "constraints of style and content, met or not by a judge",
    "craft-train eval easy --items share/examples/easy.jsonl --outputs share/examples/easy_a.jsonl --judge "
    "local:weights/smollm2-135m-instruct.gguf",
    run_eval_easy,
    Work::generation};

void ask(EvalEasyOptions options, const RunIdentity& identity, const CommonOptions& common, Ranks& ranks) {
    Judging judging(options.judging, identity, common.overwrite, open_placement(common), ranks);
    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    std::vector<EasyItem> items = read_easy_items(options.items, options.lines);
    const EasyQuestions joined = join_easy(std::move(items), read_revised_texts(options.outputs, options.lines));
    warn_of_empty_revisions({{"empty_outputs", joined.empty_outputs}});
    const EasyJudge judge(judging.judge(), judging.prompts(), options.judging.asking);
    EasyTotals totals;
    const bool all = judging.run<EasyQuestion, std::vector<ChoiceAnswer>>(
        "texts", joined.questions, [&](const EasyQuestion& one) { return judge.judge(one); }, choice_answers_from_json,
        [&](const EasyQuestion& one, const std::vector<ChoiceAnswer>& answers) {
            totals.add(one.item, answers);
            judging.keep(easy_rows(one.item, answers));
        });
    if (!all) return;
    judging.require_answers(totals.counts());
    Json result = {{"kind", "easy"}, {"options", judging.options()}, {"bad_lines", bad_lines}};
    result.update(totals.to_json(joined.missing, joined.empty_outputs));
    judging.write(result);
}

int run_eval_easy(int argc, const char* const* argv) {
    CommonOptions common;
    EvalEasyOptions options;
    OptionTable table;
    bind(table, options);
    bind_ranks(table, common);
    if (!parse_command(kEvalEasyCommand, table, common, argc, argv, [&](OptionTable& t) {
            check_judging(t, options.judging);
            tell_work(options);
        }))
        return 0;

    const RunIdentity identity = run_identity(kEvalEasyCommand, table, common);
    return in_ranks(table, common, [&](ProcessGroup& ranks) { ask(options, identity, common, ranks); });
}

}  // namespace

Command eval_easy_command() {
    return kEvalEasyCommand;
}

}  // namespace craft
