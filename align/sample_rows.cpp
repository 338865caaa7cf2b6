#include "align/sample_rows.h"

namespace craft {

Json sample_json(const Step& sample) {
    return {{"response", sample.response},      {"revision", sample.revision},
            {"scores", to_json(sample.scores)}, {"mean_logprob", value_or_null(sample.mean_logprob)},
            {"finished", sample.finished},      {"unusable", sample.unusable}};
}

Step sample_from_json(const Json& row) {
    Step sample;
    sample.response = row.at("response").get<std::string>();
    sample.revision = row.at("revision").get<std::string>();
    sample.scores = step_scores_from_json(row.at("scores"), "samples");
    if (!row.at("mean_logprob").is_null()) sample.mean_logprob = row.at("mean_logprob").get<double>();
    sample.finished = row.at("finished").get<bool>();
    sample.unusable = row.at("unusable").get<std::string>();
    return sample;
}

Json verdict_json(const SampleVerdict& verdict) {
    Json object = {{"reason", verdict.reason}, {"origin", verdict.origin}};
    if (verdict.best) object["best"] = *verdict.best;
    if (verdict.worst) object["worst"] = *verdict.worst;
    return object;
}

SampleVerdict verdict_from_json(const Json& object) {
    SampleVerdict verdict;
    if (object.contains("best")) verdict.best = object["best"].get<size_t>();
    if (object.contains("worst")) verdict.worst = object["worst"].get<size_t>();
    verdict.reason = object.at("reason").get<std::string>();
    verdict.origin = object.at("origin");
    return verdict;
}

Json responses_json(const Trajectory& history, const std::vector<Step>& samples, const SampleVerdict& verdict) {
    Json row = {{"id", history.instruction.id}, {"step", history.steps.size() + 1}, {"responses", Json::array()}};
    for (const Step& sample : samples) {
        row["responses"].push_back({{"response", sample.response},
                                    {"finished", sample.finished},
                                    {"mean_logprob", sample.mean_logprob ? Json(*sample.mean_logprob) : Json()},
                                    {"revision", sample.revision},
                                    {"s_a", sample.scores.s_a},
                                    {"raw_quality", to_json(sample.scores.quality)}});
        if (!sample.unusable.empty()) row["responses"].back()["unusable"] = sample.unusable;
    }
    if (verdict.best && verdict.worst)
        row["verdict"] = {{"best", *verdict.best}, {"worst", *verdict.worst}};
    else if (!verdict.reason.empty())
        row["verdict"] = {{"reason", verdict.reason}};
    if (row.contains("verdict")) row["verdict"].update(verdict.origin);
    return row;
}

}  // namespace craft
