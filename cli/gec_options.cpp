#include "cli/gec_options.h"

#include <algorithm>

#include "cli/grammar_tool_options.h"
#include "text/lists.h"

namespace craft {

namespace {

void bind_gec_rules(OptionTable& table, GecRulesOptions& o) {
    table
        .add("rules.model", o.model,
             "with --model rules: the decoder that scores corrections; none: weights/smollm2-135m-instruct.gguf")
        .flag("--rules-model")
        .input();
}

void bind_gec_tools(OptionTable& table, GecToolOptions& o) {
    const auto group = table.group("Tools");
    std::vector<std::string> choices = gec_tool_names();
    choices.insert(choices.end(), {"all", "none"});
    table.add("tools", o.tools, "what the agent may call, separated by commas; all: those that have what they need")
        .flag("--tools")
        .filled()
        .one_of(choices)
        .alone({"all", "none"})
        .needs("retrieval")
        .when({kSearchExamples})
        .needs("web_search")
        .when({kWebSearch});
    bind_grammar_tools(table, o.grammar);
    table.add("retrieval", o.retrieval, "database of corrected sentences made by gec index, for search_examples")
        .flag("--retrieval")
        .input();
    bind_model(table, "encoder", o.encoder, "encoder of the database's vectors; none: search by words only")
        .flag("--encoder")
        .needs("retrieval");
    table.add("examples", o.examples, "maximum examples per search").min(1).max(20);
    table.add("web_search", o.web.url, "URL of a SearXNG server, for web_search; empty: none").flag("--web-search");
}

}  // namespace

void bind_gec(OptionTable& table, GecOptions& o) {
    table.add("output", o.output, "one per line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest()
        .required();
    const auto agent = table.group("Agent");
    table
        .add("model", o.model,
             std::string("agent: rules, local:MODEL[+ADAPTER], or openai:PROFILE") +
                 (o.may_be_taught ? "; or gold, a teacher who knows the corrections" : ""))
        .flag("--model")
        .input()
        .required();
    bind_gec_rules(table, o.rules);
    bind_gec_tools(table, o.tools);
    table.add("steps", o.agent.steps, "maximum model replies per sentence").flag("--steps").min(1).max(1000);
    table
        .add("prompt", o.prompt.name,
             "the agent's prompt: full; short, for small models; trained, for models trained on traces with it")
        .flag("--prompt")
        .one_of({"full", "short", "trained"});
    table.add("no_reflection", o.no_reflection, "do not reflect on changes; none can be undone").flag("--no-reflection");
    table
        .add("max_words", o.agent.max_words,
             "maximum words of a sentence; a longer one is left as it is and counted as too_long; 0: no limit")
        .min(0)
        .was("most_words");
    table
        .add("max_observation_chars", o.agent.max_observation_chars,
             "maximum characters of a tool's output shown to the model; 0: all")
        .min(0)
        .was("most_observed");
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table.add("sampling.temperature", o.agent.sampling.temperature, "sampling temperature of the model; 0: greedy")
        .flag("--temperature")
        .min(0);
    table
        .add("sampling.top_p", o.agent.sampling.top_p,
             "nucleus sampling: probability mass of the tokens sampled from; 1: all")
        .min(0.01)
        .max(1);
    bind_new_tokens(table, "sampling.max_new_tokens", o.agent.sampling.max_new_tokens, "of an answer, including thinking")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.asked, {"model"});
    table.add("flow.items", o.flow.items_at_once, "texts processed concurrently").min(1).max(10000).not_identity();
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
    if (o.model == kGecTeacher) {
        table.add_problem("--model: gold needs the corrections, which only gec traces has");
        return;
    }
    if (o.model.empty() || !parse_role(table, "model", o.model, o.spec)) return;
    if (o.spec.kind == SystemSpec::Kind::rules) table.find("model")->reads({gec_rules_model(o.rules)});
    check_role_systems(table, o.asked, {o.spec});
}

}  // namespace craft
