#include "data/values.h"

#include <algorithm>
#include <unordered_set>

#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int kTries = 12;

std::string value_key(const Constraint& c) {
    std::string key = shape_name(c.shape) + ":";
    for (const int64_t id : c.ids) key += std::to_string(id) + ",";
    if (!c.keyword.empty()) return key + lowercase(c.keyword);
    if (c.ids.empty()) key += std::to_string(c.n) + "," + std::to_string(c.m);
    return key;
}

bool in_split(const Constraint& c, Split split) {
    return split == Split::all || is_dev_value(c) == (split == Split::dev);
}

int64_t measured_words(const MeasuredText& text) {
    return text.word_count();
}
int64_t measured_sentences(const MeasuredText& text) {
    return static_cast<int64_t>(text.sentences().size());
}
int64_t longest(const MeasuredText& text) {
    const auto& lengths = text.sentence_lengths();
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}
int64_t shortest(const MeasuredText& text) {
    const auto& lengths = text.sentence_lengths();
    return lengths.empty() ? 0 : *std::min_element(lengths.begin(), lengths.end());
}

// A bound in [low, high], round (a multiple of ten, else of five) half the time where there is one.
int64_t pick_bound(int64_t low, int64_t high, Rng& rng) {
    const int64_t value = rng.between(low, high);
    if (high < 20 || rng.uniform() < 0.5) return value;
    for (const int64_t step : {10, 5}) {
        const int64_t rounded = (value + step / 2) / step * step;
        if (rounded >= low && rounded <= high) return rounded;
    }
    return value;
}

// "more than N": N below what the revision has, and, where possible, not below what the original has.
std::optional<int64_t> lower_bound(int64_t revised, int64_t original, int64_t slack, int64_t minimum, Rng& rng) {
    const int64_t high = revised - 1;
    int64_t low = std::max(minimum, revised - slack);
    if (original <= high) low = std::max(low, original);
    if (low > high) return std::nullopt;
    return pick_bound(low, high, rng);
}

// "less than N": N above what the revision has, and, where possible, not above what the original has.
std::optional<int64_t> upper_bound(int64_t revised, int64_t original, int64_t slack, int64_t minimum, Rng& rng) {
    const int64_t low = std::max(revised + 1, minimum);
    int64_t high = std::max(low, revised + slack);
    if (original >= low) high = std::min(high, original);
    return pick_bound(low, high, rng);
}

std::optional<Constraint> draw_bound(Shape shape, const ValueSource& s, Rng& rng) {
    Constraint c;
    c.shape = shape;
    std::optional<int64_t> n;
    switch (shape) {
        case Shape::words_more: {
            const int64_t words = measured_words(s.revision);
            n = lower_bound(words, measured_words(s.original), std::max<int64_t>(5, words / 6), 5, rng);
            break;
        }
        case Shape::words_less: {
            const int64_t words = measured_words(s.revision);
            n = upper_bound(words, measured_words(s.original), std::max<int64_t>(5, words / 6), 5, rng);
            break;
        }
        case Shape::sentences_more:
            n = lower_bound(measured_sentences(s.revision), measured_sentences(s.original), 3, 1, rng);
            break;
        case Shape::sentences_less:
            n = upper_bound(measured_sentences(s.revision), measured_sentences(s.original), 3, 2, rng);
            break;
        case Shape::sentences_exactly:
            if (measured_sentences(s.revision) > 1) n = measured_sentences(s.revision);
            break;
        case Shape::length_more:
            n = lower_bound(shortest(s.revision), shortest(s.original), 3, 1, rng);
            break;
        case Shape::length_less:
            n = upper_bound(longest(s.revision), longest(s.original), 4, 3, rng);
            break;
        default:
            break;
    }
    if (!n) return std::nullopt;
    c.n = *n;
    return c;
}

// More than m and less than n words around the revision's count, on one side of the original's where possible.
std::optional<Constraint> draw_range(const ValueSource& s, Rng& rng) {
    const int64_t revised = measured_words(s.revision), original = measured_words(s.original);
    const int64_t slack = std::max<int64_t>(5, revised / 8);
    const auto m = lower_bound(revised, original, slack, 4, rng);
    const auto n = upper_bound(revised, original, slack, 6, rng);
    if (!m || !n || *n - *m < 2) return std::nullopt;
    Constraint c;
    c.shape = Shape::words_range;
    c.n = *n;
    c.m = *m;
    return c;
}

std::optional<Constraint> draw_ids(Shape shape, size_t how_many, bool changed, const ValueSource& s, Rng& rng) {
    std::vector<int64_t> candidates;
    const int64_t sentences = measured_sentences(s.original);
    for (int64_t id = 1; id <= sentences; ++id)
        if (check(SentenceModificationCheck{{id}, changed}, s.original, s.revision).met) candidates.push_back(id);
    if (candidates.size() < how_many) return std::nullopt;
    rng.shuffle(candidates);
    Constraint c;
    c.shape = shape;
    c.ids.assign(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(how_many));
    std::sort(c.ids.begin(), c.ids.end());
    return c;
}

