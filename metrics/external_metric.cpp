#include "metrics/external_metric.h"

#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/process/persistent_command.h"
#include "core/utf8.h"
#include "metrics/exact_sum.h"

namespace craft {

namespace {

// The shortest digits that are read as the same number: 100, not 100.0.
std::string digits_of(double value) {
    char digits[32];
    return {std::begin(digits), std::to_chars(std::begin(digits), std::end(digits), value).ptr};
}

std::string shown(const std::pair<double, double>& scale) {
    return digits_of(scale.first) + " to " + digits_of(scale.second);
}

void check_scale(double score, const std::optional<std::pair<double, double>>& scale, const std::string& where) {
    if (scale && (score < scale->first || score > scale->second))
        throw Error(where + ": field 'score'", "a number from " + shown(*scale), digits_of(score));
}

double finite_number(const Json& value, const std::string& field) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        throw Error(field, "a number", shortened(dump_line(value), 60));
    return value.get<double>();
}

std::string scorer_field(const Json& value, const std::string& field) {
    const std::string* text = value.get_ptr<const std::string*>();
    const bool fits = text != nullptr && !text->empty() && text->size() <= 200 && *text == one_line(*text) &&
                      text->find('|') == std::string::npos;
    if (!fits) throw Error(field, "a name of one line without '|'", shortened(dump_line(value), 60));
    return *text;
}

std::pair<double, double> scale_field(const Json& value, const std::string& field) {
    if (!value.is_array() || value.size() != 2) throw Error(field, "[lowest, highest]", shortened(dump_line(value), 60));
    const std::pair<double, double> scale{finite_number(value[0], field), finite_number(value[1], field)};
    if (!(scale.first < scale.second)) throw Error(field, "[lowest, highest]", shortened(dump_line(value), 60));
    return scale;
}

// What was not said before is learnt, what was said before must stay.
template <class T, class Show>
void learn(std::optional<T>& known, const std::optional<T>& said, const Show& show, const std::string& field) {
    if (!said) return;
    if (known && *known != *said) throw Error(field, "what an earlier answer said, " + show(*known), show(*said));
    known = said;
}

// Who is asked, and what it has said of itself so far.
struct Scorer {
    JsonAsker ask;
    ExternalScores said;  // without scores
};

class ExternalMetric : public Metric {
public:
    ExternalMetric(std::string name, std::string command, std::shared_ptr<Scorer> scorer)
        : name_(std::move(name)), command_(std::move(command)), scorer_(std::move(scorer)) {}
    std::string name() const override { return name_; }
    std::string signature() const override {
        const ExternalScores& said = scorer_->said;
        return name_ + "|" + said.scorer.value_or("unnamed") + "|scale:" +
               (said.scale ? "[" + digits_of(said.scale->first) + "," + digits_of(said.scale->second) + "]" : "unknown") +
               "|command:" + hash_text(command_) + "|as given";
    }
    Json options() const override {
        const ExternalScores& said = scorer_->said;
        return {{"command", command_},
                {"scorer", value_or_null(said.scorer)},
                {"scale", said.scale ? Json({said.scale->first, said.scale->second}) : Json(nullptr)}};
    }
    MetricNeeds needs() const override {
        return {.source = true, .prediction = true, .references = true, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override {
        return score_of(ask_external_scorer(name_, scorer_->ask, {item}).scores.at(0));
    }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override {
        ExternalScores answers = ask_external_scorer(name_, scorer_->ask, items, scorer_->said);
        std::vector<ItemScore> scores;
        for (const double score : answers.scores) scores.push_back(score_of(score));
        answers.scores.clear();
        scorer_->said = std::move(answers);
        return scores;
    }
    void add(const ItemScore& score) override { sum_.add(score.numbers.at(0)); }
    Json corpus() const override {
        Json figures = Json::object();
        figures[name_] = value_or_null(sum_.mean());
        return figures;
    }

private:
    static ItemScore score_of(double score) {
        return {.value = score, .parts = Json::object(), .counts = {}, .numbers = {score}};
    }

    std::string name_;
    std::string command_;
    std::shared_ptr<Scorer> scorer_;
    ExactSum sum_;
};

// Ids that count on from asking to asking, as a kept command needs them.
JsonAsker numbered(JsonAsker ask) {
    return [ask = std::move(ask), asked = std::make_shared<size_t>(0)](const std::vector<Json>& requests,
                                                                       const JsonAnswerCheck& check) {
        std::vector<Json> renamed = requests;
        for (Json& request : renamed) request["id"] = std::to_string(++*asked);
        return ask(renamed, check);
    };
}

}  // namespace

ExternalAnswer read_external_answer(const Json& answer, const std::string& metric, const std::string& where) {
    const bool named = answer.contains(metric), plain = answer.contains("score");
    if (named == plain) throw Error(where, "a number under 'score' or '" + metric + "'", named ? "both" : "neither");
    const std::string key = plain ? "score" : metric;
    ExternalAnswer read;
    read.score = finite_number(answer.at(key), where + ": field '" + key + "'");
    if (has_value(answer, "scorer")) read.scorer = scorer_field(answer.at("scorer"), where + ": field 'scorer'");
    if (has_value(answer, "scale")) read.scale = scale_field(answer.at("scale"), where + ": field 'scale'");
    check_scale(read.score, read.scale, where);
    return read;
}

ExternalScores ask_external_scorer(const std::string& name, const JsonAsker& ask, const std::vector<MetricItem>& items,
                                   const ExternalScores& known) {
    std::vector<Json> requests;
    for (const MetricItem& item : items)
        requests.push_back(
            {{"id", item.id}, {"source", item.source}, {"prediction", item.prediction}, {"references", item.references}});
    ExternalScores asked{.scores = {}, .scorer = known.scorer, .scale = known.scale};
    const auto check = [&](const Json& answer, const std::string& where) {
        const ExternalAnswer read = read_external_answer(answer, name, where);
        learn(
            asked.scorer, read.scorer, [](const std::string& said) { return "'" + said + "'"; }, where + ": field 'scorer'");
        learn(asked.scale, read.scale, shown, where + ": field 'scale'");
        check_scale(read.score, asked.scale, where);
        asked.scores.push_back(read.score);
    };
    asked.restarts = ask(requests, check).restarts;
    // A scale that came late holds for those before it, too.
    for (size_t i = 0; i < items.size(); ++i)
        check_scale(asked.scores.at(i), asked.scale, "answer to '" + shortened(items[i].id, 60) + "'");
    return asked;
}

std::unique_ptr<Metric> external_metric(const std::string& name, const JsonCommandOptions& command) {
    return std::make_unique<ExternalMetric>(name, command.command,
                                            std::make_shared<Scorer>(Scorer{started_for_each(command), {}}));
}

std::function<std::unique_ptr<Metric>()> kept_external_metric(const std::string& name, const JsonCommandOptions& command) {
    return [name, command = command.command,
            scorer = std::make_shared<Scorer>(Scorer{numbered(persistent_command(command)), {}})] {
        return std::make_unique<ExternalMetric>(name, command, scorer);
    };
}

}  // namespace craft
