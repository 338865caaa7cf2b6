#include "cli/gec_rules.h"

#include "core/error.h"
#include "core/weights_folder.h"
#include "gec/rules/edit_planners.h"
#include "gec/rules/joined_gains.h"
#include "judge/scorers/change_gains.h"

namespace craft {

namespace fs = std::filesystem;

void bind_gec_rules(OptionTable& table, GecRulesOptions& o) {
    table
        .add("rules.model", o.model,
             "of --model rules: the decoder that weighs corrections; none: weights/smollm2-135m-instruct.gguf")
        .flag("--rules-model")
        .input();
}

fs::path gec_rules_model(const GecRulesOptions& o) {
    return o.model.empty() ? weights_place("smollm2-135m-instruct.gguf") : o.model;
}

std::unique_ptr<System> open_gec_rules(const GecRulesOptions& o, const CommonOptions& common, const Placement& opened) {
    const Placement place = in_bfloat16_where_fast(opened, common);
    const fs::path model = gec_rules_model(o);
    if (!fs::exists(model))
        throw Error(model.string(), "a decoder", "no such file",
                    "scripts/setup.sh gets it, or name another one by --rules-model");
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

}  // namespace craft
