#include "data/constraints/clause_reading.h"

#include <algorithm>
#include <optional>

namespace craft {

namespace {

// Reads verbs from left to right: what is asked, and whether it is asked or forbidden.
class Wishes {
public:
    void see(const Item& item) {
        switch (item.sign) {
            case Sign::negation:
            case Sign::without:
            case Sign::nothing:
                negated_ = !negated_;
                return;
            case Sign::alternative:  // "must not be removed or replaced"
                negated_ = negated_ || last_negated_;
                return;
            case Sign::keep:
            case Sign::leave:
                state_ = take();
                state_is_leave_ = item.sign == Sign::leave;
                has_state_ = true;
                if (item.sign == Sign::keep) held_ = state_;
                has_held_ = item.sign == Sign::keep;
                return;
            case Sign::kept:
            case Sign::inside:
                if (item.sign == Sign::inside && !(has_state_ && state_is_leave_)) return;
                add(Intent::keep, has_state_ ? state_ : take());
                has_held_ = has_state_ = false;
                return;
            case Sign::alone:
                if (!has_state_) return;
                add(Intent::keep, state_);
                has_held_ = has_state_ = false;
                return;
            case Sign::out:
            case Sign::free_of:
                add(Intent::remove, has_state_ ? state_ : take());
                has_held_ = has_state_ = false;
                return;
            case Sign::remove:
            case Sign::swap:
                add(Intent::remove, take_what_is_let());
                return;
            case Sign::change:
                add(Intent::change, take_what_is_let());
                return;
            case Sign::use:
            case Sign::say:
                if (const bool used = !take_what_is_let(); !used || item.sign == Sign::use) {
                    used_ = used;
                    has_used_ = true;
                }
                return;
            default:
                return;
        }
    }

    // `weak`: words such as "use" count where nothing else does.
    Intent result(bool weak) {
        settle();
        if (wish_ == Intent::none && weak && has_used_) add(used_ ? Intent::keep : Intent::remove, false);
        if (wish_ == Intent::keep && has_used_ && !used_) return Intent::unclear;
        return negated_ ? Intent::unclear : wish_;
    }
    bool is_forbidden() const { return forbids_; }

private:
    bool take() {
        last_negated_ = negated_;
        negated_ = false;
        return last_negated_;
    }
    // "Don't let it vanish"
    bool take_what_is_let() {
        const bool let = has_state_ && state_is_leave_ && state_;
        settle();
        return take() || let;
    }
    // "Keep" without anything after it is meant as it stands.
    void settle() {
        if (has_held_) add(Intent::keep, held_);
        has_held_ = has_state_ = false;
    }
    void add(Intent said, bool is_negated) {
        if (is_negated) {
            said = said == Intent::keep ? Intent::unclear : Intent::keep;
            forbids_ = true;
        }
        if (wish_ == Intent::none)
            wish_ = said;
        else if (wish_ != said)
            wish_ = Intent::unclear;
    }

