// The words by which a rewritten instruction is read (share/prompts/rewriter_reading.json says what each sign means).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/constraints/instruction_tokens.h"
#include "data/constraints/sentence_places.h"

namespace craft {

enum class Sign {
    // Words of the vocabulary.
    less,
    more,
    at_most,
    at_least,
    exactly,
    between,
    from,
    vague,
    soft,
    negation,
    without,
    nothing,
    may,
    perhaps,
    reach,
    upper,
    lower,
    too_many,
    too_few,
    by,
    keep,
    leave,
    kept,
    remove,
    free_of,
    change,
    use,
    say,
    swap,
    out,
    inside,
    only,
    alone,
    except,
    everything,
    rest,
    each,
    some,
    longest,
    shortest,
    text,
    quality,
    size,
    part,
    it,
    they,
    word,
    sentence,
    times,
    word_count,
    sentence_count,
    frequency,
    list,
    alternative,
    joint,
    ask,
    other,
    wholly,
    inclusive,
    none,
    // What is in no list.
    unknown,
    number,
    ordinal,
    quote,
    mark,
    line,
    named,  // sentences of the text, by number or place
};
inline constexpr int kVocabularySigns = static_cast<int>(Sign::none) + 1;

struct Item {
    Sign sign = Sign::unknown;
    std::string text;          // the words, the mark, or what is quoted
    int64_t value = 0;         // of a number
    std::vector<int64_t> ids;  // of named sentences, ascending
    bool is_choice = false;    // of named sentences: an "or" joins them
};

using Items = std::vector<Item>;

bool is_any(Sign sign, std::initializer_list<Sign> signs);
// Whether the item is one of these marks, each of one character.
bool is_mark(const Item& item, std::string_view marks);
// Whether one of the items [from, to) has one of the signs.
bool has_any(const Items& items, std::initializer_list<Sign> signs, size_t from = 0, size_t to = static_cast<size_t>(-1));

class ReadingVocabulary {
public:
    // Throws Error naming the file and what is wrong: a list that is missing, or a phrase in two lists.
    static ReadingVocabulary load(const std::filesystem::path& file);

    // The sign of the longest phrase that begins at this token, and its tokens; unknown, 1 where there is none.
    std::pair<Sign, size_t> at(const std::vector<Token>& tokens, size_t at) const;
    // The phrases, each in tokens, that name sentences by that place.
    const std::vector<std::vector<std::string>>& of(Place place) const { return places_[static_cast<size_t>(place)]; }

private:
    bool ends_in_bound(const std::vector<std::string>& words, const std::vector<Token>& tokens, size_t at) const;

    std::map<std::string, std::vector<std::pair<std::vector<std::string>, Sign>>> phrases_;  // by first word, longest first
    std::array<std::vector<std::vector<std::string>>, kPlaces> places_;
};

}  // namespace craft
