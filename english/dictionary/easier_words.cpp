#include "english/dictionary/easier_words.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr double kSenseWeight = 0.15, kShareWeight = 0.3, kPhraseWeight = 0.1;

bool is_phrase(std::string_view lemma) {
    return lemma.find(' ') != std::string_view::npos;
}

// Small letters with blanks, hyphens and apostrophes between them.
bool is_plain_word(std::string_view lemma) {
    return std::all_of(lemma.begin(), lemma.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || c == ' ' || c == '-' || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
    });
}

// Pronouns, which WordNet has among its nouns.
constexpr std::string_view kPronouns[] = {"anything", "somebody", "someone", "something"};
// Hypernyms that say next to nothing of what they stand for.
constexpr std::string_view kEmptyWords[] = {"act",    "activity", "alter", "be",     "being", "cause",      "change",
                                            "do",     "entity",   "event", "go",     "group", "have",       "make",
                                            "matter", "mortal",   "move",  "object", "part",  "individual", "person",
                                            "people", "soul",     "state", "thing",  "unit",  "whole"};

template <class Words>
bool is_among(const Words& words, std::string_view lemma) {
    return std::find(std::begin(words), std::end(words), lemma) != std::end(words);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

// Alike for British and American spellings of a word: "utilise", "colour", "traveller", "centre", "anaemia".
std::string without_variety(std::string word) {
    for (const auto& [from, to] :
         {std::pair{"s", "z"}, std::pair{"our", "or"}, std::pair{"ll", "l"}, std::pair{"ae", "e"}, std::pair{"oe", "e"}})
        replace_all(word, from, to);
    if (word.ends_with("tre")) word.replace(word.size() - 2, 2, "er");
    return word;
}

double rank(const EasierWord& word) {
    return word.difficulty + kSenseWeight * static_cast<double>(word.sense) + kShareWeight * (1 - word.share) +
           (is_phrase(word.lemma) ? kPhraseWeight : 0);
}

bool stands_before(const EasierWord& a, const EasierWord& b) {
    if (a.is_wider != b.is_wider) return b.is_wider;
    return rank(a) < rank(b);
}

// One question's work.
class Search {
public:
    Search(const Synonyms& synonyms, const WordDifficulty& difficulty, std::string_view lemma, WordKind kind,
           const EasierWordOptions& options)
        : synonyms_(synonyms),
          difficulty_(difficulty),
          lemma_(lowercase(trim_view(lemma))),
          kind_(kind),
          options_(options) {}

    std::vector<EasierWord> run() {
        const std::vector<WordSense> senses = synonyms_.senses(lemma_, kind_);
        const double easiest = difficulty_.of(lemma_) - options_.margin;
        for (size_t s = 0; s < std::min(senses.size(), options_.senses); ++s) {
            if (static_cast<double>(senses[s].uses) < options_.sense_uses * static_cast<double>(senses[0].uses)) break;
            for (const std::string& word : senses[s].words) consider(word, s, senses[s], easiest, false);
            if (!options_.hypernyms) continue;
            for (const std::string& word : senses[s].hypernyms) consider(word, s, senses[s], easiest, true);
        }
        std::stable_sort(found_.begin(), found_.end(), stands_before);
        return std::move(found_);
    }

private:
    void consider(const std::string& word, size_t sense, const WordSense& meaning, double easiest, bool is_wider) {
        if (!is_plain_word(word) || (is_phrase(word) && (is_wider || !options_.phrases))) return;
        if (without_variety(word) == without_variety(lemma_) || (is_wider && is_among(kEmptyWords, word))) return;
        if (is_among(kPronouns, word)) return;
        EasierWord candidate;
        candidate.difficulty = difficulty_.of(word);
        if (candidate.difficulty > easiest + 1e-9) return;  // differences of hundredths are not exact
        candidate.share = share(word, meaning, is_wider);
        if (candidate.share < options_.share) return;
        candidate.lemma = word;
        candidate.sense = sense;
        candidate.is_wider = is_wider;
        keep(std::move(candidate));
    }

    // A hypernym's own meaning is the wider one.
    double share(const std::string& word, const WordSense& meaning, bool is_wider) const {
        const std::vector<WordSense> own = synonyms_.senses(word, kind_);
        int64_t all = 0, here = 0;
        for (const WordSense& sense : own) {
            all += sense.uses;
            const std::vector<int64_t>& wider = meaning.wider_synsets;
            const bool same = is_wider ? std::find(wider.begin(), wider.end(), sense.synset) != wider.end()
                                       : sense.synset == meaning.synset;
            if (same) here += sense.uses + 1;
        }
        return own.empty() ? 0 : static_cast<double>(here) / static_cast<double>(all + static_cast<int64_t>(own.size()));
    }

    void keep(EasierWord candidate) {
        for (EasierWord& other : found_)
            if (other.lemma == candidate.lemma) {
                if (stands_before(candidate, other)) other = std::move(candidate);
                return;
            }
        found_.push_back(std::move(candidate));
    }

    const Synonyms& synonyms_;
    const WordDifficulty& difficulty_;
    const std::string lemma_;
    const WordKind kind_;
    const EasierWordOptions& options_;
    std::vector<EasierWord> found_;
};

}  // namespace

std::vector<EasierWord> easier_words(const Synonyms& synonyms, const Inflections& inflections,
                                     const WordDifficulty& difficulty, std::string_view lemma, std::string_view tag,
                                     WordKind kind, const EasierWordOptions& options) {
    if (kind_of_tag(tag) != kind) throw Error("tag '" + std::string(tag) + "'", "one of the word's kind", "another one");
    std::vector<EasierWord> words = Search(synonyms, difficulty, lemma, kind, options).run();
    if (kind == WordKind::verb)  // nouns that WordNet has among verbs, too: "straw" for "strew", "off" for "slay"
        std::erase_if(words, [&](const EasierWord& word) { return !inflections.knows(word.lemma, kind); });
    for (EasierWord& word : words) word.form = inflections.forms(word.lemma, tag).front();
    return words;
}

}  // namespace craft