    Intent wish_ = Intent::none;
    bool negated_ = false, last_negated_ = false, forbids_ = false;
    bool state_ = false, has_state_ = false, state_is_leave_ = false;  // "leave" or "keep", and whether it was negated
    bool held_ = false, has_held_ = false;
    bool used_ = false, has_used_ = false;
};

// Whether a word such as "use" or "appear" stands right beside the keyword.
bool is_used(const Clause& clause) {
    const size_t begin = clause.target.begin - std::min<size_t>(clause.target.begin, 3);
    return has_any(clause.items, {Sign::use}, begin, clause.target.end + 5);
}

// "Not kept" of a keyword is "removed"; of sentences it is nothing clear.
Intent wish_for_keyword(const Clause& clause) {
    Wishes wishes;
    for (size_t i = 0; i < clause.items.size(); ++i) {
        if (i >= clause.target.begin && i < clause.target.end) continue;
        wishes.see(clause.items[i]);
    }
    return wishes.result(is_used(clause));
}

// "Without 'river'", "no 'river'": right before the keyword, and no verb.
bool says_none_of(const Clause& clause) {
    if (has_any(clause.items, {Sign::keep, Sign::kept, Sign::leave, Sign::remove, Sign::use, Sign::say, Sign::change,
                               Sign::swap, Sign::out, Sign::free_of}))
        return false;
    for (size_t i = clause.target.begin; i-- > 0;) {
        const Item& item = clause.items[i];
        const bool avoids = item.text.starts_with("avoid") || item.text == "by avoiding";
        if (item.sign == Sign::without || (item.sign == Sign::negation && (item.text == "no" || avoids)))
            return !has_any(clause.items, {Sign::negation, Sign::without, Sign::nothing}, 0, i);
        if (item.sign != Sign::unknown && item.sign != Sign::none && item.sign != Sign::word && item.sign != Sign::it)
            return false;
    }
    return false;
}

ClauseReading read_keyword(const Clause& clause) {
    const Items& items = clause.items;
    if (!clause.says_only({Sign::keep,    Sign::leave,   Sign::kept,  Sign::remove,    Sign::free_of,     Sign::change,
                           Sign::use,     Sign::say,     Sign::swap,  Sign::out,       Sign::inside,      Sign::negation,
                           Sign::without, Sign::nothing, Sign::text,  Sign::it,        Sign::word,        Sign::list,
                           Sign::joint,   Sign::ask,     Sign::other, Sign::may,       Sign::alternative, Sign::wholly,
                           Sign::they,    Sign::by,      Sign::from,  Sign::everything}))
        return refuse_clause();
    ClauseReading reading;
    const auto say = [&](bool keep) {
        reading.status = ClauseReading::Status::read;
        for (const std::string& keyword : clause.target.keywords)
            reading.calls.push_back(KeywordKeepRemovalCheck{keyword, keep});
        return reading;
    };
    // In "replace others by 'river'" the keyword is what comes.
    for (size_t i = 0; i < clause.target.begin; ++i)
        if (items[i].sign == Sign::swap && has_any(items, {Sign::joint, Sign::by}, i, clause.target.begin))
            return refuse_clause();
    if (says_none_of(clause)) return say(false);
    const bool forbids = has_any(items, {Sign::negation, Sign::without, Sign::nothing});
    if (has_any(items, {Sign::may}) && !forbids) return refuse_clause();
    const Intent wish = wish_for_keyword(clause);
    if (has_any(items, {Sign::other}) && (wish != Intent::remove || forbids)) return refuse_clause();
    // "Drop a 'river'" leaves the others.
    const size_t at = clause.target.begin;
    if (at > 0 && (items[at - 1].text == "a" || items[at - 1].text == "an")) return refuse_clause();
    // "Keep it from the text" keeps nothing.
    const bool from = std::any_of(items.begin(), items.end(), [](const Item& item) {
        return item.sign == Sign::from || (item.sign == Sign::none && item.text.starts_with("from "));
    });
    if (from && wish != Intent::remove) return refuse_clause();
    switch (wish) {
        case Intent::keep:
            return say(true);
        case Intent::remove:
            return say(false);
        case Intent::none:
            return reading;
        default:
            return refuse_clause();
    }
}

ClauseReading read_sentences(const Clause& clause) {
    const Items& items = clause.items;
    if (!clause.says_only({Sign::keep,  Sign::leave,    Sign::kept,        Sign::remove,  Sign::change,  Sign::use,
                           Sign::say,   Sign::inside,   Sign::negation,    Sign::without, Sign::nothing, Sign::only,
                           Sign::alone, Sign::except,   Sign::everything,  Sign::rest,    Sign::each,    Sign::it,
                           Sign::they,  Sign::text,     Sign::list,        Sign::joint,   Sign::ask,     Sign::may,
                           Sign::upper, Sign::sentence, Sign::alternative, Sign::exactly, Sign::other,   Sign::wholly}))
        return refuse_clause();
    Wishes wishes;
    for (size_t i = 0; i < items.size(); ++i)
        if (i < clause.target.begin || i >= clause.target.end) wishes.see(items[i]);
    const Intent wish = wishes.result(false);
    ClauseReading reading;
    if (wish == Intent::none) return reading;
    if (wish == Intent::unclear || wish == Intent::remove) return refuse_clause();
    if (clause.items[clause.target.begin].is_choice && !wishes.is_forbidden()) return refuse_clause();
    bool change = wish == Intent::change;
    const bool except = has_any(items, {Sign::except});
    // "Everything is fine except sentence 3, which you should rewrite": what is said of the others has to be said.
    if (except && intent_of(items, 0, clause.target.begin) == Intent::none &&
        !has_any(items, {Sign::everything, Sign::rest}, clause.target.end))
        return refuse_clause();
    const bool limits = has_any(items, {Sign::only, Sign::upper}) || (change && has_any(items, {Sign::alone}));
    const bool others = has_any(items, {Sign::rest, Sign::everything, Sign::each}) && !except;
    if (others || (except && limits)) return refuse_clause();
    if (except)
        change = !change;  // what holds for all but these
    else if (limits && (!change || wishes.is_forbidden()))
        return refuse_clause();
    if (!change && !except && has_any(items, {Sign::may}) && !wishes.is_forbidden()) return refuse_clause();
    if (change && !except && !limits && has_any(items, {Sign::may})) return refuse_clause();
    reading.status = ClauseReading::Status::read;
    reading.calls = {SentenceModificationCheck{clause.target.ids, change}};
    reading.lacks_only = change && !except && !limits;
    return reading;
}

}  // namespace

bool Clause::says_only(std::initializer_list<Sign> signs) const {
    for (size_t i = 0; i < items.size(); ++i) {
        if (i >= target.begin && i < target.end) continue;
        // "The tone of sentence 3", "this version of 'river'"
        if (items[i].sign == Sign::text && i + 1 < items.size() && items[i + 1].text == "of") return false;
        if (!is_any(items[i].sign, signs) && !is_any(items[i].sign, {Sign::none, Sign::unknown, Sign::mark})) return false;
    }
    return true;
}

Intent intent_of(const Items& items, size_t from, size_t to) {
    Wishes wishes;
    for (size_t i = from; i < to; ++i) wishes.see(items[i]);
    return wishes.result(false);
}

ClauseReading refuse_clause(const std::string& reason) {
    return {ClauseReading::Status::refused, {}, {}, reason, false};
}

ClauseReading read_clause(const Clause& clause) {
    if (!clause.target.numbers.empty()) return read_count(clause);
    return clause.target.keywords.empty() ? read_sentences(clause) : read_keyword(clause);
}

}  // namespace craft
