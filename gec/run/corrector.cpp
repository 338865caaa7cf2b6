#include "gec/run/corrector.h"

#include "core/error.h"
#include "core/weights_folder.h"
#include "gec/rules/edit_planners.h"
#include "gec/rules/joined_gains.h"
#include "judge/scorers/change_gains.h"

namespace craft {

namespace fs = std::filesystem;

fs::path gec_rules_model(const GecRulesOptions& o) {
    return o.model.empty() ? weights_place("smollm2-135m-instruct.gguf") : o.model;
}

std::unique_ptr<System> open_gec_rules(const GecRulesOptions& o, const PlacementOptions& placing) {
    const Placement place = in_bfloat16_where_fast(open_placement(placing), placing);
    const fs::path model = gec_rules_model(o);
    if (!fs::exists(model))
        throw Error(model.string(), "a decoder", "no such file",
                    "scripts/setup.sh installs it, or give another one with --rules-model");
    const auto scorer =
        std::make_shared<const ChangeGains>(Decoder::load(model, place.dtype, place.device), open_tokenizer(model));
    const auto gains = [scorer](const std::vector<ReplacementQuestion>& questions) { return scorer->gains(questions); };
    const auto planner = std::make_shared<const CorrectionPlanner>(
        std::make_shared<const LazyEnglishPipeline>(english_model_folder()),
        std::make_shared<const CorrectionLanguage>(CorrectionLanguage::installed()), CorrectionThresholds::shipped(),
        joined_gains(gains), CorrectionPlannerOptions{.threads = 1});
    return plan_model("rules", rule_edit_planner(planner),
                      {{"model", model.filename().string()}, {"place", to_json(place)}});
}

GecSystem::GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const PlacementOptions& placing,
                     AskingRun& asking) {
    if (spec.kind == SystemSpec::Kind::rules) rules_ = open_gec_rules(rules, placing);
    system_ = rules_ ? rules_.get() : &asking.open(spec, "agent");
}

GecSystem::GecSystem(const std::map<std::string, std::string>& gold, const GoldTeaching& teaching)
    : rules_(plan_model(
          "gold",
          gold_edit_planner(gold, std::make_shared<const LazyEnglishPipeline>(english_model_folder()),
                            std::make_shared<const CorrectionLanguage>(CorrectionLanguage::installed()), teaching),
          {{"mistakes", teaching.mistakes}, {"observed_only", teaching.observed_only}})),
      system_(rules_.get()) {}

bool is_taught(const GecOptions& o) {
    return o.may_be_taught && o.model == kGecTeacher;
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

GecCorrector::GecCorrector(const GecOptions& o, const PlacementOptions& placing, AskingRun& asking,
                           const std::map<std::string, std::string>& gold)
    : system_(is_taught(o) ? GecSystem(gold, o.teaching) : GecSystem(o.spec, o.rules, placing, asking)),
      prompts_(o.prompts),
      tools_(tools_of(o), placing, asking),
      prompt_(prompts_, tools_.set(), o.prompt) {
    System& system = system_.get();
    if (o.method == GecMethod::agent) {
        agent_.emplace(system, tools_.set(), prompt_, o.agent);
        return;
    }
    DirectOptions direct;
    direct.thinks = o.method == GecMethod::zero_shot_cot || o.method == GecMethod::few_shot_cot;
    direct.shots = o.method == GecMethod::zero_shot || o.method == GecMethod::zero_shot_cot ? 0 : 3;
    direct.max_words = o.agent.max_words;
    const std::vector<std::string> stop = direct.sampling.stop;
    direct.sampling = o.agent.sampling;
    direct.sampling.stop = stop;
    direct_.emplace(system, prompts_, direct, o.method == GecMethod::few_shot_retrieved ? tools_.nearest() : nullptr);
}

AgentTrace GecCorrector::correct(const std::string& sentence, uint64_t item, uint64_t sample) const {
    return agent_ ? agent_->correct(sentence, item, sample) : direct_->correct(sentence, item, sample);
}

void GecCorrector::note(OutputManifest& manifest) const {
    manifest.note("versions", {{"prompts", prompts_.versions()}});
    if (const Json figures = tools_.figures(); !figures.is_null()) manifest.note("tools", figures);
}

}  // namespace craft
