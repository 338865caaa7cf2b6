#include "cli/gec_options.h"

#include <algorithm>

namespace craft {

constexpr const char* kTeacher = "gold";

bool is_taught(const GecOptions& o) {
    return o.may_be_taught && o.model == kTeacher;
}

void bind_gec(OptionTable& table, GecOptions& o) {
    table.add("output", o.output, "a line each, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest()
        .required();
    const auto agent = table.group("Agent");
    table
        .add("model", o.model,
             std::string("who is the agent: rules, local:MODEL[+ADAPTER], or openai:PROFILE") +
                 (o.may_be_taught ? "; or gold, a teacher who knows the corrections" : ""))
        .flag("--model")
        .input()
        .required();
    bind_gec_rules(table, o.rules);
    bind_gec_tools(table, o.tools);
    table.add("steps", o.agent.steps, "replies of the model for a sentence at most").flag("--steps").min(1).max(1000);
    table
        .add(
            "prompt", o.prompt.name,
            "what the agent is told: full; short, for small models; trained, for models that were trained on traces with it")
        .flag("--prompt")
        .one_of({"full", "short", "trained"});
    table.add("no_reflection", o.no_reflection, "changes are not reflected on, and none can be withdrawn")
        .flag("--no-reflection");
    table.add("most_words", o.agent.most_words, "a longer sentence is left as it is and counted as too_long; 0: none is")
        .min(0);
    table.add("most_observed", o.agent.most_observed, "characters of what a tool finds that the model reads; 0: all").min(0);
    table.add("prompts", o.prompts, "folder of prompt files that come before those of share/prompts")
        .flag("--prompts")
        .input();
    table.add("sampling.temperature", o.agent.sampling.temperature, "of the model's answers; 0: greedy")
        .flag("--temperature")
        .min(0);
    table.add("sampling.top_p", o.agent.sampling.top_p, "mass of the tokens sampled from; 1: all").min(0.01).max(1);
    bind_new_tokens(table, "sampling.max_new_tokens", o.agent.sampling.max_new_tokens, "of an answer, thinking included")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.asked, {"model"});
    table.add("flow.items", o.flow.items_at_once, "texts worked on side by side").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

void check_gec(OptionTable& table, GecOptions& o) {
    o.prompt.reflection = !o.no_reflection;
    if (const std::string& english = o.tools.grammar.english; english != "auto" && english != "none")
        table.at("english").reads({english});
    if (is_taught(o)) {
        table.at("model").reads({});
        return;
    }
    if (o.model == kTeacher) {
        table.add_problem("--model: gold is given the corrections, which gec traces alone has");
        return;
    }
    if (o.model.empty() || !parse_role(table, "model", o.model, o.spec)) return;
    if (o.spec.kind == SystemSpec::Kind::rules) table.find("model")->reads({gec_rules_model(o.rules)});
    check_role_systems(table, o.asked, {o.spec});
}

namespace {

// Answers without steps call none, and the built-in rules read no repairs by the parse alone, so that none are tried.
GecToolOptions tools_of(const GecOptions& o) {
    GecToolOptions tools = o.tools;
    if (o.spec.kind == SystemSpec::Kind::rules && !is_taught(o)) tools.grammar.no_repairs = true;
    if (o.method != GecMethod::agent) tools.tools = {"none"};
    return tools;
}

}  // namespace

GecCorrector::GecCorrector(const GecOptions& o, const CommonOptions& common, AskingRun& asking,
                           const std::map<std::string, std::string>& gold)
    : system_(is_taught(o) ? GecSystem(gold, o.teaching) : GecSystem(o.spec, o.rules, common, asking)),
      prompts_(o.prompts),
      tools_(tools_of(o), common, asking),
      prompt_(prompts_, tools_.set(), o.prompt) {
    System& system = system_.get();
    if (o.method == GecMethod::agent) {
        agent_.emplace(system, tools_.set(), prompt_, o.agent);
        return;
    }
    DirectOptions direct;
    direct.thinks = o.method == GecMethod::zero_shot_cot || o.method == GecMethod::few_shot_cot;
    direct.shots = o.method == GecMethod::zero_shot || o.method == GecMethod::zero_shot_cot ? 0 : 3;
    direct.most_words = o.agent.most_words;
    const std::vector<std::string> stop = direct.sampling.stop;
    direct.sampling = o.agent.sampling;
    direct.sampling.stop = stop;
    direct_.emplace(system, prompts_, direct, o.method == GecMethod::few_shot_retrieved ? tools_.nearest() : nullptr);
}

AgentTrace GecCorrector::correct(const std::string& sentence, uint64_t item, uint64_t sample) const {
    return agent_ ? agent_->correct(sentence, item, sample) : direct_->correct(sentence, item, sample);
}

}  // namespace craft
