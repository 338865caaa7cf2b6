// The rules' sources for tests: difficulties from a short list, and alignments by equal words and their places.
#pragma once

#include <map>
#include <memory>

#include "../../english/english_model.h"
#include "text/words.h"
#include "verdicts/principles/candidate_findings.h"
#include "verdicts/said_verdicts.h"

namespace craft::test {

// Equal words are linked; runs between them of the same number of words are linked word by word, and of others the first
// and the last word each.
inline WordAlignment simple_alignment(const std::string& source, const std::string& candidate) {
    WordAlignment alignment;
    for (const std::string& word : whitespace_words(source)) alignment.source.push_back(ascii_lowered(word));
    for (const std::string& word : whitespace_words(candidate)) alignment.candidate.push_back(ascii_lowered(word));
    const auto& a = alignment.source;
    const auto& b = alignment.candidate;
    std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
    for (size_t i = a.size(); i-- > 0;)
        for (size_t j = b.size(); j-- > 0;)
            common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    const auto link_gap = [&](size_t i, size_t ends_i, size_t j, size_t ends_j) {
        if (ends_i - i == ends_j - j)
            for (; i < ends_i; ++i, ++j) alignment.links.emplace_back(i, j);
        else if (ends_i > i && ends_j > j)
            for (size_t k = j; k < ends_j; ++k) alignment.links.emplace_back(i, k);
    };
    size_t i = 0, j = 0, from_i = 0, from_j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i] == b[j]) {
            link_gap(from_i, i, from_j, j);
            alignment.links.emplace_back(i++, j++);
            from_i = i;
            from_j = j;
        } else {
            common[i + 1][j] >= common[i][j + 1] ? ++i : ++j;
        }
    }
    link_gap(from_i, a.size(), from_j, b.size());
    return alignment;
}

// Words that are not listed have difficulty .2; from .5 on they are hard.
inline PrincipleSources simple_sources(std::map<std::string, double> difficulties) {
    PrincipleSources sources;
    static const auto english = std::make_shared<const LazyEnglishPipeline>(installed_english_model());
    sources.english = english;
    sources.difficulty = [difficulties = std::move(difficulties)](std::string_view word) {
        const auto found = difficulties.find(ascii_lowered(word));
        return found == difficulties.end() ? 0.2 : found->second;
    };
    sources.align = [](const std::vector<std::pair<std::string, std::string>>& pairs) {
        std::vector<WordAlignment> alignments;
        for (const auto& [source, candidate] : pairs) alignments.push_back(simple_alignment(source, candidate));
        return alignments;
    };
    return sources;
}

}  // namespace craft::test
