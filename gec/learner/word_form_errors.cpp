// Adjectives for adverbs and adverbs for adjectives.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// The adjective that an adverb in -ly is made of; empty: none, or one that is an adverb itself in plain speech.
std::string adjective_of(const std::string& adverb, const LearnerLanguage& language) {
    if (!adverb.ends_with("ly") || adverb.size() < 6) return "";
    const std::string stem = adverb.substr(0, adverb.size() - 2);
    if (is_one_of(stem, {"near",  "real",   "hard",  "most",  "late",  "slow",  "quick", "loud",  "tight",
                         "deep",  "direct", "high",  "clear", "wide",  "main",  "like",  "light", "close",
                         "short", "large",  "right", "wrong", "cheap", "exact", "low",   "safe"}))
        return "";
    if (stem.ends_with("i")) return stem.substr(0, stem.size() - 1) + "y";
    if (stem.ends_with("ical")) return stem;
    if (language.is_word(stem + "le")) return stem + "le";
    return language.is_word(stem) ? stem : "";
}

// Of -ly that is put after an adjective; empty: it is not so simple.
std::string adverb_of(const std::string& adjective, const LearnerLanguage& language) {
    std::string made = adjective + "ly";
    if (adjective.ends_with("y")) made = adjective.substr(0, adjective.size() - 1) + "ily";
    if (adjective.ends_with("le")) made = adjective.substr(0, adjective.size() - 1) + "y";
    // Some of these are adjectives themselves.
    const bool is_adjective =
        is_one_of(made, {"deadly", "friendly", "lively", "costly", "kindly", "sickly", "lonely", "lowly", "manly", "goodly",
                         "likely", "poorly", "cleanly", "homely", "worldly", "daily", "weekly", "yearly", "orderly"});
    return language.is_word(made) && !is_adjective ? made : "";
}

}  // namespace

LearnerErrors word_form_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 1; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        if (!sentence.is_whole_word(i) || token.text != token.lower) continue;
        const size_t head = token.head;
        if (token.tag == "RB" && token.dep == "advmod" && (sentence[head].pos == "VERB" || sentence[head].pos == "ADJ") &&
            (head + 1 == i || head == i + 1)) {
            const std::string adjective = adjective_of(token.lower, language);
            if (!adjective.empty() && language.is_word(adjective))
                found.push_back(sentence.instead_of(i, adjective).because_of(head));
        }
        if (token.tag != "JJ" || token.lower.size() < 4 || token.lower.ends_with("ly")) continue;
        const std::string adverb = adverb_of(token.lower, language);
        if (adverb.empty() ||
            is_one_of(token.lower, {"hard", "late", "near", "most", "like", "even", "only", "live", "main"}))
            continue;
        // "a seriously problem": an adjective after it would make the adverb right.
        if (token.dep == "amod" && head == i + 1 && sentence.is_tag(i + 1, {"NN", "NNS"}) &&
            !sentence.is_tag(i - 1, {"JJ", "RB", ","}))
            found.push_back(sentence.instead_of(i, adverb).because_of(head).weighing(.4));
        if (token.dep == "acomp" && sentence.is_lemma(head, {"be"}) && head + 1 == i &&
            !sentence.is_tag(i + 1, {"VBN", "JJ", "VBG"}))
            found.push_back(sentence.instead_of(i, adverb).because_of(head).weighing(.4));
    }
    return found;
}

}  // namespace craft
