#include "fidelity/factuality.h"

#include <cmath>

#include "core/signals.h"
#include "core/utf8.h"
#include "text/utf8.h"
#include "text/whole_words.h"

namespace craft {

namespace {

// A mean of what is there.
class MeanOfSome {
public:
    void add(const std::optional<double>& value) {
        if (!value) return;
        sum_ += *value;
        ++count_;
    }
    std::optional<double> value() const {
        return count_ == 0 ? std::nullopt : std::optional<double>(sum_ / static_cast<double>(count_));
    }

private:
    double sum_ = 0;
    int64_t count_ = 0;
};

FactualityItem entities_of(const TextPair& pair, const KeywordFinder& find) {
    FactualityItem item;
    item.id = pair.id;
    const std::string known = lowercase(pair.original);
    for (const std::string& entity : find(pair.revision)) {
        ++item.entities;
        item.unknown_entities += count_whole(known, lowercase(entity)) == 0 ? 1 : 0;
    }
    return item;
}

std::optional<double> share(int64_t part, int64_t whole) {
    return whole == 0 ? std::nullopt : std::optional<double>(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::optional<double> FactualityItem::ne_er() const {
    return share(unknown_entities, entities);
}

std::optional<double> FactualityItem::entailed_share() const {
    return entailed ? share(*entailed, sentences) : std::nullopt;
}

bool is_entailed(const Json& answer, double threshold, const std::string& where) {
    if (has_value(answer, "entailed")) {
        const Json& flag = answer.at("entailed");
        if (!flag.is_boolean()) throw Error(where + ": field 'entailed'", "true or false", shortened(dump_line(flag), 60));
        return flag.get<bool>();
    }
    if (!has_value(answer, "score")) throw Error(where, "a field 'entailed' or 'score'", "neither");
    const Json& score = answer.at("score");
    const double value = score.is_number() ? score.get<double>() : std::nan("");
    if (!(value >= 0 && value <= 1))
        throw Error(where + ": field 'score'", "a number from 0 to 1", shortened(dump_line(score), 60));
    return value >= threshold;
}

FactualityEvaluation evaluate_factuality(const TextPairs& texts, const KeywordFinder& entities,
                                         const FactualityOptions& options) {
    FactualityEvaluation evaluation;
    evaluation.missing = texts.missing;
    std::vector<Json> requests;
    std::vector<size_t> item_of;  // a request's
    for (const TextPair& pair : texts.pairs) {
        throw_if_stopped();
        FactualityItem item = entities_of(pair, entities);
        for (const std::string& sentence : split_sentences(pair.revision, options.sentences)) {
            ++item.sentences;
            requests.push_back({{"id", item.id + "#" + std::to_string(item.sentences)},
                                {"premise", pair.original},
                                {"hypothesis", sentence}});
            item_of.push_back(evaluation.items.size());
        }
        evaluation.items.push_back(std::move(item));
    }
    if (!options.entailment.command.empty()) {
        const JsonAnswers answers = ask_json_command(
            options.entailment, requests,
            [&](const Json& answer, const std::string& where) { is_entailed(answer, options.threshold, where); });
        evaluation.restarts = answers.restarts;
        for (FactualityItem& item : evaluation.items) item.entailed = 0;
        for (size_t i = 0; i < requests.size(); ++i)
            *evaluation.items[item_of[i]].entailed += is_entailed(answers.rows[i], options.threshold, "answer") ? 1 : 0;
    }
    MeanOfSome ne_er, entailed;
    for (const FactualityItem& item : evaluation.items) {
        ne_er.add(item.ne_er());
        entailed.add(item.entailed_share());
    }
    evaluation.ne_er = ne_er.value();
    evaluation.entailed = entailed.value();
    return evaluation;
}

Json to_json(const FactualityEvaluation& evaluation) {
    Json items = Json::array();
    int64_t with_entities = 0;
    for (const FactualityItem& item : evaluation.items) {
        with_entities += item.entities > 0 ? 1 : 0;
        items.push_back({{"id", item.id},
                         {"ne_er", value_or_null(item.ne_er())},
                         {"entailed", value_or_null(item.entailed_share())},
                         {"entities", item.entities},
                         {"unknown_entities", item.unknown_entities},
                         {"sentences", item.sentences}});
    }
    return {{"corpus",
             {{"ne_er", value_or_null(evaluation.ne_er)},
              {"entailed", value_or_null(evaluation.entailed)},
              {"items", evaluation.items.size()},
              {"missing", evaluation.missing},
              {"with_entities", with_entities},
              {"restarts", evaluation.restarts}}},
            {"items", std::move(items)}};
}

}  // namespace craft
