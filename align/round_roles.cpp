#include "align/round_roles.h"

#include <utility>

namespace craft {

bool RoundRoleOptions::asks() const {
    for (const SystemSpec* spec : {&reviser, &feedback, &rewriter})
        if (spec->kind != SystemSpec::Kind::rules) return true;
    return !judge.is_reward() && judge.spec.kind == CandidateJudgeSpec::Kind::system;
}

RoundRoles::RoundRoles(const RoundRoleOptions& options, AskingRun& asking, RevisionEnvironment& environment,
                       const PlacementOptions& placing, uint64_t seed)
    : options_(options), asking_(asking) {
    if (options.reviser.kind != SystemSpec::Kind::rules) {
        System& system = asking.open(options.reviser, "reviser");
        ModelReviserOptions reviser = options.model_reviser;
        reviser.sentences = environment.sentences();
        environment.set_reviser(std::make_unique<ModelReviser>(system, prompts_, reviser));
        reviser.sampling.stage = "free revisions";
        if (options.values_by_reviser) free_reviser_.emplace(system, prompts_, reviser);
    }
    if (options.rewriter.kind != SystemSpec::Kind::rules) {
        RewriterOptions rewriting = options.rewriting;
        rewriting.sentences = environment.sentences();
        rewriter_.emplace(asking.open(options.rewriter, "rewriter"), prompts_, rewriting);
    }
    if (!options.suggestions.aspects.empty())
        text_feedback_.emplace(asking.open(options.feedback, "feedback"), prompts_, options.suggestions);
    if (options.judge.is_reward()) return;
    judge_ = std::make_unique<OpenedRoundJudge>(
        options.judge, placing, seed, [&asking](const SystemSpec& spec) -> System& { return asking.open(spec, "judge"); });
}

void RoundRoles::give_to(AlignOptions& options) {
    options.authors = {free_reviser_ ? &*free_reviser_ : nullptr, rewriter_ ? &*rewriter_ : nullptr, &asking_.flow()};
    options.text_feedback = text_feedback_ ? &*text_feedback_ : nullptr;
    if (judge_) {
        options.judge = judge_->judge();
        options.pairs.rank_by = options_.judge.rank_by;
    }
    if (options_.asks()) options.flow = &asking_.flow();
}

Json RoundRoles::judge() const {
    return judge_ ? judge_->record() : Json();
}

}  // namespace craft
