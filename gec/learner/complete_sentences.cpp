#include "gec/learner/complete_sentences.h"

#include <algorithm>
#include <cctype>

#include "english/parsed_sentence.h"
#include "text/sentences.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int64_t kFewestWords = 5, kMaxWords = 35;

// Whether the last word is one whose full stop is part of it.
bool ends_in_abbreviation(std::string_view sentence) {
    const std::string_view word = sentence.substr(sentence.find_last_of(" (\"") + 1);
    const bool is_initial =
        word.size() == 2 && std::isupper(static_cast<unsigned char>(word[0])) != 0 && word[1] == '.' && word != "I.";
    return is_initial ||
           is_one_of(word, {"Mr.",  "Mrs.", "Ms.",   "Dr.",  "St.", "Prof.",   "No.",  "vs.", "e.g.", "i.e.", "a.m.",
                            "p.m.", "Sgt.", "Capt.", "Fig.", "cf.", "approx.", "Rev.", "Jr.", "Sr.",  "etc."});
}

std::string problem_of(const std::string& sentence) {
    const auto count = [&](char c) { return std::count(sentence.begin(), sentence.end(), c); };
    const int64_t words = count_whitespace_words(sentence);
    if (std::isupper(static_cast<unsigned char>(sentence.front())) == 0) return "no capital at the beginning";
    if (std::string_view(".?!").find(sentence.back()) == std::string_view::npos) return "no mark at the end";
    if (words < kFewestWords) return "fewer than 5 words";
    if (words > kMaxWords) return "more than 35 words";
    if (count('(') != count(')') || count('"') % 2 != 0 || count('[') + count(']') + count('*') + count('`') > 0)
        return "unpaired quotation marks or brackets";
    if (sentence.find("  ") != std::string::npos || sentence.find('\t') != std::string::npos)
        return "more than a blank between words";
    return "";
}

}  // namespace

std::vector<std::string> complete_sentences(std::string_view text, std::map<std::string, int64_t>& dropped) {
    std::vector<std::string> kept;
    const auto take = [&](const std::string& sentence) {
        const std::string problem = problem_of(sentence);
        if (problem.empty())
            kept.push_back(sentence);
        else
            ++dropped[problem];
    };
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string sentence;
        for (const std::string_view piece : sentence_views(text.substr(0, end))) {
            sentence += (sentence.empty() ? "" : " ") + std::string(piece);
            if (ends_in_abbreviation(sentence)) continue;
            take(sentence);
            sentence.clear();
        }
        if (!sentence.empty()) take(sentence);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return kept;
}

}  // namespace craft
