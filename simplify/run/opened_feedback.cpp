#include "simplify/run/opened_feedback.h"

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "judge/run/judge_inputs.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/model_reporter.h"
#include "judge/verdicts/principles/principles_reporter.h"

namespace craft {

namespace fs = std::filesystem;

fs::path guideline_file(const SimplifyFeedbackOptions& o) {
    return o.guideline.empty() ? share_folder() / "guidelines" / "sentence.txt" : fs::path(o.guideline);
}

OpenedFeedback::OpenedFeedback(const SimplifyFeedbackOptions& options, const std::string& english,
                               SimplificationPolicy policy, const PromptFiles& prompts, const PlacementOptions& placing,
                               uint64_t seed, AskingRun& asking)
    : rounds_(options.rounds), settings_(options.sources), sources_(settings_, placing) {
    settings_.english = english;
    const fs::path file = guideline_file(options);
    guideline_ = read_guideline(file);
    if (guideline_.sees_more_than_texts())
        throw UsageError("--guideline: expected one that shows texts alone, got " + file.string());
    if (options.guideline.empty()) rounds_.aspect = policy_aspect(policy);
    rounds_.aspect = aspect_of_guideline(guideline_, file.string(), rounds_.aspect);
    record_ = {{"judge", options.judge},
               {"aspect", rounds_.aspect},
               {"guideline", {{"version", guideline_.version}, {"hash", guideline_.hash}}}};
    options.spec.kind == CandidateJudgeSpec::Kind::rules ? open_rules(options) : open_model(options, prompts, asking);
    JudgingPlan plan = options.plan;
    plan.seed = seed;
    panel_.emplace(std::vector<const CandidateJudge*>{judge_.get()}, plan);
}

void OpenedFeedback::open_model(const SimplifyFeedbackOptions& options, const PromptFiles& prompts, AskingRun& asking) {
    const NamedMaterials materials = sources_.materials();
    const auto listwise = std::make_shared<ListwisePrompt>(guideline_, prompts, materials.materials);
    for (const std::string& what : listwise->lacking())
        log_warning("the guideline needs inputs that are not configured; the judge sees only the texts",
                    {{"lacking", what}});
    record_["materials"] = {{"made_by", materials.names}, {"lacking", listwise->lacking()}};
    System& system = asking.open(options.spec.system, "judge");
    reporter_ = std::make_unique<ModelReporter>(
        system, options.judge, std::make_shared<ReportPrompt>(guideline_, rounds_.aspect, prompts, materials.materials),
        options.asking);
    judge_ = std::make_unique<ListwiseJudge>(system, options.judge, listwise, std::vector<std::string>{rounds_.aspect},
                                             options.asking);
}

void OpenedFeedback::open_rules(const SimplifyFeedbackOptions& options) {
    record_["rules"] = rule_judge_record(options.sources.rules);
    auto judge =
        std::make_unique<PrinciplesJudge>(options.judge, std::vector<std::string>{rounds_.aspect}, sources_.principles());
    reporter_ = std::make_unique<PrinciplesReporter>(*judge, rounds_.aspect);
    judge_ = std::move(judge);
}

}  // namespace craft
