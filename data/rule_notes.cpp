#include "data/rule_notes.h"

#include <algorithm>

#include "text/lists.h"
#include "text/numbers.h"

namespace craft {

namespace {

using Phrases = std::vector<std::string>;

// A rule as a clause without capital and full stop.
struct Rule {
    std::string said, note;
    std::vector<std::string> calls;
};

// How an amount is said and noted. `offset` is what is said less what is noted: "at least 13" is "more than 12".
struct Bound {
    const char* said;  // # is the number
    const char* noted;
    int offset;
};
const std::vector<Bound> kBounds = {{"more than #", "more than", 0},
                                    {"over #", "more than", 0},
                                    {"upwards of #", "more than", 0},
                                    {"at least #", "more than", 1},
                                    {"no fewer than #", "more than", 1},
                                    {"not less than #", "more than", 1},
                                    {"a minimum of #", "more than", 1},
                                    {"# or more", "more than", 1},
                                    {"fewer than #", "less than", 0},
                                    {"less than #", "less than", 0},
                                    {"under #", "less than", 0},
                                    {"below #", "less than", 0},
                                    {"at most #", "less than", -1},
                                    {"no more than #", "less than", -1},
                                    {"up to #", "less than", -1},
                                    {"a maximum of #", "less than", -1},
                                    {"# or fewer", "less than", -1},
                                    {"exactly #", "exactly", 0},
                                    {"precisely #", "exactly", 0},
                                    {"just #", "exactly", 0},
                                    {"above #", "more than", 0},
                                    {"in excess of #", "more than", 0},
                                    {"no less than #", "more than", 1},
                                    {"# at the very least", "more than", 1},
                                    {"short of #", "less than", 0},
                                    {"not over #", "less than", -1},
                                    {"# at the very most", "less than", -1},
                                    {"# or less", "less than", -1},
                                    {"a total of #", "exactly", 0}};
// Verbs with their amount.
const std::vector<Bound> kLengths = {{"should be longer than #", "more than", 0},
                                     {"goes past #", "more than", 0},
                                     {"must go beyond #", "more than", 0},
                                     {"stays under #", "less than", 0},
                                     {"is to be shorter than #", "less than", 0},
                                     {"does not reach #", "less than", 0},
                                     {"does not exceed #", "less than", -1},
                                     {"comes to #", "exactly", 0},
                                     {"amounts to #", "exactly", 0},
                                     {"surpasses #", "more than", 0},
                                     {"falls short of #", "less than", 0},
                                     {"is no longer than #", "less than", -1},
                                     {"is no shorter than #", "more than", 1},
                                     {"is capped at #", "less than", -1},
                                     {"keeps within #", "less than", -1}};
// After "no house may have".
const std::vector<Bound> kForbidden = {{"fewer than #", "more than", 1},
                                       {"less than #", "more than", 1},
                                       {"more than #", "less than", -1},
                                       {"over #", "less than", -1}};

const Phrases kAmounts = {"bring # @",
                          "there will be # @",
                          "# @ are needed",
                          "we asked for # @",
                          "the % must carry # @",
                          "the % now has # @",
                          "the % should hold # @",
                          "pack # @ in total",
                          "they should use # @",
                          "the % ends up with # @",
                          "a % with # @ is wanted",
                          "let it contain # @",
                          "the % contains # @",
                          "the % is made up of # @",
                          "write down # @",
                          "cut it into # @",
                          "buying # @ altogether",
                          "having # @ in all",
                          "with # @ on the list"};
const Phrases kEach = {"each % must have # @",    "every % should hold # @", "all % get # @",        "give each % # @",
                       "every % has # @",         "of # @ each % is sure",   "put # @ into every %", "all % need # @",
                       "let every % contain # @", "filling each % with # @", "with # @ in every %"};
const Phrases kTimes = {"call @ #",
                        "the name @ should come up #",
                        "sing @ #",
                        "@ has to appear #",
                        "the word @ is heard #",
                        "@ is called #",
                        "mention @ #",
                        "ring the bell for @ #",
                        "write @ #",
                        "saying @ #",
                        "with @ named #",
                        "@ may be said #"};
const Phrases kKeep = {"keep @ as before",     "leave @ alone",        "do not touch @",        "nobody alters @",
                       "@ must stay the same", "@ remains unchanged",  "hold on to @",          "@ is left as it was",
                       "hands off @",          "never replace @",      "@ will not be changed", "do not change @",
                       "preserve @",           "@ must stay in place", "keeping @ for later",   "without touching @",
                       "with @ left alone",    "retain @ in full"};
const Phrases kChange = {"change @ and nothing else",
                         "only @ may be altered",
                         "repair only @",
                         "modify just @",
                         "nothing but @ is replaced",
                         "only touch @",
                         "rewrite @ alone",
                         "limit the work to @",
                         "@ is the only part to repair",
                         "no part but @ is modified",
                         "edit only @",
                         "repairing @ alone",
                         "replacing nothing but @",
                         "with repairs to @ only",
                         "restrict the changes to @"};
const Phrases kRemove = {"take out @",
                         "drop @",
                         "do without @",
                         "avoid @ altogether",
                         "@ has to go",
                         "leave out @",
                         "throw away @",
                         "@ must not be there",
                         "delete @",
                         "get rid of @",
                         "@ is no longer used",
                         "strike @ from the list",
                         "remove @ at once",
                         "do not use @ again",
                         "@ should not appear",
                         "avoiding @",
                         "without any use of @",
                         "with @ taken away"};

std::string filled(std::string phrase, char slot, const std::string& value) {
    for (size_t at = phrase.find(slot); at != std::string::npos; at = phrase.find(slot, at + value.size()))
        phrase.replace(at, 1, value);
    return phrase;
}

std::string noted_number(int64_t value, Rng& rng) {
    return rng.uniform() < 0.6 ? std::to_string(value) : number_words(value);
}

// chairs(12, "more"): the last argument is the noted relation's first word.
std::string call_of(const std::string& function, const std::string& arguments, const std::string& relation) {
    const std::string word = relation == "exactly" ? "exact" : relation.substr(0, relation.find(' '));
    return function + "(" + arguments + ", \"" + word + "\")";
}

class RuleMaker {
public:
    RuleMaker(const Phrases& words, Rng& rng) : words_(words), rng_(rng) {}

