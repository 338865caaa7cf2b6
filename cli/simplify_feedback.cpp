#include "cli/simplify_feedback.h"

#include "cli/judging_options.h"
#include "cli/system_options.h"

namespace craft {

namespace {

void bind_judge_sampling(OptionTable& table, ChoiceAsking& asking) {
    SamplingOptions& sampling = asking.sampling;
    table.add("attempts", asking.attempts, "maximum attempts of the judge at an answer that cannot be parsed")
        .flag("--attempts")
        .min(1)
        .max(100);
    table
        .add("judge_sampling.temperature", sampling.temperature,
             "sampling temperature of the judge's first answer; 0: greedy")
        .min(0);
    table
        .add("judge_sampling.top_p", sampling.top_p, "nucleus sampling: probability mass of the tokens sampled from; 1: all")
        .min(0)
        .max(1);
    table.add("judge_sampling.top_k", sampling.top_k, "most probable tokens sampled from; 0: all").min(0);
    table
        .add("judge_sampling.again_temperature", asking.again_temperature,
             "sampling temperature of the judge's retries, where its first answer is greedy and would only be repeated")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", sampling.max_new_tokens,
                    "of the judge's answers, including thinking");
}

// The document guideline shows a judge no worked reports, and rules read single sentences.
void check_document(OptionTable& table, const SimplifyFeedbackOptions& o) {
    if (o.guideline.empty())
        table.add_problem("--feedback: --policy document requires a --guideline FILE with worked reports");
    if (o.spec.kind == CandidateJudgeSpec::Kind::rules)
        table.add_problem("--judge: expected a model for whole texts, local:MODEL[+ADAPTER] or openai:PROFILE, got " +
                          o.judge);
}

}  // namespace

void bind_simplify_feedback(OptionTable& table, SimplifyFeedbackOptions& o) {
    const auto group = table.group("Feedback");
    table
        .add("feedback.rounds", o.rounds.rounds,
             "rounds in which --judge reports on the text and the model improves it; 0: none")
        .flag("--feedback")
        .min(0)
        .max(100);
    const size_t before = table.options().size();
    table
        .add("judge", o.judge,
             "system that reports: local:MODEL[+ADAPTER]; openai:PROFILE; rules, which compute the principles")
        .flag("--judge")
        .input()
        .required_with("feedback.rounds");
    table
        .add("guideline", o.guideline,
             "guideline for the judge; empty: share/guidelines/sentence.txt and the policy's aspect of it")
        .flag("--guideline")
        .input();
    table.add("aspect", o.rounds.aspect, "the guideline's aspect to report on")
        .flag("--aspect")
        .needs("guideline", "share/guidelines/sentence.txt is read by the policy's aspect");
    table.add_enum("feedback.form", o.rounds.form, {{"turn", FeedbackForm::turn}, {"apart", FeedbackForm::apart}},
                   "turn: the report is the next turn after the model's own text; apart: a separate conversation");
    table
        .add_enum("feedback.keep", o.rounds.kept, {{"last", KeptText::last}, {"preferred", KeptText::preferred}},
                  "last: the last round's answer; preferred: an answer only if the judge prefers it to the previous text")
        .flag("--keep");
    table.add("trace", o.trace, "file for every round of each text: report, answer, verdict; empty: none")
        .flag("--trace")
        .output()
        .resumed();
    table
        .add_enum(
            "orders", o.plan.orders,
            {{"random", CandidateOrders::random}, {"both", CandidateOrders::both}, {"fixed", CandidateOrders::fixed}},
            "order in which the previous text and the answer are judged: drawn by --seed; that and its reverse; as given")
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
        table.add_problem("--judge: expected one that writes reports, local:MODEL[+ADAPTER], openai:PROFILE or rules, got " +
                          o.judge);
    if (policy == SimplificationPolicy::document) check_document(table, o);
    table.at("guideline").reads({guideline_file(o)});
}

}  // namespace craft