bool is_word_letter(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

// The word without punctuation around it; empty unless it is made of letters and inner hyphens or apostrophes.
std::string plain_word(const std::string& token) {
    size_t begin = 0, end = token.size();
    while (begin < end && !is_word_letter(token[begin])) ++begin;
    while (end > begin && !is_word_letter(token[end - 1])) --end;
    const std::string word = token.substr(begin, end - begin);
    const bool plain = std::all_of(word.begin(), word.end(), [](char ch) { return is_word_letter(ch) || ch == '-'; });
    return plain && word.size() >= 3 && word.size() <= 24 ? word : "";
}

// Distinct words of a text, spelled as they occur first. Short function words come up rarely: every text is full of them.
std::vector<std::string> keyword_candidates(const MeasuredText& text, Rng& rng) {
    std::vector<std::string> out;
    std::unordered_set<std::string> seen;
    for (const auto& token : whitespace_words(text.text())) {
        const std::string word = plain_word(token);
        if (word.empty() || !seen.insert(lowercase(word)).second) continue;
        if (word.size() >= 5 || rng.uniform() < 0.25) out.push_back(word);
    }
    rng.shuffle(out);
    return out;
}

// Neither keyword may contain the other: tools count substrings, so that "keep 'party'" and "remove 'art'" contradict.
bool clashes(const std::string& keyword, const std::vector<std::string>& in_use) {
    const std::string lower = lowercase(keyword);
    return std::any_of(in_use.begin(), in_use.end(), [&](const std::string& other) {
        const std::string used = lowercase(other);
        return used.find(lower) != std::string::npos || lower.find(used) != std::string::npos;
    });
}

std::optional<Constraint> frequency_value(Shape shape, const std::string& keyword, int64_t before, int64_t after,
                                          bool violated, Rng& rng) {
    Constraint c;
    c.shape = shape;
    c.keyword = keyword;
    if (shape == Shape::frequency_exactly) {
        c.n = after;
        if (after < 1 || (violated && before == after)) return std::nullopt;
    } else if (shape == Shape::frequency_at_least) {
        if (after < 1 || (violated && before >= after)) return std::nullopt;
        c.n = rng.between(violated ? std::max<int64_t>(before, 0) : std::max<int64_t>(0, after - 2), after - 1);
    } else {
        if (violated && before <= after) return std::nullopt;
        c.n = rng.between(std::max<int64_t>(2, after + 1), std::max<int64_t>({2, after + 1, violated ? before : after + 2}));
        if (violated && c.n > before) return std::nullopt;
    }
    return c;
}

std::optional<Constraint> draw_keyword(Shape shape, const ValueSource& s, Rng& rng) {
    const auto candidates = keyword_candidates(s.original, rng);
    const bool can_violate = asks_for_change(shape);
    std::optional<Constraint> fallback;
    // Counting costs a pass over both texts; past this many candidates the text is taken to have none.
    const size_t limit = std::min<size_t>(candidates.size(), 160);
    for (size_t i = 0; i < limit; ++i) {
        const std::string& keyword = candidates[i];
        if (clashes(keyword, s.keywords_in_use)) continue;
        const std::string lower = lowercase(keyword);
        const int64_t before = count_keyword(s.original.lower(), lower), after = count_keyword(s.revision.lower(), lower);
        std::optional<Constraint> c;
        if (shape == Shape::keyword_keep || shape == Shape::keyword_remove) {
            if (shape == Shape::keyword_keep ? before != after : after != 0) continue;
            c = Constraint{shape, {}, 0, 0, keyword};
        } else {
            c = frequency_value(shape, keyword, before, after, true, rng);
            if (!c && !fallback) {
                fallback = frequency_value(shape, keyword, before, after, false, rng);
                if (fallback && !in_split(*fallback, s.split)) fallback.reset();
            }
        }
        if (c && in_split(*c, s.split)) return c;
    }
    return can_violate ? fallback : std::nullopt;
}

std::optional<Constraint> draw_once(Shape shape, const ValueSource& s, Rng& rng) {
    switch (shape) {
        case Shape::keep_one:
            return draw_ids(shape, 1, false, s, rng);
        case Shape::keep_two:
            return draw_ids(shape, 2, false, s, rng);
        case Shape::keep_three:
            return draw_ids(shape, 3, false, s, rng);
        case Shape::modify_one:
            return draw_ids(shape, 1, true, s, rng);
        case Shape::modify_two:
            return draw_ids(shape, 2, true, s, rng);
        case Shape::modify_three:
            return draw_ids(shape, 3, true, s, rng);
        case Shape::words_range:
            return draw_range(s, rng);
        default:
            return sub_type(shape) >= SubType::keyword_keep ? draw_keyword(shape, s, rng) : draw_bound(shape, s, rng);
    }
}

}  // namespace

bool asks_for_change(Shape shape) {
    return sub_type(shape) != SubType::keep_sentence && sub_type(shape) != SubType::keyword_keep;
}

bool is_dev_value(const Constraint& constraint) {
    return stable_hash(value_key(constraint), 19) % 5 == 0;
}

std::optional<Constraint> draw_constraint(Shape shape, const ValueSource& source, Rng& rng) {
    for (int i = 0; i < kTries; ++i) {
        auto c = draw_once(shape, source, rng);
        if (!c) return std::nullopt;  // drawing again from the same text and revision would not help
        if (in_split(*c, source.split)) return c;
    }
    return std::nullopt;
}

}  // namespace craft
