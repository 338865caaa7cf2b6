#include "gec/corrected_text.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "systems/usable_answers.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Whether a piece continues after a mark that ends sentences: "search?q=it" of an address, "v1!beta".
bool continues(std::string_view before, std::string_view after) {
    if (after.data() != before.data() + before.size()) return false;
    const char c = after.front();
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || std::string_view("/=&#_%").find(c) != std::string_view::npos;
}

// Sentences of a text; all that is not UTF-8 is one.
std::vector<std::string_view> sentences_of(const std::string& text, bool whole) {
    if (trim_view(text).empty()) return {};
    if (whole || invalid_utf8_at(text) != std::string_view::npos) return {trim_view(text)};
    std::vector<std::string_view> sentences;
    for (const std::string_view one : sentence_views(text, SentenceRule::icu)) {
        if (!sentences.empty() && continues(sentences.back(), one))
            sentences.back() = {sentences.back().data(), sentences.back().size() + one.size()};
        else
            sentences.push_back(one);
    }
    return sentences;
}

int severity(AgentEnd ended) {
    return ended == AgentEnd::failed ? 3 : ended == AgentEnd::repeat ? 2 : ended == AgentEnd::steps ? 1 : 0;
}

}  // namespace

AgentEnd CorrectedText::ended() const {
    AgentEnd worst = AgentEnd::final;
    for (const AgentTrace& one : sentences)
        if (severity(one.ended) > severity(worst)) worst = one.ended;
    return worst;
}

bool CorrectedText::is_asked() const {
    return std::any_of(sentences.begin(), sentences.end(), [](const AgentTrace& one) { return one.not_asked.empty(); });
}

std::string CorrectedText::problem() const {
    std::string first;
    for (const AgentTrace& one : sentences) {
        if (!one.not_asked.empty()) continue;
        if (one.failure.empty() || one.text != one.source) return "";
        if (first.empty()) first = one.failure;
    }
    return first;
}

CorrectedText correct_text(const std::string& id, const std::string& text, uint64_t item, bool whole,
                           const SentenceCorrector& correct) {
    CorrectedText corrected{.id = id, .source = text, .text = ""};
    size_t at = 0;
    for (const std::string_view sentence : sentences_of(text, whole)) {
        const auto begin = static_cast<size_t>(sentence.data() - text.data());
        corrected.text.append(text, at, begin - at);
        corrected.sentences.push_back(correct(std::string(sentence), item, corrected.sentences.size()));
        corrected.text += corrected.sentences.back().text;
        at = begin + sentence.size();
    }
    corrected.text.append(text, at, std::string::npos);
    if (corrected.sentences.empty()) corrected.sentences.push_back({.source = text, .text = text, .not_asked = "empty"});
    return corrected;
}

Json to_json(const CorrectedText& corrected) {
    Json calls = Json::object(), trace = Json::array();
    int64_t model_calls = 0;
    double seconds = 0;
    for (const AgentTrace& one : corrected.sentences) {
        for (const auto& [action, count] : actions_of(one)) calls[action] = calls.value(action, int64_t{0}) + count;
        model_calls += static_cast<int64_t>(one.steps.size());
        seconds += one.seconds;
        trace.push_back(to_json(one));
    }
    Json row = {{"id", corrected.id},
                {"text", corrected.text},
                {"edits", to_json(edits_between(corrected.source, corrected.text))},
                {"calls", calls},
                {"model_calls", model_calls},
                {"ended", agent_end_name(corrected.ended())}};
    add_status(row, corrected.text != corrected.source, corrected.problem());
    row["source"] = corrected.source;
    row["seconds"] = seconds;
    row["trace"] = std::move(trace);
    return row;
}

CorrectedText corrected_text_from_json(const Json& row, const std::string& where) {
    CorrectedText corrected{
        .id = id_text(row, where), .source = string_field(row, "source", where), .text = string_field(row, "text", where)};
    if (!row.contains("trace") || !row["trace"].is_array()) throw Error(where + ": field 'trace'", "a list of traces");
    for (const Json& one : row["trace"])
        corrected.sentences.push_back(
            agent_trace_from_json(one, where + ": trace[" + std::to_string(corrected.sentences.size()) + "]"));
    return corrected;
}

}  // namespace craft
