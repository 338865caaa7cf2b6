#include "cli/round_judge.h"

#include "cli/judge_inputs.h"
#include "cli/option_groups.h"

namespace craft {

void bind_round_judge(OptionTable& table, RoundJudgeOptions& o) {
    const auto group = table.group(kJudgeGroup);
    const OptionState is_reward = {"judge", {"scores"}};
    table
        .add("judge", o.judge,
             "who ranks a round's samples: scores, the reward S_a; or local:MODEL[+ADAPTER], openai:PROFILE or rules, by a "
             "guideline")
        .flag("--judge")
        .input();
    table.add("guideline", o.guideline, "what that judge is told: a file such as share/guidelines/document.txt")
        .flag("--guideline")
        .input()
        .excludes(is_reward)
        .required_without(is_reward);
    table.add("aspect", o.aspect, "by which of the guideline's aspects it ranks").flag("--aspect").excludes(is_reward);
    table
        .add_enum("rank_by", o.rank_by, {{"judge", RankBy::judge}, {"both", RankBy::both}},
                  "judge: its verdicts in place of S_a; both: those that S_a agrees with by rounds.min_gap")
        .flag("--rank-by")
        .excludes(is_reward);
    table.add("judge_sampling.temperature", o.asking.sampling.temperature, "of its first answer; 0: greedy").min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", o.asking.sampling.max_new_tokens,
                    "of an answer, thinking included");
    table.add("judge_sampling.attempts", o.asking.attempts, "it is asked at most so often where an answer cannot be read")
        .min(1)
        .max(100);
    bind_judging_settings(table, o.sources);
}

void check_round_judge(OptionTable& table, RoundJudgeOptions& o) {
    if (!o.is_reward()) parse_candidate_judge(table, "judge", o.judge, o.spec);
}

OpenedRoundJudge::OpenedRoundJudge(const RoundJudgeOptions& options, const CommonOptions& common,
                                   std::function<System&(const SystemSpec&)> open)
    : guideline_(read_guideline(options.guideline)), sources_(options.sources, common) {
    judge_.aspect = aspect_of_guideline(guideline_, options.guideline, options.aspect);
    judge_.seed = common.seed;
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
