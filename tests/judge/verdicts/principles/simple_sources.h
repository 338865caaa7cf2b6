// The rules' sources for tests: difficulties from a short list, and alignments by equal words and their places.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "core/ascii.h"
#include "judge/verdicts/principles/candidate_findings.h"
#include "tests/english/english_model.h"
#include "text/words.h"

namespace craft::test {

// Equal words are linked, in their order where they have one, else wherever they occur. Of the rest, runs between links of
// the same number of words are linked word by word.
inline WordAlignment simple_alignment(const std::string& source, const std::string& candidate) {
    WordAlignment alignment;
    for (const std::string& word : whitespace_words(source)) alignment.source.push_back(ascii_lower(word));
    for (const std::string& word : whitespace_words(candidate)) alignment.candidate.push_back(ascii_lower(word));
    const auto& a = alignment.source;
    const auto& b = alignment.candidate;
    std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
    for (size_t i = a.size(); i-- > 0;)
        for (size_t j = b.size(); j-- > 0;)
            common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    std::vector<bool> has_a(a.size()), has_b(b.size());
    const auto link = [&](size_t i, size_t j) {
        alignment.links.emplace_back(i, j);
        has_a[i] = has_b[j] = true;
    };
    std::vector<std::pair<size_t, size_t>> in_order;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();)
        if (a[i] == b[j]) {
            in_order.emplace_back(i, j);
            link(i++, j++);
        } else {
            common[i + 1][j] >= common[i][j + 1] ? ++i : ++j;
        }
    for (size_t i = 0; i < a.size(); ++i)
        for (size_t j = 0; j < b.size() && !has_a[i]; ++j)
            if (!has_b[j] && a[i] == b[j]) link(i, j);
    in_order.emplace_back(a.size(), b.size());
    size_t from_i = 0, from_j = 0;
    for (const auto& [i, j] : in_order) {
        for (; i - from_i == j - from_j && from_i < i; ++from_i, ++from_j)
            if (!has_a[from_i] && !has_b[from_j]) link(from_i, from_j);
        from_i = i + 1;
        from_j = j + 1;
    }
    std::sort(alignment.links.begin(), alignment.links.end());
    return alignment;
}

// Words that are not listed have difficulty .2; from .5 on they are hard.
inline PrincipleSources simple_sources(std::map<std::string, double> difficulties) {
    PrincipleSources sources;
    static const auto english = std::make_shared<const LazyEnglishPipeline>(installed_english_model());
    sources.english = english;
    sources.difficulty = [difficulties = std::move(difficulties)](std::string_view word) {
        const auto found = difficulties.find(ascii_lower(word));
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
