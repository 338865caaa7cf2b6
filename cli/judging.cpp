#include "cli/judging.h"

#include "cli/option_groups.h"
#include "cli/partial_rows.h"
#include "core/error.h"
#include "core/option_files.h"
#include "core/output_place.h"

namespace craft {

void bind_judging(OptionTable& table, JudgingOptions& o) {
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output().with_manifest();
    table.add("judgements", o.judgements, "file for every answer as it came, a line each; empty: none")
        .flag("--judgements")
        .output();
    const auto group = table.group(kJudgeGroup);
    table.add("judge", o.judge, "who judges: local:MODEL[+ADAPTER], or openai:PROFILE").flag("--judge").input().required();
    table.add("prompts", o.prompts, "folder of prompt files that come before those of share/prompts")
        .flag("--prompts")
        .input();
    table.add("attempts", o.asking.attempts, "a question is asked at most so often where its answer cannot be read")
        .flag("--attempts")
        .min(1)
        .max(100);
    table.add("judge_sampling.temperature", o.asking.sampling.temperature, "of the first answer; 0: greedy").min(0);
    table
        .add("judge_sampling.again_temperature", o.asking.again_temperature,
             "of the others, where the first is greedy and would only be repeated")
        .min(0);
    bind_new_tokens(table, "judge_sampling.max_new_tokens", o.asking.sampling.max_new_tokens,
                    "of an answer, thinking included")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.systems, {"judge"});
    table.add("flow.items", o.flow.items_at_once, "items judged side by side").min(1).max(10000).not_identity();
}

void check_judging(OptionTable& table, JudgingOptions& o) {
    if (!o.judge.empty() && parse_role(table, "judge", o.judge, o.spec)) {
        if (o.spec.kind == SystemSpec::Kind::rules)
            table.add_problem("--judge: expected local:MODEL[+ADAPTER] or openai:PROFILE, got " + o.judge);
        check_role_systems(table, o.systems, {o.spec});
    }
}

void write_judgements(const std::string& file, const std::vector<Json>& rows) {
    if (file.empty()) return;
    JsonLinesWriter writer(file);
    for (const Json& row : rows) writer.write(row);
    writer.close();
    remove_failed_rows(file);
}

std::string answers_are_in(const std::string& file) {
    if (file.empty()) return "--judgements FILE keeps the answers as they came";
    return (is_written_directly(file) ? "--judgements" : partial_path(file).string()) + " has the answers as they came";
}

Judging::Judging(const Command& command, const OptionTable& table, const CommonOptions& common,
                 const JudgingOptions& options)
    : options_(options),
      prompts_(options.prompts),
      identity_(run_identity(command, table, common)),
      manifest_(options.output, identity_),
      asking_(options.systems, options.flow, common, manifest_.earlier().value("usage", Json())) {}

void Judging::start(const std::string& what, size_t items) {
    progress_ = std::make_unique<Progress>("judging", static_cast<int64_t>(items), what);
}

void Judging::advance() {
    progress_->advance();
}

void Judging::end(bool all) {
    progress_->finish();
    if (!all) write_manifest(false);
    asking_.report(all);
}

void Judging::keep(const std::vector<Json>& rows) {
    if (!options_.judgements.empty()) rows_.insert(rows_.end(), rows.begin(), rows.end());
}

void Judging::require_answers(const ChoiceCounts& counts) const {
    UsableAnswers answers;
    answers.add("", counts.questions - counts.unread);
    for (const auto& [problem, times] : counts.malformed) answers.add(problem, times);
    if (answers.none_is_usable() && !options_.judgements.empty()) keep_failed_rows(options_.judgements, identity_, rows_);
    answers.require_any(options_.judge, answers_are_in(options_.judgements));
}

Json Judging::options() const {
    const bool is_hosted = options_.spec.kind == SystemSpec::Kind::hosted;
    return {{"judge", options_.judge},
            {"model", is_hosted ? Json(hosted_profile(options_.spec, options_.systems.profiles).model) : Json(nullptr)},
            {"attempts", options_.asking.attempts},
            {"temperature", options_.asking.sampling.temperature},
            {"again_temperature", options_.asking.again_temperature},
            {"max_new_tokens", options_.asking.sampling.limit()},
            {"prompts", prompts_.versions()}};
}

void Judging::write_manifest(bool finished) {
    manifest_.note("versions", {{"prompts", prompts_.versions()}});
    manifest_.note("usage", asking_.systems().usage());
    manifest_.write(finished);
}

void Judging::write(const Json& result) {
    write_judgements(options_.judgements, rows_);
    write_result(options_.output, result);
    write_manifest(true);
}

}  // namespace craft
