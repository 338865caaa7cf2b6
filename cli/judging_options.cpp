#include "cli/judging_options.h"

#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/option_groups.h"
#include "cli/system_options.h"
#include "cli/word_alignment_options.h"

namespace craft {

namespace {

constexpr const char* kJudges = "local:MODEL[+ADAPTER], openai:PROFILE, rules or scores";

// Under the key `rules`.
void bind_rule_judge(OptionTable& table, RuleJudgeSettings& s) {
    table.add_enum("rules.difficulty", s.difficulty, {{"size", DifficultySource::size}, {"count", DifficultySource::count}},
                   "difficulty of words for the rule judge: by SCOWL's size classes, or by counts in texts");
    bind_model(table, "rules.perplexity_model", s.perplexity_model,
               "language model with which the rule judge finds ill-formed candidates; none: it does not check");
}

}  // namespace

bool parse_candidate_judge(OptionTable& table, const char* key, const std::string& text, CandidateJudgeSpec& spec) {
    spec.text = text;
    if (text == "rules" || text == "scores") {
        spec.kind = text == "rules" ? CandidateJudgeSpec::Kind::rules : CandidateJudgeSpec::Kind::scores;
        table.find(key)->reads({});
        return true;
    }
    if (text.starts_with("rules:") || text.starts_with("scores:")) {
        table.add_problem(table.find(key)->shown_name() + ": expected " + kJudges + ", got " + text);
        return false;
    }
    return parse_role(table, key, text, spec.system);
}

void bind_judging_settings(OptionTable& table, JudgingSettings& s) {
    bind_judging_materials(table, s);
    bind_english(table, s.english).not_identity();
}

void bind_judging_materials(OptionTable& table, JudgingSettings& s) {
    const auto group = table.group(kJudgeGroup);
    bind_word_alignment(table, s.aligner);
    table.add("parses", s.parses,
              "show judges parses by link-grammar where a guideline asks for them and its English dictionary is installed");
    bind_rule_judge(table, s.rules);
}

void bind_judging(OptionTable& table, JudgingOptions& o) {
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output().resumed().with_manifest();
    table.add("judgements", o.judgements, "file for every raw answer, one per line; empty: none")
        .flag("--judgements")
        .output();
    const auto group = table.group(kJudgeGroup);
    table.add("judge", o.judge, "judge: local:MODEL[+ADAPTER], or openai:PROFILE").flag("--judge").input().required();
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table.add("attempts", o.asking.attempts, "maximum attempts at a question whose answer cannot be parsed")
        .flag("--attempts")
        .min(1)
        .max(100);
    table
        .add("judge_sampling.temperature", o.asking.sampling.temperature,
             "sampling temperature of the first answer; 0: greedy")
        .min(0);
    table
        .add("judge_sampling.again_temperature", o.asking.again_temperature,
             "sampling temperature of retries, where the first answer is greedy and would only be repeated")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", o.asking.sampling.max_new_tokens,
                    "of an answer, including thinking")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.systems, {"judge"});
    table.add("flow.items", o.flow.items_at_once, "items judged concurrently").min(1).max(10000).not_identity();
}

void check_judging(OptionTable& table, JudgingOptions& o) {
    if (!o.judge.empty() && parse_role(table, "judge", o.judge, o.spec)) {
        if (o.spec.kind == SystemSpec::Kind::rules)
            table.add_problem("--judge: expected local:MODEL[+ADAPTER] or openai:PROFILE, got " + o.judge);
        check_role_systems(table, o.systems, {o.spec});
    }
}

void bind_round_judge(OptionTable& table, RoundJudgeOptions& o) {
    const auto group = table.group(kJudgeGroup);
    const OptionState is_reward = {"judge", {"scores"}};
    table
        .add("judge", o.judge,
             "what ranks a round's samples: scores, the reward S_a; or local:MODEL[+ADAPTER], openai:PROFILE or rules, by a "
             "guideline")
        .flag("--judge")
        .input()
        .reads({});
    table.add("guideline", o.guideline, "guideline for that judge: a file such as share/guidelines/document.txt")
        .flag("--guideline")
        .input()
        .excludes(is_reward)
        .required_without(is_reward);
    table.add("aspect", o.aspect, "the guideline's aspect it ranks by").flag("--aspect").excludes(is_reward);
    table
        .add_enum("rank_by", o.rank_by, {{"judge", RankBy::judge}, {"both", RankBy::both}},
                  "judge: its verdicts instead of S_a; both: those that S_a agrees with by rounds.min_gap")
        .flag("--rank-by")
        .excludes(is_reward);
    table
        .add("judge_sampling.temperature", o.asking.sampling.temperature,
             "sampling temperature of its first answer; 0: greedy")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", o.asking.sampling.max_new_tokens,
                    "of an answer, including thinking");
    table.add("judge_sampling.attempts", o.asking.attempts, "maximum attempts at an answer that cannot be parsed")
        .min(1)
        .max(100);
    bind_judging_settings(table, o.sources);
    table.at("rounds.min_tool_f1").needs(is_reward);
}

void check_round_judge(OptionTable& table, RoundJudgeOptions& o) {
    if (!o.is_reward()) parse_candidate_judge(table, "judge", o.judge, o.spec);
}

}  // namespace craft
