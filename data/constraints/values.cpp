#include "data/constraints/values.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "data/constraints/keywords.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int kTries = 100;  // draws of a pair or triple until one belongs to the split, which one in 15 does or more

// Numbers go to the splits in turn, not by chance: ids and sentence counts are so few that a hash can leave a shape with
// hardly any. From 20 on the turn moves by one every five, or all round numbers of a shape would fall to one split.
int64_t turn(int64_t n) {
    return n - std::max<int64_t>(0, (n - 15) / 5);
}

bool keyword_in_split(const std::string& keyword, Split split) {
    return in_split({Shape::keyword_keep, {}, 0, 0, keyword}, split);
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

struct Interval {
    int64_t low, high;  // both included; empty if low > high
};

// The values N of a bound that the revision meets, and those of them that the original does not meet.
struct Bounds {
    Interval met, violated;
};

Bounds more_than(int64_t revised, int64_t original, int64_t slack, int64_t minimum) {
    const Interval met{std::max(minimum, revised - slack), revised - 1};
    return {met, {std::max(met.low, original), met.high}};
}

Bounds less_than(int64_t revised, int64_t original, int64_t slack, int64_t minimum) {
    const int64_t low = std::max(revised + 1, minimum);
    const Interval met{low, std::max(low, revised + slack)};
    return {met, {met.low, std::min(met.high, original)}};
}

// One of the values, a round one (a multiple of ten, else of five) half the time where there is one of 20 or more.
int64_t pick_value(const std::vector<int64_t>& values, Rng& rng) {
    if (rng.uniform() < 0.5) return rng.pick(values);
    for (const int64_t step : {10, 5}) {
        std::vector<int64_t> round;
        std::copy_if(values.begin(), values.end(), std::back_inserter(round),
                     [step](int64_t value) { return value >= 20 && value % step == 0; });
        if (!round.empty()) return rng.pick(round);
    }
    return rng.pick(values);
}

// A value that `admits` lets through, one that the original violates where there is one.
template <class Admits>
std::optional<int64_t> pick_bound(const Bounds& bounds, const Admits& admits, Rng& rng) {
    for (const Interval& interval : {bounds.violated, bounds.met}) {
        std::vector<int64_t> values;
        for (int64_t n = interval.low; n <= interval.high; ++n)
            if (admits(n)) values.push_back(n);
        if (!values.empty()) return pick_value(values, rng);
    }
    return std::nullopt;
}

Bounds bounds_of(Shape shape, const ValueSource& s) {
    const MeasuredText &original = s.original, &revision = s.revision;
    const int64_t words = std::max<int64_t>(5, measured_words(revision) / 6);  // slack of word counts
    switch (shape) {
        case Shape::words_more:
            return more_than(measured_words(revision), measured_words(original), words, 5);
        case Shape::words_less:
            return less_than(measured_words(revision), measured_words(original), words, 5);
        case Shape::sentences_more:
            return more_than(measured_sentences(revision), measured_sentences(original), 3, 1);
        case Shape::sentences_less:
            return less_than(measured_sentences(revision), measured_sentences(original), 3, 2);
        case Shape::length_more:
            return more_than(shortest(revision), shortest(original), 3, 1);
        case Shape::length_less:
            return less_than(longest(revision), longest(original), 4, 3);
        default: {  // sentences_exactly; "exactly one sentence" is not asked for
            const int64_t sentences = measured_sentences(revision);
            return {{std::max<int64_t>(2, sentences), sentences}, {1, 0}};
        }
    }
}

std::optional<Constraint> draw_bound(Shape shape, const ValueSource& s, Rng& rng) {
    Constraint c;
    c.shape = shape;
    const auto admits = [&](int64_t n) {
        c.n = n;
        return in_split(c, s.split);
    };
    const auto n = pick_bound(bounds_of(shape, s), admits, rng);
    if (!n) return std::nullopt;
    c.n = *n;
    return c;
}

// More than m and less than n words around the revision's count, on one side of the original's where possible.
std::optional<Constraint> draw_range(const ValueSource& s, Rng& rng) {
    const int64_t revised = measured_words(s.revision), original = measured_words(s.original);
    const int64_t slack = std::max<int64_t>(5, revised / 8);
    Constraint c;
    c.shape = Shape::words_range;
    const auto any = [](int64_t) { return true; };
    const auto admits = [&](int64_t n) {
        c.n = n;
        return in_split(c, s.split);
    };
    for (int i = 0; i < kTries; ++i) {
        const auto m = pick_bound(more_than(revised, original, slack, 4), any, rng);
        if (!m) return std::nullopt;
        c.m = *m;
        const auto n = pick_bound(less_than(revised, original, slack, 6), admits, rng);
        if (!n) continue;
        c.n = *n;
        return c;
    }
    return std::nullopt;
}

std::optional<Constraint> draw_ids(Shape shape, size_t how_many, bool changed, const ValueSource& s, Rng& rng) {
    std::vector<int64_t> candidates;
    const int64_t sentences = measured_sentences(s.original);
    for (int64_t id = 1; id <= sentences; ++id)
        if (check(SentenceModificationCheck{{id}, changed}, s.original, s.revision).met) candidates.push_back(id);
    if (candidates.size() < how_many) return std::nullopt;
    Constraint c;
    c.shape = shape;
    for (int i = 0; i < kTries; ++i) {
        rng.shuffle(candidates);
        c.ids.assign(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(how_many));
        std::sort(c.ids.begin(), c.ids.end());
        if (in_split(c, s.split)) return c;
    }
    return std::nullopt;
}

// Distinct words of a text that belong to the split, spelled as they occur first. Short function words come up rarely: every
// text is full of them.
std::vector<std::string> keyword_candidates(const MeasuredText& text, Split split, Rng& rng) {
    std::vector<std::string> out;
    std::unordered_set<std::string> seen;
    for (const std::string& word : plain_words(text.text())) {
        if (!seen.insert(lowercase(word)).second) continue;
        if (!keyword_in_split(word, split)) continue;
        if (count_code_points(word) >= 5 || rng.uniform() < 0.25) out.push_back(word);
    }
    rng.shuffle(out);
    return out;
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
    const auto candidates = keyword_candidates(s.original, s.split, rng);
    std::optional<Constraint> fallback;
    // Counting costs a pass over both texts; past this many candidates the text is taken to have none.
    const size_t limit = std::min<size_t>(candidates.size(), 160);
    for (size_t i = 0; i < limit; ++i) {
        const std::string& keyword = candidates[i];
        if (clashes(keyword, s.keywords_in_use)) continue;
        const std::string lower = lowercase(keyword);
        const int64_t before = count_occurrences(s.original.lower(), lower);
        if (before == 0) continue;  // a letter that is lower-cased otherwise inside the text: no tool would find the word
        const int64_t after = count_occurrences(s.revision.lower(), lower);
        std::optional<Constraint> c;
        if (shape == Shape::keyword_keep || shape == Shape::keyword_remove) {
            if (shape == Shape::keyword_keep ? before != after : after != 0) continue;
            c = Constraint{shape, {}, 0, 0, keyword};
        } else {
            c = frequency_value(shape, keyword, before, after, true, rng);
            if (!c && !fallback) fallback = frequency_value(shape, keyword, before, after, false, rng);
        }
        if (c) return c;
    }
    return fallback;
}

}  // namespace

