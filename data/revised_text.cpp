#include "data/revised_text.h"

#include <algorithm>

#include "core/id_index.h"
#include "core/rng.h"
#include "core/rows.h"
#include "text/utf8.h"

namespace craft {

namespace {

std::vector<std::string> rounds_of(const Json& row, const std::string& where) {
    const Json trace = row.value("trace", Json());
    const bool has_rounds = trace.is_object() && trace.contains("rounds") && trace["rounds"].is_array();
    if (!has_rounds || trace["rounds"].empty())
        throw Error(where + ": field 'trace'", "rounds, as `revise --method iter` writes them", "none");
    if (trace.contains("search"))
        throw Error(where + ": field 'trace'", "rounds, as `revise --method iter` writes them", "those of a search");
    std::vector<std::string> rounds;
    for (const Json& round : trace["rounds"]) rounds.push_back(string_field(round, "text", where + ": a round"));
    return rounds;
}

std::vector<RevisedText> read_texts(const std::string& path, const JsonLinesOptions& options, bool with_rounds) {
    std::vector<RevisedText> outputs;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        RevisedText output{id_text(row, where), string_field(row, "text", where), where};
        output.has_failed = row.value("status", Json()) == "failed";
        if (with_rounds) output.rounds = rounds_of(row, where);
        ids.add(output.id, outputs.size(), where);
        outputs.push_back(std::move(output));
    });
    return outputs;
}

}  // namespace

std::vector<RevisedText> read_revised_texts(const std::string& path, const JsonLinesOptions& options) {
    return read_texts(path, options, false);
}

std::vector<RevisedText> read_revised_rounds(const std::string& path, const JsonLinesOptions& options) {
    return read_texts(path, options, true);
}

const std::string& text_after(const RevisedText& revised, size_t round) {
    return revised.rounds.at(std::min(round, revised.rounds.size()) - 1);
}

size_t most_rounds(const std::vector<RevisedText>& revised) {
    size_t most = 0;
    for (const RevisedText& one : revised) most = std::max(most, one.rounds.size());
    return most;
}

std::vector<RevisedText> drawn_texts(const std::vector<RevisedText>& texts, int64_t count, uint64_t seed) {
    std::vector<std::pair<uint64_t, size_t>> draws;
    for (size_t i = 0; i < texts.size(); ++i) draws.emplace_back(Rng(seed, "texts.drawn", texts[i].id).next(), i);
    std::sort(draws.begin(), draws.end());
    draws.resize(std::min(draws.size(), static_cast<size_t>(count)));
    std::sort(draws.begin(), draws.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<RevisedText> drawn;
    for (const auto& [draw, i] : draws) drawn.push_back(texts[i]);
    return drawn;
}

bool is_empty_text(const std::string& text) {
    return trim_view(text).empty();
}

}  // namespace craft
