#include "cli/simplifiers.h"

#include <algorithm>

namespace craft {

std::string rules_name(const std::string& system) {
    constexpr std::string_view kRules = "rules:";
    return system.starts_with(kRules) ? system.substr(kRules.size()) : "";
}

Simplifiers::Simplifiers(const SimplifyOptions& o, const std::string& role, const EnglishModel& english,
                         const CommonOptions& common, AskingRun& asking)
    : prompts_(o.prompts) {
    const auto has_rule = [&](const char* system) {
        return std::find(o.systems.begin(), o.systems.end(), system) != o.systems.end();
    };
    const RuleResources rules = has_rule("rules:lexical") || has_rule("rules:rewrite")
                                    ? RuleResources::with_easier_words(english.pipeline)
                                    : RuleResources{english.pipeline, {}, {}};
    if (o.feedback.is_on()) feedback_.emplace(o.feedback, o.english, o.policy, prompts_, common, asking);
    for (size_t i = 0; i < o.systems.size(); ++i) {
        const std::string& system = o.systems[i];
        if (const std::string rule = rules_name(system); !rule.empty())
            made_.push_back(make_rule_system(rule, rules));
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
