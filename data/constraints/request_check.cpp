#include "data/constraints/request_check.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "data/constraints/instruction_tokens.h"

namespace craft {

namespace {

constexpr std::string_view kMarks = ",.:;()[]-*?!";

template <size_t n>
bool is_one_of(const std::string& text, const std::array<std::string_view, n>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

// Verbs in the form that says how things are.
bool is_statement_verb(const Item& item) {
    static constexpr std::array<std::string_view, 25> kVerbs = {
        "is",       "are",      "does",      "were",     "has",         "have",      "contains", "includes", "uses",
        "mentions", "appears",  "occurs",    "features", "consists of", "comprises", "consists", "exceeds",  "holds",
        "runs",     "there is", "there are", "keeps",    "falls",       "reaches",   "being"};
    return item.sign != Sign::quote &&
           (is_one_of(item.text, kVerbs) || item.text.starts_with("does ") || item.text.starts_with("doesn't"));
}

bool is_subject(const Item& item) {
    return is_any(item.sign, {Sign::it,         Sign::text,       Sign::they,           Sign::named,     Sign::quote,
                              Sign::each,       Sign::sentence,   Sign::word,           Sign::size,      Sign::rest,
                              Sign::everything, Sign::word_count, Sign::sentence_count, Sign::frequency, Sign::unknown,
                              Sign::longest,    Sign::shortest,   Sign::quality,        Sign::nothing,   Sign::times});
}

bool has_any_word(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        const size_t at = text.find(word);
        return at != std::string_view::npos && (at == 0 || text[at - 1] == ' ') &&
               (at + word.size() == text.size() || text[at + word.size()] == ' ');
    });
}

// Words after which "it has six sentences" is what is to be: "so that", "must", "the maximum".
bool makes_a_request(const Item& item) {
    switch (item.sign) {
        case Sign::joint:
            return has_any_word(
                item.text, {"so", "sure", "ensure", "ensures", "ensuring", "that", "want", "like", "need", "ask", "certain",
                            "guarantee", "guaranteeing", "appreciate", "grateful", "as long as"});
        case Sign::none:
        case Sign::it:  // "which should"
            return has_any_word(item.text, {"must", "should", "shall", "will", "has to", "have to", "needs to", "need to",
                                            "is to", "are to", "ought to", "that", "so"});
        case Sign::ask:
        case Sign::may:
        case Sign::upper:
        case Sign::lower:
            return true;
        case Sign::at_most:
        case Sign::at_least:
            return item.text.find("imum") != std::string::npos;
        default:
            return false;
    }
}

// "Keeps", "removes": of somebody. "Sentence 3 stays" is a wish.
bool is_of_somebody(const Item& verb, const Item& subject) {
    if (!is_any(verb.sign, {Sign::keep, Sign::leave, Sign::remove, Sign::change, Sign::use, Sign::say, Sign::swap}))
        return false;
    if (subject.sign == Sign::text) return verb.text.ends_with("s");
    if (subject.sign != Sign::unknown && subject.text != "they" && subject.text != "it") return false;
    return verb.text.ends_with("s") || verb.text.ends_with("ed") || verb.text == "kept" || verb.text == "left" ||
           verb.text == "cut";
}

// "It now has five sentences", "our paper keeps it": with nothing before that makes it a wish.
bool says_how_things_are(const Items& items) {
    // "The limit is 45 words" asks wherever the word stands.
    if (std::any_of(items.begin(), items.end(), [](const Item& item) {
            return is_any(item.sign, {Sign::upper, Sign::at_most, Sign::at_least}) && makes_a_request(item);
        }))
        return false;
    const Item* subject = nullptr;
    for (const Item& item : items) {
        if (makes_a_request(item)) return false;
        const bool is_there = item.text.starts_with("there ") && item.sign != Sign::quote;
        if (is_statement_verb(item) && (is_there || (subject != nullptr && is_subject(*subject)))) return true;
        if (subject != nullptr && is_of_somebody(item, *subject)) return true;
        if (item.text != "still" && item.text != "also" && item.sign != Sign::only) subject = &item;
    }
    return false;
}

bool leaves_a_choice(const Items& items) {
    bool is_negated = false;
    for (const Item& item : items) {
        is_negated = is_negated || is_any(item.sign, {Sign::negation, Sign::without, Sign::nothing});
        const bool is_any_of = item.sign == Sign::none && item.text.starts_with("any of");
        if ((item.sign == Sign::alternative || item.is_choice || is_any_of) && !is_negated) return true;
    }
    return false;
}

// "Must not be removed completely": a part may be.
bool forbids_only_the_whole(const Items& items) {
    bool is_negated = false;
    for (const Item& item : items) {
        is_negated = is_negated || is_any(item.sign, {Sign::negation, Sign::without, Sign::nothing});
        if (item.sign == Sign::wholly && is_negated) return true;
    }
    return false;
}

// Talk of the original in other words: it shares words of its own with it, and asks for nothing.
bool is_own_talk(const Items& items, const OwnWords& own_words) {
    int64_t own = 0, others = 0;
    for (const Item& item : items) {
        if (is_any(item.sign, {Sign::negation, Sign::without, Sign::nothing, Sign::upper, Sign::lower, Sign::keep,
                               Sign::remove, Sign::each, Sign::only}))
            return false;
        if (item.sign == Sign::unknown) ++(own_words.contains(item.text) ? own : others);
    }
    return others <= own;
}

}  // namespace

OwnWords own_words_of(const std::string& instruction) {
    OwnWords words;
    for (const Token& token : instruction_tokens(instruction))
        if (token.kind == Token::Kind::word) words.insert(token.text);
    return words;
}

std::string unknown_word(const Items& sentence, const RequestContext& context) {
    for (size_t i = 0; i < sentence.size(); ++i) {
        if (sentence[i].sign != Sign::unknown || context.own_words.contains(sentence[i].text)) continue;
        // "Every 'river'", but not "every second sentence"
        if (sentence[i].text == "every" && i + 1 < sentence.size() && sentence[i + 1].sign == Sign::quote) continue;
        if (!context.has_targets && is_own_talk(sentence, context.own_words)) return "";
        return sentence[i].text;
    }
    return "";
}

bool is_request(const Items& sentence, const RequestContext& context) {
    if (!context.has_targets) return true;
    // "Should sentence 3 be kept, ...": if it is.
    if (sentence.front().text == "should" && !is_mark(sentence.back(), "?")) return false;
    if (std::any_of(sentence.begin(), sentence.end(),
                    [](const Item& item) { return item.sign == Sign::mark && !is_mark(item, kMarks); }))
        return false;
    return !leaves_a_choice(sentence) && !forbids_only_the_whole(sentence) &&
           (context.is_introduced || !says_how_things_are(sentence));
}

bool introduces(const Items& sentence) {
    static constexpr std::array<std::string_view, 16> kHeadings = {
        "requirement", "requirements", "condition",      "conditions",  "constraint", "constraints",
        "rule",        "rules",        "guideline",      "guidelines",  "criteria",   "limits",
        "point",       "points",       "specifications", "instructions"};
    return !sentence.empty() && is_mark(sentence.back(), ":") &&
           std::any_of(sentence.begin(), sentence.end(), [](const Item& item) {
               const size_t last = item.text.find_last_of(' ');
               return makes_a_request(item) || item.text.starts_with("the following") || item.text == "as follows" ||
                      is_one_of(item.text.substr(last == std::string::npos ? 0 : last + 1), kHeadings);
           });
}

}  // namespace craft
