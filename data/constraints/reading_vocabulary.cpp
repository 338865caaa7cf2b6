#include "data/constraints/reading_vocabulary.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "text/wording_table.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr std::array<const char*, kVocabularySigns> kSignNames = {"less",      "more",       "at_most",
                                                                  "at_least",  "exactly",    "between",
                                                                  "from",      "vague",      "soft",
                                                                  "not",       "without",    "nothing",
                                                                  "may",       "perhaps",    "reach",
                                                                  "upper",     "lower",      "too_many",
                                                                  "too_few",   "by",         "keep",
                                                                  "leave",     "kept",       "remove",
                                                                  "free_of",   "change",     "use",
                                                                  "say",       "swap",       "out",
                                                                  "inside",    "only",       "alone",
                                                                  "except",    "everything", "rest",
                                                                  "each",      "some",       "longest",
                                                                  "shortest",  "text",       "quality",
                                                                  "size",      "part",       "it",
                                                                  "they",      "word",       "sentence",
                                                                  "times",     "word_count", "sentence_count",
                                                                  "frequency", "list",       "alternative",
                                                                  "joint",     "ask",        "other",
                                                                  "wholly",    "inclusive",  "none"};
// As data/constraints/sentence_places.h has them, but the last few sentences, which are named like the last one.
constexpr std::array<const char*, 12> kPlaceNames = {"first",  "last", "next_to_last", "middle",   "longest", "shortest",
                                                     "begins", "ends", "says",         "question", "after",   "before"};

}  // namespace

bool is_any(Sign sign, std::initializer_list<Sign> signs) {
    return std::find(signs.begin(), signs.end(), sign) != signs.end();
}

bool is_mark(const Item& item, std::string_view marks) {
    return item.sign == Sign::mark && marks.find(item.text) != std::string_view::npos;
}

bool has_any(const Items& items, std::initializer_list<Sign> signs, size_t from, size_t to) {
    for (size_t i = from; i < std::min(to, items.size()); ++i)
        if (is_any(items[i].sign, signs)) return true;
    return false;
}

ReadingVocabulary ReadingVocabulary::load(const std::filesystem::path& file) {
    const WordingTable table = WordingTable::load(file);
    ReadingVocabulary vocabulary;
    std::map<std::string, std::string> seen;
    for (size_t i = 0; i < kSignNames.size(); ++i)
        for (const std::string& phrase : table.list(std::string("signs.") + kSignNames[i])) {
            const auto [place, is_new] = seen.try_emplace(phrase, kSignNames[i]);
            if (!is_new)
                throw Error(file.string() + ": '" + phrase + "'", "one sign", place->second + " and " + kSignNames[i]);
            std::vector<std::string> words = whitespace_words(phrase);
            vocabulary.phrases_[words.at(0)].emplace_back(std::move(words), static_cast<Sign>(i));
        }
    for (auto& [first, phrases] : vocabulary.phrases_)
        std::stable_sort(phrases.begin(), phrases.end(),
                         [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    for (size_t i = 0; i < kPlaceNames.size(); ++i)
        for (const std::string& phrase : table.list(std::string("places.") + kPlaceNames[i]))
            vocabulary.places_[i].push_back(whitespace_words(phrase));
    return vocabulary;
}

// In "keep the text below 90 words" "below" belongs to the number.
bool ReadingVocabulary::ends_in_bound(const std::vector<std::string>& words, const std::vector<Token>& tokens,
                                      size_t at) const {
    const size_t last = at + words.size() - 1;
    if (words.size() < 2 || last + 1 >= tokens.size() || tokens[last + 1].kind != Token::Kind::number) return false;
    const Sign sign = this->at(tokens, last).first;
    return sign == Sign::less || sign == Sign::more;
}

std::pair<Sign, size_t> ReadingVocabulary::at(const std::vector<Token>& tokens, size_t at) const {
    // "don't", "mustn't": all of the kind.
    if (tokens[at].kind == Token::Kind::word && tokens[at].text.ends_with("n't")) {
        std::vector<Token> apart = {{Token::Kind::word, "not", 0}};
        apart.insert(apart.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                     tokens.begin() + static_cast<std::ptrdiff_t>(std::min(tokens.size(), at + 6)));
        return this->at(apart, 0);
    }
    const auto found = phrases_.find(tokens[at].text);
    if (found != phrases_.end())
        for (const auto& [words, sign] : found->second) {
            if (at + words.size() > tokens.size()) continue;
            const bool fits = std::equal(words.begin(), words.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                         [](const std::string& word, const Token& token) {
                                             return token.kind != Token::Kind::quote && token.text == word;
                                         });
            if (fits && !(sign == Sign::text && ends_in_bound(words, tokens, at))) return {sign, words.size()};
        }
    return {Sign::unknown, 1};
}

}  // namespace craft
