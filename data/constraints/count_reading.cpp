#include <algorithm>
#include <optional>

#include "data/constraints/clause_reading.h"

namespace craft {

namespace {

bool negates(Sign sign) {
    return is_any(sign, {Sign::negation, Sign::without, Sign::nothing});
}

// A side from which a number bounds; strict or not.
enum class Side { less, at_most, exactly, at_least, more };

std::optional<Side> side_of(Sign sign) {
    switch (sign) {
        case Sign::less:
            return Side::less;
        case Sign::more:
            return Side::more;
        case Sign::at_most:
            return Side::at_most;
        case Sign::at_least:
        case Sign::reach:
            return Side::at_least;
        case Sign::exactly:
            return Side::exactly;
        default:
            return std::nullopt;
    }
}

// "Not more than" is "at most".
std::optional<Side> negated(Side side) {
    switch (side) {
        case Side::less:
            return Side::at_least;
        case Side::more:
            return Side::at_most;
        case Side::at_most:
            return Side::more;
        case Side::at_least:
            return Side::less;
        default:
            return std::nullopt;
    }
}

bool is_upper(Side side) {
    return side == Side::less || side == Side::at_most;
}
bool is_lower(Side side) {
    return side == Side::more || side == Side::at_least;
}

// What the items [from, to) say of a number among them: every sign has to agree.
std::optional<Side> side_in(const Items& items, size_t from, size_t to) {
    std::optional<Side> side;
    bool is_negated = false;
    for (size_t i = from; i < to; ++i) {
        const Sign sign = items[i].sign;
        if (negates(sign)) {
            is_negated = !is_negated;
            continue;
        }
        auto said = side_of(sign);
        if (!said) continue;
        if (is_negated) said = negated(*said);
        is_negated = false;
        // "Reaches at least 80": the one says no more than the other.
        if (!said || (side && *side != *said)) return std::nullopt;
        side = said;
    }
    if (!side && !is_negated) side = Side::exactly;
    // What stands beside the number may say that it is already wrong, or that it is a limit on one side.
    const bool bare =
        !has_any(items, {Sign::less, Sign::more, Sign::at_most, Sign::at_least, Sign::exactly, Sign::reach}, from, to);
    for (size_t i = from; i < to; ++i) {
        const Sign sign = items[i].sign;
        if (sign == Sign::too_many || sign == Sign::too_few) {
            const bool many = sign == Sign::too_many;
            if (is_negated) return std::nullopt;
            if (bare)
                side = many ? Side::less : Side::more;
            else
                side = side && (many ? is_lower(*side) : is_upper(*side)) ? negated(*side) : std::nullopt;
            return side;
        }
        if (sign == Sign::upper || sign == Sign::lower) {
            if (bare && sign == Sign::upper && !is_negated) return Side::at_most;
            if (bare || !side || (sign == Sign::upper ? !is_upper(*side) : !is_lower(*side))) return std::nullopt;
        }
    }
    return is_negated ? std::nullopt : side;
}

ToolCall bound_call(const Clause& clause, Side side, int64_t number) {
    const Relation relation = is_upper(side) ? Relation::less_than : is_lower(side) ? Relation::more_than : Relation::equal;
    const int64_t bound = number + (side == Side::at_most ? 1 : side == Side::at_least ? -1 : 0);
    if (clause.target.unit == Sign::times) return KeywordFrequencyCheck{clause.target.keywords.at(0), bound, relation};
    if (clause.target.unit == Sign::sentence) return SentenceCountCheck{bound, relation};
    const bool each = has_any(clause.items, {Sign::each, Sign::longest, Sign::shortest, Sign::sentence}) ||
                      std::any_of(clause.items.begin(), clause.items.end(), [](const Item& item) {
                          return item.sign == Sign::nothing && item.text.find("sentence") != std::string::npos;
                      });
    if (each) return SentenceLengthCheck{bound, relation};
    return WordCountCheck{bound, relation};
}

// After a count stand only words that say no more of it: "... words or more is a labyrinth" asks for nothing.
bool ends_plainly(const Clause& clause) {
    for (size_t i = clause.target.end; i < clause.items.size(); ++i)
        if (is_any(clause.items[i].sign, {Sign::unknown, Sign::alternative, Sign::other})) return false;
    return true;
}

// "60 words of it", "every sentence that has 60 words", "60 words remain": a part of the text, not all of it.
bool counts_a_part(const Clause& clause) {
    const Items& items = clause.items;
    const size_t end = clause.target.end;
    // "14 sentences of at most 60 words": of each.
    if (items.front().text == "of" && !has_any(items, {Sign::each})) return true;
    if (end < items.size() && items[end].sign == Sign::none && items[end].text == "of") return true;
    for (size_t i = 0; i < items.size(); ++i) {
        if (i >= end && is_any(items[i].sign, {Sign::keep, Sign::leave})) return true;
        const bool is_followed = items[i].sign == Sign::each && i + 1 < items.size();
        if (is_followed && (items[i + 1].text == "that" || items[i + 1].text == "which")) return true;
    }
    return false;
}

// "The sentences have 18 words in total": all of them, or each?
bool sums_up(const Clause& clause) {
    if (clause.target.unit != Sign::word || !has_any(clause.items, {Sign::each, Sign::sentence})) return false;
    return std::any_of(clause.items.begin(), clause.items.end(), [](const Item& item) {
        return item.sign == Sign::size && item.text.find("length") == std::string::npos && item.text != "long";
    });
}

// Whether a count of something else is meant: of some sentences, of words to add, of what an edit is to touch.
bool counts_something_else(const Clause& clause) {
    const Items& items = clause.items;
    if (!clause.says_only(
            {Sign::less,    Sign::more,  Sign::at_most,   Sign::at_least,   Sign::exactly,        Sign::between,
             Sign::from,    Sign::reach, Sign::inclusive, Sign::upper,      Sign::lower,          Sign::too_many,
             Sign::too_few, Sign::may,   Sign::negation,  Sign::without,    Sign::nothing,        Sign::keep,
             Sign::leave,   Sign::use,   Sign::say,       Sign::change,     Sign::inside,         Sign::only,
             Sign::each,    Sign::text,  Sign::quality,   Sign::size,       Sign::longest,        Sign::shortest,
             Sign::it,      Sign::word,  Sign::sentence,  Sign::word_count, Sign::sentence_count, Sign::frequency,
             Sign::times,   Sign::list,  Sign::joint,     Sign::ask,        Sign::wholly}))
        return true;
    if (!ends_plainly(clause) || counts_a_part(clause) || sums_up(clause)) return true;
    if (clause.target.unit == Sign::times && has_any(items, {Sign::change, Sign::each, Sign::sentence})) return true;
    // "45 words fewer", "three times more often"
    if (has_any(items, {Sign::less, Sign::more, Sign::reach}, clause.target.numbers.back() + 1)) return true;
    if (clause.target.unit != Sign::times && !clause.target.keywords.empty()) return true;
    if (clause.target.unit == Sign::sentence && has_any(items, {Sign::each, Sign::nothing, Sign::word})) return true;
    // "Edit more than four sentences": the verb stands right before the bound.
    size_t at = clause.target.numbers.front();
    while (at > 0 && side_of(items[at - 1].sign)) --at;
    if (at == 0) return false;
    // "The writing of more than four sentences" is what is to be revised.
    if (items[at - 1].text == "of" && has_any(items, {Sign::change, Sign::remove}, 0, at)) return true;
    return is_any(items[at - 1].sign, {Sign::change, Sign::remove, Sign::leave}) ||
           (items[at - 1].sign == Sign::keep && clause.target.unit == Sign::sentence);
}

bool is_vague(const Clause& clause) {
    const size_t from = clause.target.numbers.front() - std::min<size_t>(clause.target.numbers.front(), 4);
    return has_any(clause.items, {Sign::vague}, from, clause.target.end + 4);
}

ClauseReading read_range(const Clause& clause, bool is_between) {
    const Items& items = clause.items;
    const size_t a = clause.target.numbers[0], b = clause.target.numbers[1];
    const int64_t low = items[a].value, high = items[b].value;
    ClauseReading reading;
    if (is_between) {
        if (has_any(items,
                    {Sign::negation, Sign::without, Sign::nothing, Sign::less, Sign::more, Sign::at_most, Sign::at_least}) ||
            low >= high || has_any(items, {Sign::alternative}, a, b))
            return refuse_clause();
        reading.calls = {bound_call(clause, Side::at_least, low), bound_call(clause, Side::at_most, high)};
        if (has_any(items, {Sign::between}) && !has_any(items, {Sign::inclusive}))
            reading.exclusive = {bound_call(clause, Side::more, low), bound_call(clause, Side::less, high)};
    } else {
        const auto first = side_in(items, 0, a + 1), second = side_in(items, a + 1, items.size());
        if (!first || !second || is_upper(*first) == is_upper(*second) || *first == Side::exactly ||
            *second == Side::exactly || has_any(items, {Sign::alternative}, a, b))
            return refuse_clause();
        const int64_t least = is_lower(*first) ? low : high, most = is_lower(*first) ? high : low;
        if (least >= most) return refuse_clause();
        reading.calls = {bound_call(clause, *first, low), bound_call(clause, *second, high)};
    }
    reading.status = ClauseReading::Status::read;
    return reading;
}

// A number without a bound is meant exactly only in the plainest forms: "in six sentences", "use 'river' twice".
bool is_plain_number(const Clause& clause) {
    const size_t number = clause.target.numbers[0];
    if (number == 0 || has_any(clause.items, {Sign::negation, Sign::without, Sign::nothing, Sign::reach})) return false;
    const Item& before = clause.items[number - 1];
    return is_any(before.sign, {Sign::use, Sign::say, Sign::inside, Sign::quote}) || before.text == "of" ||
           (before.sign == Sign::none && before.text.ends_with(" of"));
}

}  // namespace

ClauseReading read_count(const Clause& clause) {
    const Items& items = clause.items;
    if (is_vague(clause)) return refuse_clause("vague bound");
    if (counts_something_else(clause) || (clause.target.unit == Sign::times && clause.target.keywords.size() != 1))
        return refuse_clause();
    if (clause.target.numbers.size() == 2) {
        const bool row = clause.target.numbers[1] == clause.target.numbers[0] + 2;
        const bool between = has_any(items, {Sign::between, Sign::from}, 0, clause.target.numbers[0]);
        const std::string& separator = items[clause.target.numbers[0] + 1].text;
        return read_range(clause, between || (row && (separator == "-" || separator == "to")));
    }
    if (has_any(items, {Sign::between}) || has_any(items, {Sign::number}, 0, clause.target.begin) ||
        has_any(items, {Sign::number}, clause.target.end))
        return refuse_clause();
    if (has_any(items, {Sign::reach}) && !has_any(items, {Sign::negation, Sign::without, Sign::nothing}))
        return refuse_clause();
    const auto side = side_in(items, 0, items.size());
    if (!side) return refuse_clause();
    if (*side == Side::exactly && !has_any(items, {Sign::exactly}) && !is_plain_number(clause)) return refuse_clause();
    const bool allowed = has_any(items, {Sign::may}) && !has_any(items, {Sign::negation, Sign::nothing, Sign::without});
    if (allowed && !is_upper(*side)) return refuse_clause();
    if ((has_any(items, {Sign::longest}) && !is_upper(*side)) || (has_any(items, {Sign::shortest}) && !is_lower(*side)))
        return refuse_clause();
    return {ClauseReading::Status::read, {bound_call(clause, *side, items[clause.target.numbers[0]].value)}, {}, "", false};
}

}  // namespace craft
