// `eval pairwise`: which of two systems' revisions a judge calls better (CRAFT Table 5, right; App. E.6).
#include <algorithm>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/evaluation_options.h"
#include "cli/inquiry.h"
#include "cli/judging_options.h"
#include "judge/verdicts/pairwise_figures.h"
#include "text/lists.h"

namespace craft {

namespace {

struct EvalPairwiseOptions {
    std::string items, a, b;
    std::optional<int64_t> sample;   // items that are compared; absent: all
    std::vector<std::string> names;  // of A and B; empty: none
    std::vector<std::string> criteria = pairwise_criteria();
    PairwiseOptions pairwise;
    std::optional<int64_t> resamples;  // absent: 100
    JudgingOptions judging;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, EvalPairwiseOptions& o) {
    table.add("items", o.items, "texts: {\"id\",\"text\"} per line, - for stdin").flag("--items").input().required();
    table.add("a", o.a, "A's revisions: {\"id\",\"text\"} per line, - for stdin").flag("--a").input().required();
    table.add("b", o.b, "B's revisions, in the same form").flag("--b").input().required();
    table.add("sample", o.sample, "texts of --items that are compared, drawn by --seed; none: all").flag("--sample").min(1);
    table.add("names", o.names, "names of the two systems, A's first, by which tables find the cases of each")
        .flag("--names");
    table.add("criteria", o.criteria, "criteria, asked one at a time")
        .flag("--criteria")
        .one_of(pairwise_criteria())
        .filled();
    table
        .add_enum("orders", o.pairwise.orders,
                  {{"random", PairOrders::random}, {"both", PairOrders::both}, {"fixed", PairOrders::fixed}},
                  "which revision is shown first: drawn by --seed per item and criterion; each once, where a contradiction "
                  "is a tie; always A's")
        .flag("--orders");
    table.add("resamples", o.resamples, "bootstrap resamples for the interval; none: 100, as in CRAFT")
        .flag("--resamples")
        .min(1)
        .max(1e7);
    bind_judging(table, o.judging);
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, EvalPairwiseOptions& o) {
    check_judging(table, o.judging);
    std::vector<std::string> once = o.criteria;
    std::sort(once.begin(), once.end());
    if (std::adjacent_find(once.begin(), once.end()) != once.end())
        table.add_problem("--criteria: expected each once, got '" + *std::adjacent_find(once.begin(), once.end()) +
                          "' again");
    if (!o.names.empty() && (o.names.size() != 2 || o.names[0] == o.names[1]))
        table.add_problem("--names: expected two different names, A,B, got '" + join(o.names, ",") + "'");
    if (Inquiry* inquiry = Inquiry::estimating()) {
        constexpr double kQuestion = 100, kLetter = 5;
        DataSize items = inquiry->size_of(o.items);
        if (o.sample) items.rows = std::min(items.rows, static_cast<double>(*o.sample));
        const double orders = o.pairwise.orders == PairOrders::both ? 2 : 1;
        WorkEstimate work;
        add_asked(work, "judge", o.judging.spec, items.rows * orders * static_cast<double>(o.criteria.size()),
                  kQuestion + 3 * items.text, kLetter);
        inquiry->tell(std::move(work));
    }
}

// One thing to ask about.
struct PairTask {
    const PairwiseItem* item;
    const PairwiseJudge* judge;
    std::string criterion;
};

int run_eval_pairwise(int argc, const char* const* argv);

const Command kEvalPairwiseCommand = {
    "eval pairwise",
    CommandGroup::evaluate,
    "which of two systems' revisions a judge prefers",
    "craft-train eval pairwise --items share/examples/easy.jsonl --a share/examples/easy_a.jsonl --b "
    "share/examples/easy_b.jsonl --criteria fluency --attempts 1 --judge "
    "local:weights/smollm2-135m-instruct.gguf",
    run_eval_pairwise,
    Work::generation};

PairwiseItems read_items(const EvalPairwiseOptions& o, uint64_t seed) {
    const std::vector<RevisedText> texts = read_revised_texts(o.items, o.lines);
    const std::vector<RevisedText> drawn = o.sample ? drawn_texts(texts, *o.sample, seed) : texts;
    const auto revised = [&](const std::string& file) {
        return pairs_of(drawn, pair_texts(texts, read_revised_texts(file, o.lines)));
    };
    const TextPairs a = revised(o.a);
    return join_revisions(a, revised(o.b));
}

Json corpus_of(const EvalPairwiseOptions& o, const PairwiseItems& joined,
               const std::map<std::string, PairwiseFigures>& figures) {
    Json corpus = {{"items", joined.items.size()},  {"missing", joined.missing}, {"missing_a", joined.missing_a},
                   {"missing_b", joined.missing_b}, {"empty_a", joined.empty_a}, {"empty_b", joined.empty_b},
                   {"criteria", Json::object()}};
    for (const std::string& criterion : o.criteria) corpus["criteria"][criterion] = to_json(figures.at(criterion));
    return corpus;
}

// An item's verdict is a share of preferring A, also of a criterion whose name elsewhere means errors.
Json what_pairwise_says(const EvalPairwiseOptions& o) {
    Json all = Json::object();
    for (const std::string& criterion : o.criteria) all[criterion]["better"] = "higher";
    return all;
}

// The cases of each system, as a table takes them from results of several systems.
Json systems_of(const EvalPairwiseOptions& o, int64_t missing, const std::map<std::string, PairwiseFigures>& figures) {
    Json cases_a = Json::object(), cases_b = Json::object();
    for (const std::string& criterion : o.criteria) {
        cases_a[criterion] = {{"wins", figures.at(criterion).wins}};
        cases_b[criterion] = {{"wins", figures.at(criterion).losses}};
    }
    return {{o.names[0], {{"corpus", {{"missing", missing}, {"criteria", cases_a}}}}},
            {o.names[1], {{"corpus", {{"missing", missing}, {"criteria", cases_b}}}}}};
}

int run_eval_pairwise(int argc, const char* const* argv) {
    CommonOptions common;
    EvalPairwiseOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalPairwiseCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;

    options.pairwise.seed = common.seed;
    options.pairwise.asking = options.judging.asking;
    Judging judging(options.judging, run_identity(kEvalPairwiseCommand, table, common), open_placement(common));
    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    const PairwiseItems joined = read_items(options, common.seed);
    warn_of_empty_revisions({{"empty_a", joined.empty_a}, {"empty_b", joined.empty_b}});
    std::vector<PairwiseJudge> judges;
    for (const std::string& criterion : options.criteria)
        judges.emplace_back(judging.judge(), judging.prompts(), criterion, options.pairwise);
    std::vector<PairTask> tasks;
    for (const PairwiseItem& item : joined.items)
        for (size_t i = 0; i < judges.size(); ++i) tasks.push_back({&item, &judges[i], options.criteria[i]});
    PairwiseTotals totals;
    const bool all = judging.run<PairTask, PairJudgement>(
        "questions", tasks, [](const PairTask& task) { return task.judge->judge(*task.item); },
        [&](const PairTask& task, const PairJudgement& judgement) {
            totals.add(task.item->id, task.criterion, judgement);
            judging.keep(judgement_rows(task.item->id, task.criterion, judgement));
        });
    if (!all) return 0;
    judging.require_answers(totals.counts());
    Json how = judging.options();
    how["orders"] = table.at("orders").current();
    Json result = {{"kind", "pairwise"},        {"a", options.a},      {"b", options.b},
                   {"options", std::move(how)}, {"seed", common.seed}, {"figures", what_pairwise_says(options)},
                   {"bad_lines", bad_lines}};
    const auto figures = totals.figures({options.resamples, common.seed});
    result["corpus"] = corpus_of(options, joined, figures);
    if (!options.names.empty()) result["systems"] = systems_of(options, joined.missing, figures);
    result["items"] = totals.items();
    judging.write(result);
    return 0;
}

}  // namespace

Command eval_pairwise_command() {
    return kEvalPairwiseCommand;
}

}  // namespace craft
