#include "data/constraints/sentence_references.h"

#include <algorithm>
#include <optional>

#include "text/utf8.h"

namespace craft {

namespace {

// Sentences, and the token after what names them.
struct Named {
    std::vector<int64_t> ids;
    size_t end = 0;
};

class References {
public:
    References(const std::vector<Token>& tokens, const ReadingVocabulary& vocabulary,
               const std::vector<std::string>& sentences)
        : tokens_(tokens), vocabulary_(vocabulary), sentences_(sentences) {}

    // What is named from this token on, with all that a list joins to it.
    std::optional<Named> list_at(size_t at) const {
        auto all = one_at(at);
        if (!all) return std::nullopt;
        for (;;) {
            const auto next = one_at(after_and(all->end), true);
            if (after_and(all->end) == all->end || !next) break;
            all->ids.insert(all->ids.end(), next->ids.begin(), next->ids.end());
            all->end = next->end;
        }
        std::sort(all->ids.begin(), all->ids.end());
        all->ids.erase(std::unique(all->ids.begin(), all->ids.end()), all->ids.end());
        return all;
    }

private:
    bool is(size_t at, std::string_view word) const {
        return at < tokens_.size() && tokens_[at].text == word && !quoted(at);
    }
    bool quoted(size_t at) const { return at < tokens_.size() && tokens_[at].kind == Token::Kind::quote; }
    bool is_kind(size_t at, Token::Kind kind) const { return at < tokens_.size() && tokens_[at].kind == kind; }
    bool is_sentence(size_t at) const { return is(at, "sentence") || is(at, "sentences"); }
    size_t skip(size_t at, std::string_view word) const { return is(at, word) ? at + 1 : at; }
    Sign sign(size_t at) const { return at < tokens_.size() ? vocabulary_.at(tokens_, at).first : Sign::unknown; }

    // After ", and the", "or", "as well as": what may stand between two of a list. The same place where nothing does.
    size_t after_and(size_t at) const {
        size_t end = skip(at, ",");
        if (sign(end) == Sign::list || sign(end) == Sign::alternative || is(end, "nor"))
            end += vocabulary_.at(tokens_, end).second;
        return end;
    }

    // Of the phrases that name this place, the tokens of the one that stands here.
    size_t place_at(Place place, size_t at) const {
        size_t longest = 0;
        for (const auto& words : vocabulary_.of(place)) {
            size_t n = 0;
            while (n < words.size() && is(at + n, words[n])) ++n;
            if (n == words.size()) longest = std::max(longest, n);
        }
        return longest;
    }

    std::vector<int64_t> with_place(const SentenceName& wanted) const {
        for (int64_t id = 1; id <= static_cast<int64_t>(sentences_.size()); ++id)
            for (const SentenceName& name : names_of(id, sentences_))
                if (name.place == wanted.place && lowercase(name.quote) == lowercase(wanted.quote) &&
                    name.number == wanted.number)
                    return {id};
        return {};
    }

    // "sentence 3", "sentences 3, 9 and 17", "sentences 2 to 5"
    std::optional<Named> by_number(size_t at) const {
        if (!is_sentence(at)) return std::nullopt;
        size_t i = at + 1;
        for (const std::string_view word : {"number", "numbers", "numbered", "no", "nos", ".", "#"}) i = skip(i, word);
        Named named;
        for (size_t next = i; is_kind(next, Token::Kind::number) && !is_unit(next + 1);) {
            named.ids.push_back(tokens_[next].value);
            named.end = next + 1;
            const bool row = is(named.end, "to") || is(named.end, "through") || is(named.end, "-");
            if (row && is_kind(named.end + 1, Token::Kind::number) && !is_unit(named.end + 2)) {
                for (int64_t id = named.ids.back() + 1; id <= tokens_[named.end + 1].value && named.ids.size() < 100; ++id)
                    named.ids.push_back(id);
                named.end += 2;
            }
            next = after_and(named.end);
            if (next == named.end) break;
            next = skip(next, "#");
        }
        return named.ids.empty() ? std::nullopt : std::optional(std::move(named));
    }

    bool is_unit(size_t at) const {
        const Sign unit = sign(at);
        return unit == Sign::word || unit == Sign::times || unit == Sign::sentence || unit == Sign::at_least ||
               unit == Sign::at_most;
    }

    // What comes before "sentence": an ordinal, or a place.
    std::optional<Named> adjective_at(size_t at) const {
        for (const Place place :
             {Place::next_to_last, Place::last, Place::middle, Place::longest, Place::shortest, Place::first})
            if (const size_t n = place_at(place, at)) {
                const bool says_two = is_kind(at + n, Token::Kind::number) && is(at + n + 1, "sentences");
                const auto count = static_cast<int64_t>(sentences_.size());
                if (says_two && (place == Place::first || place == Place::last)) {
                    const int64_t few = tokens_[at + n].value, from = place == Place::first ? 1 : count - few + 1;
                    Named named{{}, at + n + 1};
                    for (int64_t id = from; id >= 1 && id < from + few && named.ids.size() < 100; ++id)
                        named.ids.push_back(id);
                    return named.ids.empty() ? std::nullopt : std::optional(std::move(named));
                }
                if (place == Place::first) return Named{{1}, at + n};
                if (place == Place::last && count > 0) return Named{{count}, at + n};
                std::vector<int64_t> ids = with_place({place, "", 0});
                return ids.empty() ? std::nullopt : std::optional(Named{std::move(ids), at + n});
            }
        if (is_kind(at, Token::Kind::ordinal)) return Named{{tokens_[at].value}, at + 1};
        return std::nullopt;
    }

