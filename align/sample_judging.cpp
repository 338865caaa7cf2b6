#include "align/sample_judging.h"

#include <numeric>

#include "core/rng.h"
#include "judge/run/judge_inputs.h"

namespace craft {

SampleVerdict judge_samples(const RoundJudge& judge, const std::string& round, const Trajectory& history,
                            const std::vector<Step>& samples) {
    const std::vector<size_t> usable = usable_samples(samples);
    SampleVerdict verdict;
    verdict.reason = "too few samples";
    if (usable.size() < 2) return verdict;
    CandidateGroup group;
    group.id = history.instruction.id;
    group.source = history.steps.empty() ? history.instruction.text : history.steps.back().revision;
    group.instruction = history.instruction.instruction;
    for (const size_t i : usable)
        group.candidates.push_back(
            {.system = "sample " + std::to_string(i), .text = samples[i].revision, .response = samples[i].response});
    std::vector<size_t> order(usable.size());
    std::iota(order.begin(), order.end(), size_t{0});
    Rng(judge.seed, round + ".judge", group.id).shuffle(order);
    const Judgement judgement = judge.judge->judge(group, order, 0);
    verdict.origin = {{"judge", judgement.judge}, {"aspect", judge.aspect}, {"order", Json::array()}};
    for (const size_t place : order) verdict.origin["order"].push_back(usable[place]);
    if (const auto found = judgement.verdicts.find(judge.aspect); found != judgement.verdicts.end()) {
        verdict.best = usable[found->second.best];
        verdict.worst = usable[found->second.worst];
        verdict.reason.clear();
    } else {
        const auto reason = judgement.reasons.find(judge.aspect);
        verdict.reason = reason == judgement.reasons.end() ? "no verdict" : reason->second;
    }
    return verdict;
}

OpenedRoundJudge::OpenedRoundJudge(const RoundJudgeOptions& options, const PlacementOptions& placing, uint64_t seed,
                                   std::function<System&(const SystemSpec&)> open)
    : guideline_(read_guideline(options.guideline)), sources_(options.sources, placing) {
    require_sees_guideline(guideline_, options.guideline, options.spec);
    judge_.aspect = aspect_of_guideline(guideline_, options.guideline, options.aspect);
    judge_.seed = seed;
    CandidateJudgeParts parts{.form = JudgeForm::listwise,
                              .aspect = judge_.aspect,
                              .prompts = &prompts_,
                              .asking = options.asking,
                              .open = std::move(open),
                              .aspects = guideline_.aspect_names(),
                              .principles = [this] { return sources_.principles(); }};
    if (options.spec.kind == CandidateJudgeSpec::Kind::system) {
        const NamedMaterials materials = sources_.materials();
        materials_ = materials.names;
        parts.listwise = std::make_shared<ListwisePrompt>(guideline_, prompts_, materials.materials);
    }
    judge_.judge = make_candidate_judge(options.spec, parts);
}

Json OpenedRoundJudge::record() const {
    return {{"judge", judge_.judge->name()},
            {"aspect", judge_.aspect},
            {"guideline", {{"version", guideline_.version}, {"hash", guideline_.hash}}},
            {"materials", materials_},
            {"prompts", prompts_.versions()}};
}

}  // namespace craft
