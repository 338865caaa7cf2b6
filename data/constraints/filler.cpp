#include "data/constraints/filler.h"

#include <algorithm>

#include "data/constraints/keywords.h"
#include "text/lists.h"
#include "text/numbers.h"
#include "text/utf8.h"
#include "text/wording_table.h"

namespace craft {

namespace {

constexpr int64_t kUsualWords = 120;  // larger counts are seldom written in words

// " sentences, with" -> " sentence, with"; other text stays.
std::string singular(const std::string& rest) {
    for (const std::string unit : {" sentences", " words", " tokens", " mentions", " hits", " places"})
        if (rest.starts_with(unit)) return unit.substr(0, unit.size() - 1) + rest.substr(unit.size());
    return rest;
}

std::vector<std::string> digits(const std::vector<int64_t>& ids) {
    std::vector<std::string> out;
    for (const int64_t id : ids) out.push_back(std::to_string(id));
    return out;
}

}  // namespace

bool begins_sentence(std::string_view before) {
    return before.ends_with(". ") || before.ends_with("! ") || before.ends_with("? ");
}

std::string Filler::NumberStyle::cardinal(int64_t value) const {
    return words && value >= 0 && (value <= kUsualWords || large_words) ? number_words(value) : std::to_string(value);
}

std::string Filler::NumberStyle::ordinal(int64_t value) const {
    return words && value <= 100 ? ordinal_words(value) : ordinal_digits(value);
}

std::string Filler::NumberStyle::times(int64_t value) const {
    if (value == 1) return "once";
    if (value == 2 && words) return "twice";
    return cardinal(value) + " times";
}

std::string Filler::quoted(const std::string& keyword) {
    const bool has_single = keyword.find('\'') != std::string::npos;
    const bool has_double = keyword.find('"') != std::string::npos;
    const bool use_double = has_single || (!has_double && rng_.uniform() < 0.2);
    return use_double ? "\"" + keyword + "\"" : "'" + keyword + "'";
}

std::vector<SentenceName> Filler::usable_names(int64_t id, bool adjectives_only) const {
    std::vector<SentenceName> names = names_of(id, sentences_);
    std::erase_if(names, [&](const SentenceName& name) {
        return (adjectives_only && !is_adjective(name.place)) || (!name.quote.empty() && clashes(name.quote, keywords_));
    });
    return names;
}

std::string Filler::described(const SentenceName& name, const NumberStyle& style) {
    return fill_in(pick(wordings_.of(name.place)), {{"Q", "\"" + name.quote + "\""},
                                                    {"N", number_words(name.number)},
                                                    {"I", style.ordinal(name.number)},
                                                    {"ids", std::to_string(name.number)}});
}

// What stands in "the ... sentence": "5th", "opening", "2nd and last", "first two".
std::string Filler::adjectives(const std::vector<int64_t>& ids, const NumberStyle& style) {
    const double places = wordings_.chances().places;
    if (const auto together = names_of(ids, sentences_); !together.empty() && chance(places))
        return described(rng_.pick(together), style);
    std::vector<std::string> items;
    for (const int64_t id : ids) {
        const auto names = usable_names(id, true);
        items.push_back(!names.empty() && chance(places) ? described(rng_.pick(names), style) : style.ordinal(id));
    }
    return listed(items);
}

std::string Filler::noun(int64_t id, const NumberStyle& style) {
    const auto names = usable_names(id, false);
    if (!names.empty() && chance(wordings_.chances().places)) {
        const SentenceName& name = rng_.pick(names);
        return is_adjective(name.place) ? "the " + described(name, style) + " sentence" : described(name, style);
    }
    return rng_.uniform() < 0.5 ? "the " + style.ordinal(id) + " sentence" : "sentence " + std::to_string(id);
}

// "the 5th sentence", "sentence 5", "the sentence that ends with ..."; of several: "sentences 2 and 5", "the first two
// sentences", or each with a name of its own.
std::string Filler::nouns(const std::vector<int64_t>& ids, const NumberStyle& style) {
    if (ids.size() == 1) return noun(ids[0], style);
    if (chance(wordings_.chances().places)) {
        if (const auto together = names_of(ids, sentences_); !together.empty())
            return "the " + described(rng_.pick(together), style) + " sentences";
        std::vector<std::string> items;
        for (const int64_t id : ids) items.push_back(noun(id, style));
        return listed(items);
    }
    const bool row = ids.size() > 2 && ids.back() - ids.front() == static_cast<int64_t>(ids.size()) - 1;
    if (row && rng_.uniform() < 0.5) return "sentences " + digits(ids).front() + " to " + digits(ids).back();
    return rng_.uniform() < 0.5 ? "the " + adjectives(ids, style) + " sentences" : "sentences " + listed(digits(ids));
}

std::string Filler::slot_value(const std::string& slot, const Constraint& c, const NumberStyle& style) {
    if (slot == "A") return quoted(c.keyword);
    if (slot == "I") return adjectives(c.ids, style);
    if (slot == "ids") return listed(digits(c.ids));
    if (slot == "S") return nouns(c.ids, style);
    const int64_t base = slot[0] == 'M' ? c.m : c.n;
    const int64_t shift = slot.find("+1") != std::string::npos ? 1 : slot.find("-1") != std::string::npos ? -1 : 0;
    if (slot.ends_with(":times")) return style.times(base + shift);
    return slot.ends_with(":words") ? number_words(base + shift) : style.cardinal(base + shift);
}

Filled Filler::fill(const std::string& text, const Constraint& c, const std::vector<Constraint>& all) {
    keywords_.clear();
    for (const Constraint& each : all)
        if (!each.keyword.empty()) keywords_.push_back(each.keyword);
    const bool in_words = chance(wordings_.chances().words);
    const NumberStyle style{in_words, in_words && chance(wordings_.chances().large_words)};
    const bool counts_keyword = sub_type(c.shape) == SubType::keyword_frequency;
    Filled filled;
    int values = 0;
    std::string rest = text;
    for (size_t open = rest.find('{'); open != std::string::npos; open = rest.find('{')) {
        const size_t close = rest.find('}', open);
        const std::string slot = rest.substr(open + 1, close - open - 1);
        const std::string value = slot_value(slot, c, style);
        filled.text += rest.substr(0, open);
        filled.text += begins_sentence(filled.text) ? uppercase_first(value) : value;
        rest = rest.substr(close + 1);
        if (value == "1" || value == "one") rest = singular(rest);
        if (slot == "A" && counts_keyword) continue;
        filled.value = ++values > 1 ? "" : slot == "I" ? "the " + value : value;
    }
    filled.text += rest;
    return filled;
}

}  // namespace craft