    // "3rd, 9th and the last sentence"; after others of a list "the fifth" alone.
    std::optional<Named> by_adjective(size_t at, bool continues) const {
        Named named;
        for (size_t i = skip(at, "the");;) {
            auto next = adjective_at(i);
            if (!next) return std::nullopt;
            named.ids.insert(named.ids.end(), next->ids.begin(), next->ids.end());
            named.end = next->end;
            if (is_sentence(named.end) || (continues && (is(named.end, "one") || is(named.end, "ones"))))
                return Named{named.ids, named.end + 1};
            const size_t behind = after_and(named.end);
            const auto more = behind == named.end ? std::nullopt : adjective_at(skip(behind, "the"));
            if (!more && continues && sign(named.end) != Sign::part && sign(named.end) != Sign::text) return named;
            if (!more) return std::nullopt;
            i = skip(behind, "the");
        }
    }

    // "the sentence that begins with ...", "the sentence after the third", "the question"
    std::optional<Named> by_what_it_says(size_t at, bool continues) const {
        size_t i = skip(at, "the");
        if (const size_t n = place_at(Place::question, i); n > 0 && i > at)
            if (std::vector<int64_t> ids = with_place({Place::question, "", 0}); !ids.empty())
                return Named{std::move(ids), i + n};
        if (!is_sentence(i) && !(continues && is(i, "one"))) return std::nullopt;
        ++i;
        for (const Place place : {Place::begins, Place::ends, Place::says}) {
            const size_t n = place_at(place, i);
            size_t quote = i + n;
            for (const std::string_view word : {"the", "word", "words", "phrase"}) quote = skip(quote, word);
            if (n == 0 || !quoted(quote)) continue;
            if (std::vector<int64_t> ids = with_place({place, tokens_[quote].text, 0}); !ids.empty())
                return Named{std::move(ids), quote + 1};
        }
        for (const Place place : {Place::after, Place::before}) {
            const size_t n = place_at(place, i);
            const auto other = n == 0 ? std::nullopt : one_at(i + n, true);
            if (!other || other->ids.size() != 1) continue;
            const int64_t id = other->ids[0] + (place == Place::after ? 1 : -1);
            if (id >= 1 && id <= static_cast<int64_t>(sentences_.size())) return Named{{id}, other->end};
        }
        return std::nullopt;
    }

    std::optional<Named> one_at(size_t at, bool continues = false) const {
        if (at >= tokens_.size()) return std::nullopt;
        if (auto named = by_what_it_says(at, continues)) return named;
        if (auto named = by_number(skip(at, "the"))) return named;
        return by_adjective(at, continues);
    }

    const std::vector<Token>& tokens_;
    const ReadingVocabulary& vocabulary_;
    const std::vector<std::string>& sentences_;
};

// Whether the sentence of the instruction that this token stands in counts words: "the longest sentence" then sets a bound.
bool counts_words(const std::vector<Token>& tokens, size_t at) {
    for (size_t i = at; i < tokens.size() && tokens[i].kind != Token::Kind::line && tokens[i].text != "."; ++i)
        if (tokens[i].kind == Token::Kind::word && (tokens[i].text == "words" || tokens[i].text == "word") && i > 0 &&
            tokens[i - 1].kind == Token::Kind::number)
            return true;
    return false;
}

Item plain_item(const Token& token) {
    switch (token.kind) {
        case Token::Kind::number:
            return {Sign::number, token.text, token.value, {}};
        case Token::Kind::ordinal:
            return {Sign::ordinal, token.text, token.value, {}};
        case Token::Kind::quote:
            return {Sign::quote, token.text, 0, {}};
        case Token::Kind::mark:
            return {Sign::mark, token.text, 0, {}};
        case Token::Kind::line:
            return {Sign::line, token.text, 0, {}};
        default:
            return {Sign::unknown, token.text, 0, {}};
    }
}

}  // namespace

Items items_of(const std::vector<Token>& tokens, const ReadingVocabulary& vocabulary,
               const std::vector<std::string>& sentences) {
    const References references(tokens, vocabulary, sentences);
    Items items;
    for (size_t i = 0; i < tokens.size();) {
        const auto [sign, length] = vocabulary.at(tokens, i);
        const bool bounds = (sign == Sign::longest || sign == Sign::shortest) && counts_words(tokens, i);
        auto named = bounds ? std::nullopt : references.list_at(i);
        if (named) {
            Item item{Sign::named, "", 0, std::move(named->ids)};
            for (; i < named->end; ++i)
                item.is_choice = item.is_choice || vocabulary.at(tokens, i).first == Sign::alternative;
            items.push_back(std::move(item));
        } else if (sign != Sign::unknown) {
            Item item{sign, tokens[i].text, 0, {}};
            for (size_t k = 1; k < length; ++k) item.text += " " + tokens[i + k].text;
            items.push_back(std::move(item));
            i += length;
        } else {
            items.push_back(plain_item(tokens[i++]));
        }
    }
    return items;
}

}  // namespace craft