bool asks_for_change(Shape shape) {
    return sub_type(shape) != SubType::keep_sentence && sub_type(shape) != SubType::keyword_keep;
}

Split split_of(const Constraint& constraint) {
    uint64_t number = 0;
    if (constraint.keyword.empty()) {
        int64_t sum = turn(constraint.n) + turn(constraint.m) + 2 * static_cast<int64_t>(constraint.shape) + 4;
        for (const int64_t id : constraint.ids) sum += id;
        number = static_cast<uint64_t>(sum);
    } else {
        number = stable_hash("keyword:" + lowercase(constraint.keyword), 19);
    }
    if (number % 5 != 0) return Split::train;
    // Small values are few: this third of them leaves one or two to development, whose texts have about seven sentences.
    return number / 5 % 3 == 1 ? Split::sealed : Split::dev;
}

bool in_split(const Constraint& constraint, Split split) {
    return split == Split::all || split_of(constraint) == split;
}

size_t sentences_named(Shape shape) {
    return sub_type(shape) <= SubType::modify_sentence ? static_cast<size_t>(shape) % 3 + 1 : 0;
}

std::optional<Constraint> draw_constraint(Shape shape, const ValueSource& source, Rng& rng) {
    switch (shape) {
        case Shape::keep_one:
            return draw_ids(shape, 1, false, source, rng);
        case Shape::keep_two:
            return draw_ids(shape, 2, false, source, rng);
        case Shape::keep_three:
            return draw_ids(shape, 3, false, source, rng);
        case Shape::modify_one:
            return draw_ids(shape, 1, true, source, rng);
        case Shape::modify_two:
            return draw_ids(shape, 2, true, source, rng);
        case Shape::modify_three:
            return draw_ids(shape, 3, true, source, rng);
        case Shape::words_range:
            return draw_range(source, rng);
        default:
            return sub_type(shape) >= SubType::keyword_keep ? draw_keyword(shape, source, rng)
                                                            : draw_bound(shape, source, rng);
    }
}

}  // namespace craft
