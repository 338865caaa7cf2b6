#include <algorithm>

#include "english/listed_words.h"
#include "gec/rules/proposals.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxIntroductoryWords = 5;

bool is_mark(const WrittenSentence& s, size_t i) {
    return i < s.size() && s[i].pos == "PUNCT";
}

void propose_capitals(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    static const WordLines& names = listed_words("capitalised_words");
    for (size_t i = 0; i < s.size(); ++i) {
        const EnglishToken& token = s[i];
        const bool names_a_letter =
            i > 0 && is_one_of(s.lower(i - 1), {"variable", "index", "letter", "counter", "parameter", "constant",
                                                "subscript", "integer", "vowel"});
        if (token.text == "i" && !(i + 1 < s.size() && s.lower(i + 1) == ".")) {
            if (names_a_letter) continue;
            TextReplacement change = s.replaced(i, "I");
            to.push_back({std::move(change), CorrectionKind::capital, 3, true, "'I' has a capital"});
        } else if (names.contains(token.lower) && token.text == token.lower) {
            to.push_back({s.replaced(i, uppercase_first(token.lower)), CorrectionKind::capital, 3, true,
                          "'" + uppercase_first(token.lower) + "' has a capital"});
        } else if (i == 0 && s.size() > 3 && s.is_word(0) && token.text == token.lower && s[s.size() - 1].pos == "PUNCT") {
            to.push_back({s.replaced(0, uppercase_first(token.text)), CorrectionKind::capital, 3, true,
                          "a sentence begins with a capital"});
        } else if (i > 0 && s.has_capital(i) && token.text.size() > 1 && !is_mark(s, i - 1) &&
                   token.text.substr(1) == token.lower.substr(1) && language.rarity(token.lower) < 0.45 &&
                   language.knows(token.lower) && token.entity.empty() && !names.contains(token.lower)) {
            TextReplacement change{s.begin_of(i), s.end_of(i), token.lower};
            to.push_back({std::move(change), CorrectionKind::capital, -1, false, "no name stands there"});
        }
    }
}

// After what introduces a sentence: an adverb or phrase of the list, a clause before the subject.
void propose_introductory_comma(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    const KnownWords& introductory = language.words().introductory;
    for (size_t begin = 0; begin < s.size(); ++begin) {
        const bool begins = begin == 0 || (is_mark(s, begin - 1) && s.lower(begin - 1) != "," && s.lower(begin - 1) != "-");
        if (!begins) continue;
        for (size_t last = std::min(s.size() - 1, begin + kMaxIntroductoryWords); last > begin; --last) {
            if (is_mark(s, last) || !introductory.contains(s.phrase(begin, last))) continue;
            to.push_back({s.mark_after(last - 1, ","), CorrectionKind::comma_missing, 0.5, false,
                          "'" + s.phrase(begin, last) + "' introduces the sentence"});
            break;
        }
    }
    for (size_t i = 0; i < s.size(); ++i) {
        if (s[i].dep != "advcl" && s[i].dep != "prep" && s[i].dep != "npadvmod") continue;
        const std::vector<size_t> clause = s.subtree(i);
        const size_t end = clause.back();
        const bool leads = (clause.front() == 0 || is_mark(s, clause.front() - 1)) && end < s[i].head &&
                           end + 1 < s.size() && !is_mark(s, end + 1);
        if (leads)
            to.push_back({s.mark_after(end, ","), CorrectionKind::comma_missing, s[i].dep == "advcl" ? 0.5 : -3.0, false,
                          "what introduces the sentence ends there"});
    }
}

}  // namespace

void propose_marks(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    if (s.size() < 3) return;
    propose_capitals(s, language, to);
    propose_introductory_comma(s, language, to);
    for (size_t i = 1; i + 1 < s.size(); ++i) {
        const bool joins = is_one_of(s.lower(i), {"but", "and", "so", "or"}) &&
                           (s.tag(i) != "RB" || s.tag(i + 1) == "PRP") && !is_mark(s, i - 1);
        if (joins && i > 2 && is_one_of(s.tag(i + 1), {"PRP", "DT", "NN", "NNS", "NNP", "EX", "PRP$"}))
            to.push_back({s.mark_after(i - 1, ","), CorrectionKind::comma_missing, 0, false,
                          "a second clause may begin with '" + s[i].text + "'"});
        if (is_one_of(s.lower(i),
                      {"which", "such", "especially", "although", "though", "too", "however", "because", "then"}) &&
            !is_mark(s, i - 1) && i > 2)
            to.push_back(
                {s.mark_after(i - 1, ","), CorrectionKind::comma_missing, -3, false, "'" + s[i].text + "' may be set off"});
        if (s.lower(i) == ",")
            to.push_back({s.removed(i, i + 1), CorrectionKind::comma_redundant, 0, false, "no comma may be needed"});
        // "teenagers life", "the students books": a possessive without its apostrophe.
        if (s.tag(i) == "NNS" && is_one_of(s.tag(i + 1), {"NN", "NNS"}) && s[i].text.ends_with("s") && s.is_word(i)) {
            const std::string word = s[i].text, gap = s.is_tokenised() ? " '" : "'";
            to.push_back({{s.end_of(i), s.end_of(i), gap},
                          CorrectionKind::apostrophe,
                          0,
                          false,
                          "'" + s[i + 1].text + "' may belong to them"});
            to.push_back({{s.begin_of(i), s.end_of(i), word.substr(0, word.size() - 1) + gap + "s"},
                          CorrectionKind::apostrophe,
                          0,
                          false,
                          "'" + s[i + 1].text + "' may belong to it"});
        }
    }
    const size_t last = s.size() - 1;
    const bool is_open = !is_mark(s, last) && (s.is_word(last) || s[last].tag == "CD") && s.size() > 4 && s.has_capital(0);
    if (is_open) to.push_back({s.mark_after(last, "."), CorrectionKind::final_stop, 0, false, "the sentence has no end"});
}

}  // namespace craft
