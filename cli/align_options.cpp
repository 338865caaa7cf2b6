#include "cli/align_options.h"

#include <algorithm>

#include "cli/common.h"
#include "cli/option_groups.h"
#include "cli/scorer_options.h"
#include "cli/system_options.h"
#include "data/constraints/sealed_sets.h"
#include "systems/prompts.h"

namespace craft {

void bind_rounds(OptionTable& table, AlignOptions& o) {
    const auto group = table.group(kRoundsGroup);
    table.add("rounds.instructions", o.generator.count, "instructions per round").min(1);
    bind_domains(table, "rounds.domains", o.generator.domains,
                 "their domains, cycled through; a domain listed twice comes twice as often");
    bind_mix(table, "rounds.mix", o.generator.mix);
    table.add("rounds.samples", o.samples, "responses sampled for each history").min(2);
    table.add("rounds.history_steps", o.history_steps, "responses are sampled at a random step from 1 to this one").min(1);
    table.add("rounds.min_gap", o.pairs.min_gap, "minimum difference in S_a between a pair's sides, in points").min(0);
    table
        .add("rounds.min_tool_f1", o.pairs.min_tool_f1,
             "minimum tool F1 of a pair's chosen response; 1: it calls all that it should and nothing else")
        .min(0)
        .max(1);
    table.add("rounds.epsilon", o.epsilon, "minimum gain in tool F1 or S_a that counts as an improvement, in points").min(0);
    table.add("rounds.mean", o.mean, "a round's planner is the mean of the adapters trained so far");
    table.add("rounds.control", o.control, "also train a control: SFT on the preferred responses alone, with equal compute");
    table.add("sampling.temperature", o.sampling.temperature, "of sampled responses, which have to differ").above(0);
    table.add("sampling.top_p", o.sampling.top_p, "nucleus sampling: probability mass of the tokens sampled from; 1: all")
        .above(0)
        .max(1);
    table.add("sampling.top_k", o.sampling.top_k, "most probable tokens sampled from; 0: all").min(0);
    bind_new_tokens(table, "sampling.max_new_tokens", o.sampling.max_new_tokens, "of every response");
    bind_constrained(table, o.sampling);
}

OptionState learning_from_groups() {
    return {"rounds.method", {"grpo", "rloo", "dr_grpo"}};
}

namespace {

// Of the options of a loss and its training: what groups have no use for.
void exclude_groups(OptionTable& table, const RoundTrainingKeys& keys) {
    const OptionState has_groups = learning_from_groups();
    table.at(keys.train + ".part_norms_every").excludes(has_groups, "a policy gradient has one part");
    table.at(keys.loss_name).excludes(has_groups, "groups have a loss of their own").else_idle();
    const LossOptions any;
    for_each_coefficient(any, [&](const std::string& name, const auto&, const char*) {
        Option& option = table.at(keys.loss + "." + name);
        if (name != "reference") {
            option.excludes(has_groups, "groups have a loss of their own").else_idle();
            return;
        }
        // What both kinds of loss compare with.
        option.conditions.clear();
        option.needs_any({{keys.loss_name, {"dpo"}}, has_groups});
    });
}

}  // namespace

void bind_method(OptionTable& table, AlignOptions& o, const RoundTrainingKeys& keys) {
    const OptionState has_groups = learning_from_groups();
    const auto group = table.group(kRoundsGroup);
    table
        .add_enum(
            "rounds.method", o.method,
            {{"pairs", std::nullopt}, {"grpo", Advantage::grpo}, {"rloo", Advantage::rloo}, {"dr_grpo", Advantage::dr_grpo}},
            "pairs of the best and the worst response by a preference loss, or all of a history's responses by a policy "
            "gradient with the advantage of this name")
        .flag("--method");
    exclude_groups(table, keys);
    table.at("rounds.min_gap").excludes(has_groups, "every difference counts").else_idle();
    table.at("rounds.min_tool_f1").excludes(has_groups, "no response is chosen");
    table.at("rounds.mean").excludes(has_groups, "what samples has to be what is trained");
    const size_t before = table.options().size();
    table.add("grpo.beta", o.policy.beta, "weight of the divergence from --reference; 0: none").min(0);
    table.add("grpo.epsilon_low", o.policy.epsilon_low, "probability ratios are clipped below 1 - this").above(0).max(1);
    table.add("grpo.epsilon_high", o.policy.epsilon_high, "probability ratios are clipped above 1 + this").above(0);
    table.add_enum("grpo.normalisation", o.policy.mean,
                   {{"dapo", TokenMean::dapo}, {"grpo", TokenMean::grpo}, {"dr_grpo", TokenMean::dr_grpo}},
                   "what token losses are divided by: the step's tokens; their response's, then the responses; or the "
                   "responses times sampling.max_new_tokens");
    for (Option& option : table.added_since(before)) option.needs(has_groups);
}

void bind_test_set(OptionTable& table, AlignOptions& o) {
    table
        .add("data.test", o.test,
             "instructions of the sealed test set, evaluated once at the end, choosing nothing; fewer than all: those with "
             "the shortest texts; 0: skipped")
        .min(0)
        .max(static_cast<double>(test_set().instructions));
}

void add_round_problems(OptionTable& table, const AlignOptions& o, const std::string& loss) {
    add_domain_problems(table, "rounds.domains", o.generator);
    const Option& reference = table.at(loss + ".reference");
    if (o.method && reference.is_given && o.policy.beta == 0)
        table.add_problem(reference.shown_name() + ": expected grpo.beta above 0, got 0, with which nothing is compared");
}

void add_domain_problems(OptionTable& table, const char* key, const GeneratorOptions& o) {
    if (std::find(o.domains.begin(), o.domains.end(), 4) == o.domains.end()) {
        add_mix_problem(table, "rounds.mix", o.mix, o.domains);
    } else if (const Option& option = table.at(key); option.check().empty()) {
        table.add_problem(option.shown_name() + ": expected c0 to c3, got c4, which is for evaluation only");
    }
}

Option& bind_prompt(OptionTable& table, std::string& prompt) {
    std::vector<std::string> names = prompt_names();
    names.insert(names.begin(), "auto");
    return table.add("prompt", prompt, "share/prompts/planner.NAME.txt; auto: what the planner was trained with, else full")
        .flag("--prompt")
        .one_of(names);
}

Option& bind_constrained(OptionTable& table, SamplingOptions& sampling) {
    return table.add(
        "sampling.constrain_calls", sampling.constrain_calls,
        "constrain the planner's responses to their format and calls to their normal form (docs/definitions.md)");
}

void bind_environment(OptionTable& table, EnvironmentOptions& o) {
    {
        const auto group = table.group(kRoundsGroup);
        bind_prompt(table, o.prompt);
    }
    const auto group = table.group(kRewardGroup);
    table.add("reward.lambda_v", o.reward.lambda_v, "weight of tool usage in S_a").min(0);
    table.add("reward.lambda_r", o.reward.lambda_r, "weight of quality in S_a").min(0);
    table.add("reward.lambda_c", o.reward.lambda_c, "weight of constraint adherence in S_a").min(0);
    bind_reward_scorers(table, o.scorers);
    bind_model(table, "perplexity_model", o.perplexity_model, "model for perplexity; none: the planner's base model")
        .flag("--perplexity-model");
    bind_sentences(table, o.reward.sentences);
}

}  // namespace craft
