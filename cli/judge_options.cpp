#include "cli/judge_options.h"

#include <algorithm>

#include "cli/inquiry.h"
#include "cli/judging_options.h"
#include "cli/option_groups.h"
#include "cli/system_options.h"
#include "judge/verdicts/mark_scales.h"
#include "text/lists.h"

namespace craft {

void bind_pair_making(OptionTable& table, PairMakingOptions& o) {
    const auto group = table.group("Pairs");
    table.add("pair_filters.min_gap", o.min_gap, "minimum score gap between a pair's sides; 0: any difference")
        .flag("--min-gap")
        .min(0)
        .needs({"judge", {"scores"}}, "verdicts are no numbers");
    table
        .add("pair_filters.max_length_ratio", o.max_length_ratio,
             "maximum ratio of the longer side's words to the shorter side's; 0: no limit")
        .flag("--max-length-ratio");
    table
        .add("pair_filters.max_source_copy", o.max_source_copy,
             "maximum character similarity of a chosen side to its source, 0-1; 1: no limit")
        .flag("--max-source-copy");
    table.add("pair_filters.different_systems", o.different_systems, "drop pairs with both sides from one system")
        .flag("--different-systems");
    table
        .add("pair_filters.leak_check", o.leak_files,
             "evaluation files, JSON Lines (text, source, references) or plain text: pairs that share a sequence of words "
             "with them are dropped")
        .flag("--leak-check")
        .input();
    table.add("pair_filters.leak_words", o.leak_words, "length of such a sequence, in words")
        .flag("--leak-words")
        .min(1)
        .needs("pair_filters.leak_check");
}

void check_pair_making(OptionTable& table, const PairMakingOptions& o) {
    for (const FieldProblem& problem : pair_filter_problems(o)) {
        const Option& option = table.at("pair_filters." + problem.field);
        if (option.check().empty()) table.add_problem(option.shown_name() + ": " + problem.problem);
    }
}

void bind_candidate_scores(OptionTable& table, CandidateScoreOptions& o) {
    const auto group = table.group("Judging by numbers");
    const std::vector<OptionState> by_scores = {{"judge", {"scores"}}, {"panel", {"scores"}}};
    const OptionState by_model = {"scores.metric", {"bartscore", "perplexity", "some"}};
    table.expect_one({.keys = {"scores.metric", "scores.command", "scores.field"},
                      .why = "what --judge scores goes by",
                      .only_if = by_scores});
    table
        .add("scores.metric", o.metric,
             "--judge scores: metric to score by; lowest is best for perplexity and fkgl, highest for others")
        .flag("--scores-metric")
        .one_of([] {
            std::vector<std::string> names = candidate_metric_names();
            names.insert(names.begin(), "");
            return names;
        }())
        .needs_any(by_scores);
    bind_model(table, "scores.model", o.model,
               "perplexity: a decoder; bartscore: an encoder-decoder; some: a folder of three regressors")
        .flag("--scores-model")
        .needs(by_model)
        .required_with(by_model);
    table
        .add("scores.command", o.command.command,
             "--judge scores: score by a shell command that reads {\"id\",\"source\",\"prediction\",\"references\":[]} per "
             "line and writes {\"id\",\"score\"} in the same order, optionally with \"scorer\" (its name) and \"scale\" "
             "([lowest,highest])")
        .flag("--scores-command")
        .needs_any(by_scores);
    table.add("scores.field", o.field, "--judge scores: score by this field of the candidates' \"scores\"")
        .flag("--scores-field")
        .needs_any(by_scores);
    table.add("scores.lower", o.lower_is_better, "the lowest score of the command or field is best")
        .flag("--scores-lower")
        .needs_any({"scores.command", "scores.field"});
    table.add("scores.timeout", o.command.timeout_seconds, "seconds without an answer before the command is killed")
        .min(0.1)
        .needs("scores.command");
    table.add("scores.restarts", o.command.restarts, "restarts of a command that exits").min(0).needs("scores.command");
    table.add("scores.batch_tokens", o.batch_tokens, "tokens per batch of a metric's model").min(1).needs(by_model);
}

namespace {

const OptionState kTwoAreCompared = OptionState::at_least("compare", 2);

void bind_question(OptionTable& table, JudgeOptions& o) {
    const auto group = table.group(kJudgeGroup);
    const std::vector<OptionState> asked = {{"judge", {"local:", "openai:"}}, {"panel", {"local:", "openai:"}}};
    table.add("guideline", o.guideline, "guideline for judges: a file such as share/guidelines/sentence.txt")
        .flag("--guideline")
        .input()
        .excludes({"form", {"pointwise", "joint"}}, "its prompts are pointwise.*.txt and joint.*.txt, of --prompts");
    table
        .add("aspect", o.aspect,
             "the guideline's aspect that pairs are made by; for a judge that marks, what it "
             "marks (joint: beside others)")
        .flag("--aspect");
    table
        .add("judge", o.judge,
             "judge: local:MODEL[+ADAPTER]; openai:PROFILE; rules, which computes the principles of "
             "share/guidelines/sentence.txt; scores, by numbers (--scores-...)")
        .flag("--judge")
        .input();
    table.add("panel", o.panel, "several judges instead, comma-separated").flag("--panel").input();
    table.expect_one({.keys = {"judge", "panel"}, .why = "who judges", .unless = {kTwoAreCompared}});
    table
        .add_enum("panel_mode", o.plan.mode, {{"all", PanelMode::all}, {"rotate", PanelMode::rotate}},
                  "all: every judge judges each group, and more than half must agree; rotate: one judge per group, in turn")
        .flag("--panel-mode")
        .needs("panel");
    table
        .add_enum("form", o.form,
                  {{"listwise", JudgeForm::listwise},
                   {"pairwise", JudgeForm::pairwise},
                   {"pointwise", JudgeForm::pointwise},
                   {"joint", JudgeForm::joint}},
                  "all candidates at once; each two of them; one by one on a scale; all at once, each on several scales")
        .flag("--form")
        .needs_any(asked, "rules and scores judge all candidates at once")
        .when({"pairwise", "pointwise", "joint"});
    table
        .add_enum("orders", o.plan.orders,
                  {{"random", CandidateOrders::random}, {"both", CandidateOrders::both}, {"fixed", CandidateOrders::fixed}},
                  "order of candidates: drawn by --seed per group and repeat; that and its reverse, where a changed verdict "
                  "is a tie; as in the file")
        .flag("--orders")
        .excludes({"form", {"pointwise"}}, "a pointwise judge sees one candidate at a time")
        .when({"both"});
    table.add("repeat", o.plan.repeats, "questions to each judge per group").flag("--repeat").min(1).max(1000);
}

void bind_asking(OptionTable& table, JudgeOptions& o) {
    const auto group = table.group(kJudgeGroup);
    SamplingOptions& sampling = o.asking.sampling;
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table.add("attempts", o.asking.attempts, "maximum attempts at a question whose answer cannot be parsed")
        .flag("--attempts")
        .min(1)
        .max(100);
    table.add("judge_sampling.temperature", sampling.temperature, "sampling temperature of the first answer; 0: greedy")
        .flag("--temperature")
        .min(0);
    table
        .add("judge_sampling.top_p", sampling.top_p, "nucleus sampling: probability mass of the tokens sampled from; 1: all")
        .min(0)
        .max(1);
    table.add("judge_sampling.top_k", sampling.top_k, "most probable tokens sampled from; 0: all").min(0);
    table
        .add("judge_sampling.again_temperature", o.asking.again_temperature,
             "sampling temperature of retries, where the first answer is greedy and would only be repeated")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", sampling.max_new_tokens, "of an answer, including thinking")
        .flag("--max-new-tokens");
}

void bind_pairs(OptionTable& table, JudgeOptions& o) {
    table
        .add("system_prompt", o.system_prompt, "file of the system message in the prompts of pairs; empty: the source alone")
        .flag("--system-prompt")
        .input();
    bind_pair_making(table, o.pairs);
    bind_candidate_scores(table, o.scores);
}

bool is_ours(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void check_judges(OptionTable& table, JudgeOptions& o) {
    std::vector<std::string> names = o.panel;
    if (!o.judge.empty()) names.insert(names.begin(), o.judge);
    std::vector<SystemSpec> systems;
    for (size_t i = 0; i < names.size(); ++i) {
        if (is_ours({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i)}, names[i]))
            table.add_problem("--panel: expected each judge once, got " + names[i] + " again");
        CandidateJudgeSpec spec;
        if (!parse_candidate_judge(table, o.judge.empty() ? "panel" : "judge", names[i], spec)) continue;
        if (spec.kind == CandidateJudgeSpec::Kind::system) systems.push_back(spec.system);
        o.specs.push_back(std::move(spec));
    }
    if (o.specs.size() == names.size() && !names.empty()) check_role_systems(table, o.systems, systems);
}

// A question shows the source and all candidates; those of pairs and marks show fewer and are more.
void tell_work(const JudgeOptions& o, Inquiry& inquiry) {
    constexpr double kGuideline = 500, kVerdict = 300, kCandidates = 4;
    const bool by_items = !o.items.empty();
    DataSize groups = inquiry.size_of(by_items ? o.items : o.input);
    if (o.sample) groups.rows = std::min(groups.rows, static_cast<double>(*o.sample));
    const double candidates = by_items ? static_cast<double>(o.outputs.size()) : kCandidates;
    const double shown = by_items ? groups.text * (1 + candidates) : groups.text;
    const double orders = o.plan.orders == CandidateOrders::both ? 2 : 1;
    const double asked = groups.rows * static_cast<double>(o.plan.repeats) * orders;
    double questions = 1, part = 1;  // of a group, and the share of `shown` that each shows
    if (o.form == JudgeForm::pointwise) questions = candidates, part = 2 / (1 + candidates);
    if (o.form == JudgeForm::pairwise) questions = candidates * (candidates - 1) / 2, part = 3 / (1 + candidates);
    WorkEstimate work;
    for (const CandidateJudgeSpec& spec : o.specs)
        if (spec.kind == CandidateJudgeSpec::Kind::system)
            add_asked(work, spec.text, spec.system, asked * questions, kGuideline + part * shown, kVerdict);
    inquiry.tell(std::move(work), {{o.output, {groups.rows, groups.text * 3 / (by_items ? 1 : 1 + candidates)}}});
}

void check_form(OptionTable& table, const JudgeOptions& o) {
    const bool reads_guideline = o.has(CandidateJudgeSpec::Kind::system) || o.has(CandidateJudgeSpec::Kind::rules);
    if (!gives_marks(o.form)) {
        if (o.guideline.empty() && (reads_guideline || o.specs.empty()))
            table.add_missing("missing --guideline: the guideline for judges");
        return;
    }
    if (!is_ours(mark_scale_names(), o.aspect))
        table.add_problem("--aspect: " + expected_one_of(mark_scale_names(), o.aspect));
}

}  // namespace

void bind_judge(OptionTable& table, JudgeOptions& o) {
    const auto data = table.group(kDataGroup);
    table.add("input", o.input, "{\"id\",\"source\",\"candidates\":[{\"system\",\"text\"}...]} per line, - for stdin")
        .flag("--input")
        .input()
        .excludes("items")
        .required_without_any({kTwoAreCompared, "items"});
    table.add("items", o.items, "texts instead, {\"id\",\"text\"} per line, of which --outputs has revisions")
        .flag("--items")
        .input()
        .needs("outputs");
    table.add("outputs", o.written_outputs, "revisions of --items, NAME=FILE, comma-separated: {\"id\",\"text\"} per line")
        .flag("--outputs")
        .input()
        .needs("items");
    table.add("sample", o.sample, "texts of --items that are judged, drawn by --seed; none: all")
        .flag("--sample")
        .min(1)
        .needs("items");
    table.add("output", o.output, "pairs, {\"prompt\",\"chosen\",\"rejected\"} per line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest();
    table.add("judgements", o.judgements, "file for every judgement, with the raw answers; empty: none")
        .flag("--judgements")
        .output()
        .resumed();
    table.add("marks", o.marks, "file for the systems' mean marks, which `eval table --layout t5|e5` reads; empty: none")
        .flag("--marks")
        .output()
        .resumed()
        .needs({"form", {"pointwise", "joint"}});
    table
        .add("compare", o.compare,
             "judgements to compare this run's with; or two files, comma-separated, to compare without asking")
        .flag("--compare")
        .input();
    bind_question(table, o);
    bind_asking(table, o);
    bind_pairs(table, o);
    bind_judging_settings(table, o.sources);
    table.add("dry_run", o.dry_run, "make no requests: print the number of questions and one of them")
        .flag("--dry-run")
        .rehearsal()
        .not_identity()
        .needs_any({{"judge", {"local:", "openai:"}}, {"panel", {"local:", "openai:"}}}, "rules and scores are not asked");
    bind_role_systems(table, o.systems, {"judge", "panel"});
    for (const char* key : {"input", "items", "judge", "panel", "judgements", "marks", "guideline"})
        table.at(key).excludes(kTwoAreCompared, "two files are compared, and nobody is asked");
    table.add("flow.items", o.flow.items_at_once, "groups judged concurrently").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

void check_judge(OptionTable& table, JudgeOptions& o) {
    if (o.compare.size() > 2)
        table.add_problem("--compare: expected one file or two, got " + std::to_string(o.compare.size()));
    if (o.only_compares()) return;
    o.outputs = named_files(table, "outputs", o.written_outputs);
    check_judges(table, o);
    check_form(table, o);
    check_pair_making(table, o.pairs);
    if (Inquiry* inquiry = Inquiry::estimating()) tell_work(o, *inquiry);
}

}  // namespace craft