    Rule make() {
        const double kind = rng_.uniform();
        return kind < 0.4 ? amount() : kind < 0.6 ? times() : state();
    }

private:
    const std::string& word() { return rng_.pick(words_); }

    int64_t number() { return rng_.uniform() < 0.5 ? rng_.between(2, 20) : rng_.between(10, 150); }

    Rule amount() {
        const std::string thing = word(), holder = word();
        if (rng_.uniform() < 0.15) return range(thing, holder);
        const bool of_each = rng_.uniform() < 0.45;
        const double form = rng_.uniform();
        const bool is_forbidden = of_each && form < 0.15, is_length = !is_forbidden && form < 0.35;
        const Bound& bound = rng_.pick(is_forbidden ? kForbidden : is_length ? kLengths : kBounds);
        const int64_t noted = number();
        const std::string said = filled(bound.said, '#', noted_number(noted + bound.offset, rng_)),
                          note = bound.noted + (" " + std::to_string(noted));
        Rule rule{"",
                  of_each ? "each " + holder + ": " + note + " " + thing : thing + ": " + note,
                  {call_of(of_each ? holder + "_" + thing : thing, std::to_string(noted), bound.noted)}};
        if (is_forbidden)
            rule.said = "no " + holder + " may have " + said + " " + thing;
        else if (!is_length)
            rule.said = in_frame(rng_.pick(of_each ? kEach : kAmounts), said, thing, holder);
        else if (of_each || rng_.uniform() < 0.5)
            rule.said = (of_each ? "each " : "the ") + holder + " " +
                        filled(bound.said, '#', spelled_with(noted + bound.offset, thing));
        else
            rule.said = "the number of " + thing + " " + said;
        return rule;
    }

    // "12 chairs"
    std::string spelled_with(int64_t value, const std::string& thing) { return noted_number(value, rng_) + " " + thing; }

