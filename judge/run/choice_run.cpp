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

Judging::Judging(const JudgingOptions& options, const RunIdentity& identity, bool overwrite, const Placement& place,
                 Ranks& ranks)
    : options_(options),
      prompts_(options.prompts),
      identity_(identity),
      kept_(options.output, identity_, overwrite, ranks),
      asking_(with_ranks(options.systems, &ranks), options.flow, place, identity.seed, kept_.earlier_usage()) {}

void Judging::keep(const std::vector<Json>& rows) {
    if (!options_.judgements.empty()) rows_.insert(rows_.end(), rows.begin(), rows.end());
}

void Judging::require_answers(const ChoiceCounts& counts) {
    UsableAnswers answers;
    answers.add("", counts.questions - counts.unread);
    for (const auto& [problem, times] : counts.malformed) answers.add(problem, times);
    if (answers.none_is_usable() && !options_.judgements.empty()) keep_failed_rows(options_.judgements, identity_, rows_);
    kept_.rows.check([&] { answers.require_any(options_.judge, answers_are_in(options_.judgements)); });
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
    kept_.manifest.note("versions", {{"prompts", prompts_.versions()}});
    kept_.manifest.note("usage", asking_.usage());
    kept_.manifest.write(finished);
}

void Judging::write(const Json& result) {
    write_judgements(options_.judgements, rows_);
    OutputFile file(options_.output);
    file.write(result.dump(2) + "\n");
    file.close();
    write_manifest(true);
    kept_.rows.remove();
}

}  // namespace craft
