#include "metrics/update_rouge.h"

#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr int64_t kMaxSearchedSource = int64_t{1} << 34;  // bytes in which a text's sentences are looked for, some seconds

// memmem takes linear time; std::string_view::find may take the product of the lengths.
bool contains(std::string_view text, std::string_view part) {
    return part.empty() || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

std::string joined_additions(std::string_view source, std::string_view text) {
    std::string joined;
    const std::vector<std::string> sentences = added_sentences(source, text);
    for (size_t i = 0; i < sentences.size(); ++i) joined.append(i > 0 ? " " : "").append(sentences[i]);
    return joined;
}

}  // namespace

std::vector<std::string> added_sentences(std::string_view source, std::string_view text) {
    std::vector<std::string> added;
    std::unordered_map<std::string_view, bool> known;  // sentences that were looked for, and whether the source has them
    int64_t searched = 0;
    for (size_t from = 0; from < text.size();) {
        if (text[from] == '.') {  // a period after a period ends no sentence
            ++from;
            continue;
        }
        const size_t period = text.find('.', from);
        const size_t end = period == std::string_view::npos ? text.size() : period + 1;
        const std::string_view sentence = text.substr(from, end - from);
        const auto [found, is_new] = known.try_emplace(sentence, false);
        if (is_new) {
            searched += static_cast<int64_t>(source.size());
            if (searched > kMaxSearchedSource) {
                throw Error("source", "a shorter text, or fewer differing sentences",
                            std::to_string(source.size()) + " bytes", "each sentence is looked for in the whole source");
            }
            found->second = contains(source, sentence);
        }
        if (!found->second) added.push_back(trim(sentence));
        from = end;
    }
    return added;
}

std::vector<RougeScores> update_rouge(std::string_view source, std::string_view prediction,
                                      const std::vector<std::string>& references) {
    const std::string mine = joined_additions(source, prediction);
    const bool nothing = trim_view(mine).empty();
    std::vector<RougeWords> theirs;
    std::vector<bool> both_nothing;
    for (const std::string& reference : references) {
        const std::string additions = joined_additions(source, reference);
        both_nothing.push_back(nothing && trim_view(additions).empty());
        theirs.emplace_back(additions);
    }
    std::vector<RougeScores> results = rouge(RougeWords(mine), theirs);
    for (size_t r = 0; r < results.size(); ++r) {
        if (both_nothing[r]) results[r].fill({.precision = 1, .recall = 1, .f = 1});
    }
    return results;
}

}  // namespace craft