    Rule range(const std::string& thing, const std::string& holder) {
        const int64_t low = number(), high = low + rng_.between(1, 30);
        const std::string first = noted_number(low, rng_), second = noted_number(high, rng_);
        std::string above = "more than " + std::to_string(low), below = "less than " + std::to_string(high);
        std::vector<std::string> calls = {call_of(thing, std::to_string(low), "more than"),
                                          call_of(thing, std::to_string(high), "less than")};
        const double form = rng_.uniform();
        std::string said = "between " + first + " and " + second;
        if (form >= 0.7) {
            said = "less than " + second + " and over " + first;
            std::swap(above, below);
            std::swap(calls[0], calls[1]);
        } else if (form >= 0.4) {
            said = "more than " + first + " but fewer than " + second;
        }
        return {in_frame(rng_.pick(kAmounts), said, thing, holder), thing + ": " + above + ", " + thing + ": " + below,
                calls};
    }

    static std::string in_frame(std::string frame, const std::string& amount, const std::string& thing,
                                const std::string& holder) {
        return filled(filled(filled(std::move(frame), '%', holder), '@', thing), '#', amount);
    }

    Rule times() {
        const std::string name = word(), mark = quotation_mark();
        static const Bound bare = {"#", "exactly", 0};
        const Bound& bound = rng_.uniform() < 0.15 ? bare : rng_.pick(kBounds);
        const int64_t noted = rng_.between(2, 9), said = noted + bound.offset;
        const std::string count = said == 1                           ? "once"
                                  : said == 2 && rng_.uniform() < 0.5 ? "twice"
                                                                      : noted_number(said, rng_) + " times";
        const std::string number = std::to_string(noted);
        return {filled(filled(rng_.pick(kTimes), '#', filled(bound.said, '#', count)), '@', mark + name + mark),
                mark + name + mark + ": " + bound.noted + " " + number + " times",
                {call_of("times", "\"" + name + "\", " + number, bound.noted)}};
    }

    Rule state() {
        const double kind = rng_.uniform();
        const Phrases& phrases = kind < 0.4 ? kKeep : kind < 0.7 ? kChange : kRemove;
        const std::string verb = kind < 0.4 ? "keep" : kind < 0.7 ? "change" : "remove";
        if (rng_.uniform() < 0.5) {
            const std::string name = word(), mark = quotation_mark(), quoted = mark + name + mark;
            return {filled(rng_.pick(phrases), '@', rng_.uniform() < 0.5 ? "the name " + quoted : quoted),
                    verb + " " + quoted,
                    {call_of("name", "\"" + name + "\"", verb)}};
        }
        return some_of_a_row(rng_.pick(phrases), verb);
    }

    // "the third and the fifth houses", "houses 3 and 5".
    Rule some_of_a_row(const std::string& phrase, const std::string& verb) {
        const std::string thing = word();
        Phrases said, noted;
        const double form = rng_.uniform();
        int64_t id = 0;
        for (size_t i = 0, n = 1 + rng_.below(3); i < n; ++i) {
            id += rng_.between(1, 5);
            said.push_back(form < 0.4 ? std::to_string(id) : form < 0.7 ? ordinal_words(id) : ordinal_digits(id));
            noted.push_back(std::to_string(id));
        }
        const std::string which = form < 0.4 ? thing + " " + listed(said) : "the " + listed(said) + " " + thing;
        return {filled(phrase, '@', which),
                verb + " " + thing + " " + join(noted, ", "),
                {call_of(thing, "[" + join(noted, ", ") + "]", verb)}};
    }

    std::string quotation_mark() { return rng_.uniform() < 0.75 ? "'" : "\""; }

    const Phrases& words_;
    Rng& rng_;
};

}  // namespace

RuleNotes make_rule_notes(const std::vector<std::string>& words, Rng& rng) {
    RuleMaker maker(words, rng);
    RuleNotes out;
    bool begins = true;
    for (size_t i = 0, n = 1 + rng.below(4); i < n; ++i) {
        Rule rule = maker.make();
        const bool ends = i + 1 == n || rng.uniform() < 0.6;
        if (begins && !rule.said.empty())
            rule.said[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(rule.said[0])));
        out.rules += (out.rules.empty()     ? ""
                      : begins              ? " "
                      : rng.uniform() < 0.6 ? " and "
                                            : ", ") +
                     rule.said + (ends ? "." : "");
        out.said.push_back(std::move(rule.said));
        out.notes.push_back(std::move(rule.note));
        out.calls.insert(out.calls.end(), rule.calls.begin(), rule.calls.end());
        begins = ends;
    }
    return out;
}

}  // namespace craft
