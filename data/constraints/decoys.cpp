#include "data/constraints/decoys.h"

#include <algorithm>
#include <numeric>

#include "data/constraints/keywords.h"
#include "data/constraints/shape_plan.h"
#include "data/constraints/values.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int kDecoyTries = 20;  // draws until one belongs to the split

// Another number than `base`, up to a third away and, where a wording might shift it by one, not the next one.
int64_t other_count(int64_t base, int64_t least, Rng& rng) {
    const int64_t nearest = base >= 20 ? 3 : 1;
    const int64_t step = rng.between(nearest, std::max(nearest, base / 3));
    const bool below = rng.uniform() < 0.5 && base - step >= least;
    return below ? base - step : base + step;
}

// The smallest bound of which every wording, shifted by one or not, can be said.
int64_t least_bound(Shape shape) {
    switch (shape) {
        case Shape::frequency_at_least:
            return 0;
        case Shape::frequency_exactly:
            return 1;
        default:
            return 2;
    }
}

std::optional<std::vector<int64_t>> some_ids(size_t how_many, size_t sentences, Rng& rng) {
    if (how_many >= sentences) return std::nullopt;
    std::vector<int64_t> ids(sentences);
    std::iota(ids.begin(), ids.end(), 1);
    rng.shuffle(ids);
    ids.resize(how_many);
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::optional<std::string> some_keyword(const std::vector<std::string>& sentences, const std::vector<Constraint>& others,
                                        Rng& rng) {
    std::vector<std::string> in_use, words;
    for (const Constraint& c : others)
        if (!c.keyword.empty()) in_use.push_back(c.keyword);
    for (const std::string& sentence : sentences)
        for (const std::string& word : plain_words(sentence))
            if (count_code_points(word) >= 5 && !clashes(word, in_use)) words.push_back(word);
    if (words.empty()) return std::nullopt;
    return rng.pick(words);
}

// What the text has of what a constraint counts; 1 for keywords.
int64_t measured(SubType type, const std::vector<std::string>& sentences) {
    std::vector<int64_t> lengths;
    for (const std::string& sentence : sentences) lengths.push_back(count_whitespace_words(sentence));
    if (type == SubType::word_count) return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    if (type == SubType::sentence_count) return static_cast<int64_t>(sentences.size());
    if (type == SubType::sentence_length) return *std::max_element(lengths.begin(), lengths.end());
    return 1;
}

// `base` with other counts, or other ids or another keyword; empty if the text has none.
std::optional<Constraint> with_other_values(Constraint base, const std::vector<Constraint>& others,
                                            const std::vector<std::string>& sentences, Rng& rng) {
    const SubType type = sub_type(base.shape);
    if (type == SubType::keep_sentence || type == SubType::modify_sentence) {
        auto ids = some_ids(base.ids.size(), sentences.size(), rng);
        if (!ids) return std::nullopt;
        base.ids = std::move(*ids);
    } else if (type == SubType::keyword_keep || type == SubType::keyword_remove) {
        auto keyword = some_keyword(sentences, others, rng);
        if (!keyword) return std::nullopt;
        base.keyword = std::move(*keyword);
    } else {
        const int64_t n = other_count(base.n, least_bound(base.shape) + base.m, rng);
        base.m = std::max<int64_t>(0, base.m + n - base.n);
        base.n = n;
    }
    return base;
}

bool is_another(const Constraint& a, const Constraint& b) {
    return a.ids != b.ids || a.n != b.n || a.m != b.m || lowercase(a.keyword) != lowercase(b.keyword);
}

template <class Draw>
std::optional<Constraint> of_split(Split split, const Draw& draw) {
    for (int i = 0; i < kDecoyTries; ++i)
        if (const std::optional<Constraint> c = draw(); c && (split == Split::all || split_of(*c) == split)) return c;
    return std::nullopt;
}

}  // namespace

std::optional<Constraint> changed_limit(const Constraint& gold, const std::vector<Constraint>& others,
                                        const std::vector<std::string>& sentences, Split split, Rng& rng) {
    return of_split(split, [&]() -> std::optional<Constraint> {
        const auto drawn = with_other_values(gold, others, sentences, rng);
        return drawn && is_another(*drawn, gold) ? drawn : std::nullopt;
    });
}

std::optional<Constraint> stray_limit(const std::vector<Constraint>& constraints, const std::vector<std::string>& sentences,
                                      Split split, Rng& rng) {
    if (sentences.empty()) return std::nullopt;
    std::vector<SubType> types;
    for (int i = 0; i < kSubTypes; ++i) {
        const auto type = static_cast<SubType>(i);
        const auto is_used = [&](const Constraint& c) { return sub_type(c.shape) == type; };
        if (std::none_of(constraints.begin(), constraints.end(), is_used)) types.push_back(type);
    }
    if (types.empty()) return std::nullopt;
    return of_split(split, [&]() -> std::optional<Constraint> {
        const SubType type = rng.pick(types);
        Constraint base;
        base.shape = rng.pick(shapes_of_sub_types()[static_cast<size_t>(type)]);
        base.n = measured(type, sentences);
        if (base.shape == Shape::words_range) base.m = base.n - base.n / 8 - 2;
        if (type == SubType::keep_sentence || type == SubType::modify_sentence)
            base.ids.resize(static_cast<size_t>(base.shape) % 3 + 1);
        if (type != SubType::keyword_frequency) return with_other_values(base, constraints, sentences, rng);
        auto keyword = some_keyword(sentences, constraints, rng);
        if (!keyword) return std::nullopt;
        base.keyword = std::move(*keyword);
        return with_other_values(base, constraints, sentences, rng);
    });
}

}  // namespace craft
