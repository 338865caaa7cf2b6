#include "simplify/feedback_counts.h"

#include "core/error.h"

namespace craft {

namespace {

void put(Json& object, const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
}

std::string text_of(const Json& object, const char* key, const std::string& where) {
    return optional_string_field(object, key, where).value_or("");
}

}  // namespace

Json to_json(const CorrectionRound& round) {
    Json object = {{"report", round.report}};
    put(object, "no_report", round.no_report);
    put(object, "thinking", round.thinking);
    put(object, "answer", round.answer);
    put(object, "no_answer", round.no_answer);
    if (!round.noted.empty()) object["noted"] = leniency_kinds(round.noted);
    object["verdict"] = round.verdict.empty() ? Json(nullptr) : Json(round.verdict);
    put(object, "no_verdict", round.no_verdict);
    put(object, "judgement", round.judgement);
    object["text"] = round.text;
    return object;
}

CorrectionRound correction_round_from_json(const Json& object, const std::string& where) {
    if (!object.is_object()) throw Error(where + ": a round", "an object", object.type_name());
    CorrectionRound round;
    round.report = string_field(object, "report", where);
    round.no_report = text_of(object, "no_report", where);
    round.thinking = text_of(object, "thinking", where);
    round.answer = text_of(object, "answer", where);
    round.no_answer = text_of(object, "no_answer", where);
    round.noted = leniency_of(object.value("noted", std::vector<std::string>()));
    round.verdict = text_of(object, "verdict", where);
    round.no_verdict = text_of(object, "no_verdict", where);
    round.judgement = text_of(object, "judgement", where);
    round.text = string_field(object, "text", where);
    return round;
}

Json feedback_trace(const std::string& id, const std::string& source, const Simplification& made) {
    Json begin = {{"round", 0}, {"text", made.failure.empty() ? made.first : ""}};
    put(begin, "failed", made.failure);
    Json rounds = {begin};
    for (size_t i = 0; i < made.rounds.size(); ++i) {
        Json round = {{"round", i + 1}};
        round.update(to_json(made.rounds[i]));
        rounds.push_back(round);
    }
    return {{"id", id}, {"source", source}, {"rounds", rounds}};
}

void FeedbackCounts::add(const Simplification& made) {
    ++texts_;
    if (!made.failure.empty()) {
        ++without_text_;
        return;
    }
    if (rounds_.size() < made.rounds.size()) rounds_.resize(made.rounds.size());
    std::string before = made.first;
    for (size_t i = 0; i < made.rounds.size(); ++i) {
        const CorrectionRound& round = made.rounds[i];
        Of& of = rounds_[i];
        reports_ += round.no_report.empty() ? 1 : 0;
        add_leniency(of.noted, round.noted);
        if (!round.no_report.empty())
            ++of.no_report[round.no_report];
        else if (!round.no_answer.empty())
            ++of.no_answer[round.no_answer];
        else {
            ++(round.answer == before ? of.unchanged : round.text == round.answer ? of.corrected : of.declined);
            if (round.verdict.empty())
                ++of.no_verdict[round.no_verdict];
            else
                ++(round.verdict == "better" ? of.better : of.worse);
        }
        before = round.text;
    }
}

Json FeedbackCounts::to_json() const {
    Json rounds = Json::array();
    for (const Of& of : rounds_)
        rounds.push_back({{"round", rounds.size() + 1},
                          {"corrected", of.corrected},
                          {"unchanged", of.unchanged},
                          {"declined", of.declined},
                          {"no_report", of.no_report},
                          {"no_answer", of.no_answer},
                          {"better", of.better},
                          {"worse", of.worse},
                          {"no_verdict", of.no_verdict},
                          {"noted", of.noted}});
    return {{"texts", texts_}, {"without_text", without_text_}, {"rounds", rounds}};
}

}  // namespace craft
