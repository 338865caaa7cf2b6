#include "judge/fidelity/factuality.h"

#include <cmath>
#include <set>
#include <utility>

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
    std::vector<std::string> entities = find(pair.revision);
    for (std::string& entity : entities) entity = lowercase(entity);
    item.entities = static_cast<int64_t>(entities.size());
    // An entity is asked for as it is spelled: two that differ in case alone are both known, or neither is.
    std::set<std::string> known;
    const std::vector<bool> present = WholeParts(entities).present(lowercase(pair.original));
    for (size_t i = 0; i < entities.size(); ++i)
        if (present[i]) known.insert(entities[i]);
    for (const std::string& entity : entities) item.unknown_entities += known.contains(entity) ? 0 : 1;
    return item;
}

// A sentence of a revision, by its place. What is asked holds the whole text for each sentence, so it is made when it is
// sent.
struct AskedSentence {
    size_t item;
    int64_t number;  // within the revision, from 1 on
    std::string text;
};

std::string id_of(const TextPairs& texts, const AskedSentence& sentence) {
    return texts.pairs[sentence.item].id + "#" + std::to_string(sentence.number);
}

JsonRequests requests_of(const TextPairs& texts, const std::vector<AskedSentence>& sentences) {
    return {sentences.size(), [&](size_t i) { return id_of(texts, sentences[i]); },
            [&](size_t i) {
                const AskedSentence& sentence = sentences[i];
                return Json{{"id", id_of(texts, sentence)},
                            {"premise", texts.pairs[sentence.item].original},
                            {"hypothesis", sentence.text}};
            }};
}

std::optional<double> share(int64_t part, int64_t whole) {
    return whole == 0 ? std::nullopt : std::optional<double>(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::optional<double> FactualityItem::ne_er() const {
    return share(unknown_entities, entities);
}

std::optional<double> FactualityItem::entailed_share() const {
    return entailed ? share(*entailed, sentences - unjudged) : std::nullopt;
}

bool is_entailed(const Json& answer, double threshold, const std::string& where) {
    // Which of the two would count hangs on the threshold, so that an answer that gives both says too much.
    if (has_value(answer, "entailed") && has_value(answer, "score"))
        throw Error(where, "one of the fields 'entailed' and 'score'", "both");
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
    evaluation.empty_outputs = empty_revisions(texts);
    const bool asks = !options.entailment.command.empty();
    std::vector<AskedSentence> asked;
    for (const TextPair& pair : texts.pairs) {
        throw_if_stopped();
        FactualityItem item = entities_of(pair, entities);
        for (std::string& sentence : split_sentences(pair.revision, options.sentences)) {
            ++item.sentences;
            if (asks) asked.push_back({evaluation.items.size(), item.sentences, std::move(sentence)});
        }
        evaluation.items.push_back(std::move(item));
    }
    if (asks) {
        const JsonAnswers answers = ask_json_command(
            options.entailment, requests_of(texts, asked),
            [&](const Json& answer, const std::string& where) { is_entailed(answer, options.threshold, where); });
        evaluation.restarts = answers.restarts;
        for (FactualityItem& item : evaluation.items) item.entailed = 0;
        evaluation.unjudged = answers.unfit;
        for (size_t i = 0; i < asked.size(); ++i) {
            FactualityItem& item = evaluation.items[asked[i].item];
            if (answers.rows[i].is_null())
                ++item.unjudged;
            else
                *item.entailed += is_entailed(answers.rows[i], options.threshold, "answer") ? 1 : 0;
        }
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
                         {"sentences", item.sentences},
                         {"unjudged", item.unjudged}});
    }
    return {{"corpus",
             {{"ne_er", value_or_null(evaluation.ne_er)},
              {"entailed", value_or_null(evaluation.entailed)},
              {"items", evaluation.items.size()},
              {"missing", evaluation.missing},
              {"empty_outputs", evaluation.empty_outputs},
              {"with_entities", with_entities},
              {"restarts", evaluation.restarts},
              {"unjudged", evaluation.unjudged}}},
            {"items", std::move(items)}};
}

}  // namespace craft
