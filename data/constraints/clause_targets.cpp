#include "data/constraints/clause_targets.h"

#include <algorithm>
#include <optional>

namespace craft {

namespace {

class Targets {
public:
    explicit Targets(const Items& items) : items_(items) {}

    std::vector<ClauseTarget> run() {
        for (size_t i = 0; i < items_.size();) {
            auto target = named_at(i);
            if (!target) target = keywords_at(i);
            if (!target) target = count_at(i);
            if (target) {
                i = target->end;
                out_.push_back(std::move(*target));
            } else {
                ++i;
            }
        }
        take_units_from_elsewhere();
        join_keywords_and_counts();
        return std::move(out_);
    }

private:
    Sign sign(size_t i) const { return i < items_.size() ? items_[i].sign : Sign::unknown; }

    std::optional<ClauseTarget> named_at(size_t i) const {
        if (sign(i) != Sign::named) return std::nullopt;
        ClauseTarget target{i, i + 1, {}, Sign::unknown, {}, items_[i].ids};
        return target;
    }

    // 'river', "mill" and 'barn'
    std::optional<ClauseTarget> keywords_at(size_t i) const {
        if (sign(i) != Sign::quote) return std::nullopt;
        ClauseTarget target{i, i + 1, {}, Sign::unknown, {items_[i].text}, {}};
        for (size_t k = target.end; k < items_.size(); ++k) {
            if (sign(k) == Sign::quote) {
                target.keywords.push_back(items_[k].text);
                target.end = k + 1;
            } else if (!is_any(sign(k), {Sign::list, Sign::word, Sign::it}) && !is_mark(items_[k], ",") &&
                       items_[k].text != "the") {
                break;
            }
        }
        return target;
    }

    std::optional<Sign> unit_at(size_t i) const {
        if (is_any(sign(i), {Sign::word, Sign::sentence, Sign::times})) return sign(i);
        return std::nullopt;
    }

    // "Six full sentences", but not "six long sentences".
    bool says_whole(size_t i) const {
        return i < items_.size() && !is_any(sign(i), {Sign::quote, Sign::number}) &&
               (items_[i].text == "full" || items_[i].text == "complete" || items_[i].text == "total");
    }

    // "45 words", "45 or fewer words", "80 to 100 words", "between 80 and 100 words"
    std::optional<ClauseTarget> count_at(size_t i) const {
        if (sign(i) != Sign::number) return std::nullopt;
        ClauseTarget target{i, i + 1, {i}, Sign::unknown, {}, {}};
        size_t k = i + 1;
        const bool joined = sign(k) == Sign::list || sign(k) == Sign::alternative ||
                            (k < items_.size() && (is_mark(items_[k], "-") || items_[k].text == "to"));
        if (joined && sign(k + 1) == Sign::number) {
            target.numbers.push_back(k + 1);
            k += 2;
        }
        if (is_any(sign(k), {Sign::at_most, Sign::at_least})) ++k;
        while (says_whole(k)) ++k;
        if (const auto unit = unit_at(k)) {
            target.unit = *unit;
            target.end = k + 1;
        } else {
            target.end = target.numbers.back() + 1;
        }
        return target;
    }

    // "The word count should be below 46", "more than 80 but fewer than 100 words": the unit stands before, or with the next
    // number. A number for which there is none is no target.
    void take_units_from_elsewhere() {
        for (size_t i = 0; i < out_.size(); ++i) {
            ClauseTarget& target = out_[i];
            if (target.numbers.empty() || target.unit != Sign::unknown) continue;
            if (i + 1 < out_.size() && target.begin > 0 && is_bound(target.begin - 1) &&
                only_bounds_between(target.end, out_[i + 1].begin) && out_[i + 1].numbers.size() == 1 &&
                out_[i + 1].unit != Sign::unknown)
                merge(i);
            else if (i > 0 && only_bounds_between(out_[i - 1].end, target.begin) && out_[i - 1].numbers.size() == 1 &&
                     out_[i - 1].unit != Sign::unknown && target.numbers.size() == 1)
                merge(--i);
            else
                target.unit = counted_before(target.begin);
        }
        for (size_t i = 0; i + 1 < out_.size(); ++i)  // "at least 80 words but fewer than 100 words"
            if (out_[i].numbers.size() == 1 && out_[i + 1].numbers.size() == 1 && out_[i].unit == out_[i + 1].unit &&
                is_any(out_[i].unit, {Sign::word, Sign::sentence}) && only_bounds_between(out_[i].end, out_[i + 1].begin))
                merge(i);
        std::erase_if(out_,
                      [](const ClauseTarget& target) { return !target.numbers.empty() && target.unit == Sign::unknown; });
    }

    void merge(size_t i) {
        ClauseTarget &first = out_[i], &second = out_[i + 1];
        first.numbers.insert(first.numbers.end(), second.numbers.begin(), second.numbers.end());
        first.end = second.end;
        if (first.unit == Sign::unknown) first.unit = second.unit;
        out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }

    bool is_bound(size_t i) const { return is_any(sign(i), {Sign::less, Sign::more, Sign::at_most, Sign::at_least}); }

    // A conjunction and a bound, and hardly anything else.
    bool only_bounds_between(size_t from, size_t to) const {
        bool bounds = false;
        size_t others = 0;
        for (size_t i = from; i < to; ++i) {
            bounds = bounds || is_bound(i);
            others += is_any(sign(i), {Sign::unknown, Sign::none, Sign::use, Sign::say, Sign::it}) ? 1 : 0;
            if (is_any(sign(i), {Sign::quote, Sign::named, Sign::word, Sign::sentence, Sign::times, Sign::each}))
                return false;
        }
        return bounds && others <= 1;
    }

    Sign counted_before(size_t at) const {
        while (at-- > 0) {
            if (sign(at) == Sign::word_count) return Sign::word;
            if (sign(at) == Sign::sentence_count) return Sign::sentence;
            if (sign(at) == Sign::frequency) return Sign::times;
            if (is_any(sign(at), {Sign::number, Sign::named})) return Sign::unknown;
        }
        return Sign::unknown;
    }

    // "Use 'river' at least twice", "three occurrences of 'river'"
    void join_keywords_and_counts() {
        for (size_t i = 0; i < out_.size(); ++i) {
            if (out_[i].unit != Sign::times) continue;
            const bool before = i > 0 && !out_[i - 1].keywords.empty() && out_[i - 1].numbers.empty() &&
                                !splits(out_[i - 1].end, out_[i].begin);
            const bool behind = i + 1 < out_.size() && !out_[i + 1].keywords.empty() && out_[i + 1].begin <= out_[i].end + 4;
            if (!before && !behind) continue;
            const size_t other = before && !(behind && items_[out_[i].end - 1].text.ends_with(" of")) ? i - 1 : i + 1;
            ClauseTarget& keyword = out_[other];
            out_[i].keywords = keyword.keywords;
            out_[i].begin = std::min(out_[i].begin, keyword.begin);
            out_[i].end = std::max(out_[i].end, keyword.end);
            out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(other));
            if (other < i) --i;
        }
    }

    // Whether another clause begins between the two.
    bool splits(size_t from, size_t to) const {
        for (size_t i = from; i < to; ++i)
            if (is_any(sign(i), {Sign::remove, Sign::keep, Sign::change, Sign::named, Sign::word, Sign::sentence}))
                return true;
        return false;
    }

    const Items& items_;
    std::vector<ClauseTarget> out_;
};

}  // namespace

std::vector<ClauseTarget> clause_targets(const Items& items) {
    return Targets(items).run();
}

}  // namespace craft
