#include "cli/simplify_feedback.h"

#include "cli/judge_inputs.h"
#include "core/error.h"
#include "core/files.h"
#include "core/progress.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/model_reporter.h"
#include "judge/verdicts/principles/principles_reporter.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

void bind_judge_sampling(OptionTable& table, ChoiceAsking& asking) {
    SamplingOptions& sampling = asking.sampling;
    table.add("attempts", asking.attempts, "the judge is asked at most so often where its answer cannot be read")
        .flag("--attempts")
        .min(1)
        .max(100);
    table.add("judge_sampling.temperature", sampling.temperature, "of the judge's first answer; 0: greedy").min(0);
    table.add("judge_sampling.top_p", sampling.top_p, "share of the probability that is drawn from").min(0).max(1);
    table.add("judge_sampling.top_k", sampling.top_k, "tokens that are drawn from; 0: all").min(0);
    table
        .add("judge_sampling.again_temperature", asking.again_temperature,
             "of the judge's later answers, where the first is greedy and would only be repeated")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", sampling.max_new_tokens,
                    "of the judge's answers, thinking included");
}

fs::path guideline_file(const SimplifyFeedbackOptions& o) {
    return o.guideline.empty() ? share_folder() / "guidelines" / "sentence.txt" : fs::path(o.guideline);
}

// The document guideline shows a judge no worked reports, and rules read single sentences.
void check_document(OptionTable& table, const SimplifyFeedbackOptions& o) {
    if (o.guideline.empty())
        table.add_problem("--feedback: --policy document goes with a --guideline FILE that has worked reports");
    if (o.spec.kind == CandidateJudgeSpec::Kind::rules)
        table.add_problem("--judge: expected a model for whole texts, local:MODEL[+ADAPTER] or openai:PROFILE, got " +
                          o.judge);
}

}  // namespace

void bind_simplify_feedback(OptionTable& table, SimplifyFeedbackOptions& o) {
    const auto group = table.group("Feedback");
    table
        .add("feedback.rounds", o.rounds.rounds,
             "rounds in which --judge reports on the text and the model makes it better; 0: none")
        .flag("--feedback")
        .min(0)
        .max(100);
    const size_t before = table.options().size();
    table.add("judge", o.judge, "who reports: local:MODEL[+ADAPTER]; openai:PROFILE; rules, which compute the principles")
        .flag("--judge")
        .input()
        .required_with("feedback.rounds");
    table
        .add("guideline", o.guideline,
             "what the judge is told; empty: share/guidelines/sentence.txt and the policy's aspect of it")
        .flag("--guideline")
        .input();
    table.add("aspect", o.rounds.aspect, "which of the guideline's aspects is reported on")
        .flag("--aspect")
        .needs("guideline", "share/guidelines/sentence.txt is read by the policy's aspect");
    table.add_enum("feedback.form", o.rounds.form, {{"turn", FeedbackForm::turn}, {"apart", FeedbackForm::apart}},
                   "turn: the report is the next turn behind the model's own text; apart: a conversation of its own");
    table
        .add_enum("feedback.keep", o.rounds.kept, {{"last", KeptText::last}, {"preferred", KeptText::preferred}},
                  "last: of the last round; preferred: an answer only where the judge calls it better than the text before")
        .flag("--keep");
    table.add("trace", o.trace, "file for every round of each text: report, answer, verdict; empty: none")
        .flag("--trace")
        .output()
        .resumed();
    table
        .add_enum("orders", o.plan.orders,
                  {{"random", CandidateOrders::random}, {"both", CandidateOrders::both}, {"fixed", CandidateOrders::fixed}},
                  "how the text before and the answer are shown for the verdict: drawn by --seed; that and the reverse; as "
                  "they came")
        .flag("--orders");
    bind_judge_sampling(table, o.asking);
    bind_judging_materials(table, o.sources);
    for (Option& option : table.added_since(before)) option.needs("feedback.rounds");
}

void check_simplify_feedback(OptionTable& table, SimplifyFeedbackOptions& o, const std::string& model,
                             SimplificationPolicy policy) {
    if (!o.is_on()) return;
    if (model.starts_with("rules:")) table.add_problem("--feedback: expected a model that reads reports, got " + model);
    if (!o.judge.empty() && parse_candidate_judge(table, "judge", o.judge, o.spec) &&
        o.spec.kind == CandidateJudgeSpec::Kind::scores)
        table.add_problem("--judge: expected one that says something, local:MODEL[+ADAPTER], openai:PROFILE or rules, got " +
                          o.judge);
    if (policy == SimplificationPolicy::document) check_document(table, o);
    table.at("guideline").reads({guideline_file(o)});
}

OpenedFeedback::OpenedFeedback(const SimplifyFeedbackOptions& options, const std::string& english,
                               SimplificationPolicy policy, const PromptFiles& prompts, const CommonOptions& common,
                               AskingRun& asking)
    : rounds_(options.rounds), settings_(options.sources), sources_(settings_, common) {
    settings_.english = english;
    const fs::path file = guideline_file(options);
    guideline_ = read_guideline(file);
    if (options.guideline.empty()) rounds_.aspect = policy_aspect(policy);
    rounds_.aspect = aspect_of_guideline(guideline_, file.string(), rounds_.aspect);
    record_ = {{"judge", options.judge},
               {"aspect", rounds_.aspect},
               {"guideline", {{"version", guideline_.version}, {"hash", guideline_.hash}}}};
    options.spec.kind == CandidateJudgeSpec::Kind::rules ? open_rules(options) : open_model(options, prompts, asking);
    JudgingPlan plan = options.plan;
    plan.seed = common.seed;
    panel_.emplace(std::vector<const CandidateJudge*>{judge_.get()}, plan);
}

void OpenedFeedback::open_model(const SimplifyFeedbackOptions& options, const PromptFiles& prompts, AskingRun& asking) {
    const NamedMaterials materials = sources_.materials();
    const auto listwise = std::make_shared<ListwisePrompt>(guideline_, prompts, materials.materials);
    for (const std::string& what : listwise->lacking())
        log_warning("aspects of the guideline go by what nobody makes here, and the judge sees the texts alone",
                    {{"lacking", what}});
    record_["materials"] = {{"made_by", materials.names}, {"lacking", listwise->lacking()}};
    System& system = asking.open(options.spec.system, "judge");
    reporter_ = std::make_unique<ModelReporter>(
        system, options.judge, std::make_shared<ReportPrompt>(guideline_, rounds_.aspect, prompts, materials.materials),
        options.asking);
    judge_ = std::make_unique<ListwiseJudge>(system, options.judge, listwise, std::vector<std::string>{rounds_.aspect},
                                             options.asking);
}

void OpenedFeedback::open_rules(const SimplifyFeedbackOptions& options) {
    record_["rules"] = rule_judge_record(options.sources.rules);
    auto judge =
        std::make_unique<PrinciplesJudge>(options.judge, std::vector<std::string>{rounds_.aspect}, sources_.principles());
    reporter_ = std::make_unique<PrinciplesReporter>(*judge, rounds_.aspect);
    judge_ = std::move(judge);
}

}  // namespace craft
