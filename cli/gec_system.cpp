#include "cli/gec_system.h"

namespace craft {

GecSystem::GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const CommonOptions& common, AskingRun& asking) {
    if (spec.kind == SystemSpec::Kind::rules) rules_ = open_gec_rules(rules, common, asking.place());
    system_ = rules_ ? rules_.get() : &asking.open(spec, "agent");
}

GecSystem::GecSystem(const std::map<std::string, std::string>& gold, const GoldTeaching& teaching)
    : rules_(plan_model(
          "gold",
          gold_edit_planner(gold, std::make_shared<const LazyEnglishPipeline>(english_model_folder()),
                            std::make_shared<const CorrectionLanguage>(CorrectionLanguage::installed()), teaching),
          {{"mistakes", teaching.mistakes}, {"observed_only", teaching.observed_only}})),
      system_(rules_.get()) {}

}  // namespace craft
