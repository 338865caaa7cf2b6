#include "cli/simplifiers.h"

#include <algorithm>

#include "simplify/dictionary_substitute.h"

namespace craft {

std::string rules_name(const std::string& system) {
    constexpr std::string_view kRules = "rules:";
    return system.starts_with(kRules) ? system.substr(kRules.size()) : "";
}

Simplifiers::Simplifiers(const SimplifyOptions& o, const std::string& role, const EnglishModel& english,
                         const CommonOptions& common, AskingRun& asking)
    : prompts_(o.prompts) {
    if (std::find(o.systems.begin(), o.systems.end(), "rules:lexical") != o.systems.end())
        easier_ = dictionary_substitute(std::make_shared<const EnglishDictionary>());
    if (o.feedback.is_on()) feedback_.emplace(o.feedback, o.english, o.policy, prompts_, common, asking);
    for (size_t i = 0; i < o.systems.size(); ++i) {
        const std::string& system = o.systems[i];
        if (const std::string rules = rules_name(system); !rules.empty())
            made_.push_back(make_rule_system(rules, {english.pipeline, easier_}));
        else
            made_.push_back(of_model(o, system, asking.open(o.specs[i], role)));
    }
    for (const auto& one : made_) all_.push_back(one.get());
}

std::unique_ptr<TextSimplifier> Simplifiers::of_model(const SimplifyOptions& o, const std::string& name,
                                                      System& system) const {
    if (!feedback_) return std::make_unique<ModelSimplifier>(name, system, prompts_, o.policy, o.model);
    return std::make_unique<FeedbackRounds>(name, system, prompts_, o.policy, o.model, feedback_->judges(),
                                            feedback_->rounds());
}

}  // namespace craft
