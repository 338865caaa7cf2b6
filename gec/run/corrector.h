// Who corrects sentences in `gec` and `gec traces`: the agent step by step, or a system by single answers.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gec/agent.h"
#include "gec/direct_corrector.h"
#include "gec/rules/edit_planners.h"
#include "gec/run/agent_tools.h"
#include "model/kernels/placement.h"
#include "systems/open/asking_run.h"
#include "systems/system.h"

namespace craft {

struct GecRulesOptions {
    std::filesystem::path model;  // a decoder; empty: the small one that scripts/setup.sh gets
};

// The decoder's file or folder.
std::filesystem::path gec_rules_model(const GecRulesOptions& options);
// Without --dtype the decoder is in bfloat16 where the processor multiplies it. Throws Error as the decoder, the pipeline
// and the dictionary do, which name what scripts/setup.sh gets; UsageError as open_placement().
std::unique_ptr<System> open_gec_rules(const GecRulesOptions& options, const PlacementOptions& placing);

// The system that a specification means: the built-in rules (gec/run/rules_model.h), whose answers are not recorded, or a
// model.
class GecSystem {
public:
    // Throws Error and UsageError as AskingRun::open() and open_gec_rules() do. `asking` must outlive it.
    GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const PlacementOptions& placing, AskingRun& asking);
    // Who knows the corrections {source: target} of its sentences, and plays the agent as a teacher
    // (gec/rules/edit_planners.h). Throws Error as the pipeline and the dictionary do.
    GecSystem(const std::map<std::string, std::string>& gold, const GoldTeaching& teaching);
    System& get() const { return *system_; }

private:
    std::unique_ptr<System> rules_;  // or the teacher
    System* system_ = nullptr;
};

// Who is asked where the corrections are given: the teacher.
inline constexpr const char* kGecTeacher = "gold";

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

// The tools, the prompt and who corrects by them, opened once.
class GecCorrector {
public:
    // `gold`: what the teacher knows, {source: target}. Throws Error and UsageError as its parts do. `asking` must outlive
    // it.
    GecCorrector(const GecOptions& options, const PlacementOptions& placing, AskingRun& asking,
                 const std::map<std::string, std::string>& gold = {});
    AgentTrace correct(const std::string& sentence, uint64_t item, uint64_t sample) const;
    const AgentPrompt& prompt() const { return prompt_; }
    const PromptFiles& prompts() const { return prompts_; }
    void note(OutputManifest& manifest) const;  // versions of prompts, and what the tools counted

private:
    GecSystem system_;
    PromptFiles prompts_;
    GecTools tools_;
    AgentPrompt prompt_;
    std::optional<GrammarAgent> agent_;
    std::optional<DirectCorrector> direct_;
};

}  // namespace craft
