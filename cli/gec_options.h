// What `gec` and `gec traces` share: options, and the corrector that they describe.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cli/gec_system.h"
#include "cli/gec_tools.h"
#include "gec/agent.h"
#include "gec/corrected_text.h"
#include "gec/direct_corrector.h"

namespace craft {

enum class GecMethod { agent, zero_shot, zero_shot_cot, few_shot, few_shot_cot, few_shot_retrieved };

struct GecOptions {
    std::string input, output, model;
    SystemSpec spec;  // what `model` says, unless it is the teacher
    // `gec traces` alone: `model` may be "gold", the teacher who is given the corrections.
    bool may_be_taught = false;
    GoldTeaching teaching;
    GecRulesOptions rules;
    GecMethod method = GecMethod::agent;
    GecToolOptions tools;
    AgentOptions agent;
    AgentPromptOptions prompt;
    bool no_reflection = false;
    std::filesystem::path prompts;  // files that come before those of share/prompts; empty: none
    RoleSystemOptions asked;
    FlowOptions flow = {.items_at_once = 64, .items_ahead = 256};
    JsonLinesOptions lines;
};

bool is_taught(const GecOptions& options);  // by the teacher

// All but `method`, which `gec` alone has, and `teaching`, which `gec traces` has.
void bind_gec(OptionTable& table, GecOptions& options);
void check_gec(OptionTable& table, GecOptions& options);

// The tools, the prompt and who corrects by them, opened once.
class GecCorrector {
public:
    // `gold`: what the teacher knows, {source: target}. Throws Error and UsageError as its parts do. `asking` must outlive
    // it.
    GecCorrector(const GecOptions& options, const CommonOptions& common, AskingRun& asking,
                 const std::map<std::string, std::string>& gold = {});
    AgentTrace correct(const std::string& sentence, uint64_t item, uint64_t sample) const;
    const AgentPrompt& prompt() const { return prompt_; }
    const PromptFiles& prompts() const { return prompts_; }
    Json tool_figures() const { return tools_.figures(); }        // as GecTools::figures()
    const Json& versions() const { return prompts_.versions(); }  // of prompts

private:
    GecSystem system_;
    PromptFiles prompts_;
    GecTools tools_;
    AgentPrompt prompt_;
    std::optional<GrammarAgent> agent_;
    std::optional<DirectCorrector> direct_;
};

}  // namespace craft
