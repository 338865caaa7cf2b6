#include "judge/run/choice_run.h"

#include "core/files.h"
#include "core/option_files.h"
#include "core/output_place.h"
#include "core/partial_rows.h"

namespace craft {

void write_judgements(const std::string& file, const std::vector<Json>& rows) {
    if (file.empty()) return;
    JsonLinesWriter writer(file);
    for (const Json& row : rows) writer.write(row);
    writer.close();
    remove_failed_rows(file);
}

std::string answers_are_in(const std::string& file) {
    if (file.empty()) return "--judgements FILE keeps the raw answers";
    return (is_written_directly(file) ? "--judgements" : partial_path(file).string()) + " has the raw answers";
}

Judging::Judging(const JudgingOptions& options, const RunIdentity& identity, const Placement& place)
    : options_(options),
      prompts_(options.prompts),
      identity_(identity),
      manifest_(options.output, identity_),
      asking_(options.systems, options.flow, place, identity.seed, manifest_.earlier().value("usage", Json())) {}

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
    manifest_.note("usage", asking_.usage());
    manifest_.write(finished);
}

void Judging::write(const Json& result) {
    write_judgements(options_.judgements, rows_);
    OutputFile file(options_.output);
    file.write(result.dump(2) + "\n");
    file.close();
    write_manifest(true);
}

}  // namespace craft
