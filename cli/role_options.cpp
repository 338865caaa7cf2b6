#include "cli/role_options.h"

#include <algorithm>

#include "cli/option_groups.h"

namespace craft {

void bind_reviser(OptionTable& table, std::string& reviser, ModelReviserOptions& options, const std::string& what) {
    table.add("reviser", reviser, what + ": rules, local:MODEL[+ADAPTER], or openai:PROFILE")
        .flag("--reviser")
        .input()
        .reads({});
    table
        .add("reviser_sampling.temperature", options.sampling.temperature,
             "sampling temperature of a reviser model; 0: greedy")
        .min(0);
    bind_new_tokens(table, "reviser_sampling.max_new_tokens", options.sampling.max_new_tokens, "of a reviser model");
    table.add("reviser_sampling.attempts", options.attempts, "maximum attempts of a model at one revision").min(1);
}

std::vector<std::string> suggesting_values() {
    return text_feedback_aspects();
}

void bind_text_feedback(OptionTable& table, TextFeedbackChoice& choice, TextFeedbackOptions& options,
                        const std::string& what, const std::vector<OptionState>& by_itself) {
    const auto group = table.group("Suggestions");
    std::vector<std::string> alone = {"none"}, aspects = suggesting_values();
    if (!by_itself.empty()) alone.insert(alone.begin(), "auto");
    aspects.insert(aspects.begin(), alone.begin(), alone.end());
    table.add("text_feedback", choice.aspects, what).flag("--text-feedback").one_of(aspects).filled().alone(alone);
    std::vector<OptionState> asks = {{"text_feedback", suggesting_values()}};
    asks.insert(asks.end(), by_itself.begin(), by_itself.end());
    const size_t before = table.options().size();
    table
        .add("feedback", choice.system, "system that suggests: local:MODEL[+ADAPTER], or openai:PROFILE; empty: the reviser")
        .flag("--feedback")
        .input();
    table
        .add("feedback_sampling.temperature", options.sampling.temperature, "sampling temperature of suggestions; 0: greedy")
        .min(0);
    bind_new_tokens(table, "feedback_sampling.max_new_tokens", options.sampling.max_new_tokens,
                    "of the answer on one aspect");
    table.add("feedback_sampling.max_suggestions", options.max_suggestions, "maximum suggestions shown per aspect")
        .min(1)
        .was("feedback_sampling.most");
    for (Option& option : table.added_since(before)) {
        option.needs_any(asks);
        if (!by_itself.empty()) option.excludes({"text_feedback", {"none"}});
    }
}

void check_text_feedback(OptionTable& table, const TextFeedbackChoice& choice, const SystemSpec& reviser,
                         TextFeedbackOptions& options, SystemSpec& system) {
    options.aspects.clear();
    for (const std::string& aspect : text_feedback_aspects())  // in the order in which they are told, each once
        if (std::find(choice.aspects.begin(), choice.aspects.end(), aspect) != choice.aspects.end())
            options.aspects.push_back(aspect);
    if (options.aspects.empty()) return;
    if (choice.system.empty())
        system = reviser;
    else
        parse_role(table, "feedback", choice.system, system);
    const std::string asked = choice.system.empty() ? table.at("reviser").current().get<std::string>() : choice.system;
    if (asked.starts_with("rules"))
        table.add_problem(std::string("--text-feedback: ") + (choice.system.empty() ? "--reviser" : "--feedback") +
                          " rules makes no suggestions; known for --feedback: local:MODEL[+ADAPTER], openai:PROFILE");
}

void bind_rewriter(OptionTable& table, std::string& rewriter, RewriterOptions& options) {
    const auto group = table.group("Rewriter");
    table
        .add("rewriter", rewriter,
             "system that rewrites each instruction: local:MODEL[+ADAPTER], or openai:PROFILE; a rewrite that changes what "
             "is asked for is discarded; empty: none")
        .flag("--rewriter")
        .input();
    const size_t before = table.options().size();
    table
        .add("rewriter_sampling.temperature", options.sampling.temperature,
             "sampling temperature of the rewriter; 0: greedy")
        .min(0);
    bind_new_tokens(table, "rewriter_sampling.max_new_tokens", options.sampling.max_new_tokens, "of the rewriter");
    for (Option& option : table.added_since(before)) option.needs("rewriter");
}

void check_rewriter(OptionTable& table, const std::string& rewriter, SystemSpec& system) {
    if (rewriter.empty()) return;
    parse_role(table, "rewriter", rewriter, system);
    if (rewriter.starts_with("rules"))
        table.add_problem(
            "--rewriter rules: rules cannot rewrite instructions; known: local:MODEL[+ADAPTER], openai:PROFILE");
}

}  // namespace craft
