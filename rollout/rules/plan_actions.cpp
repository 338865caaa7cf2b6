#include "rollout/rules/plan_actions.h"

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/ascii.h"
#include "rollout/rules/sentence.h"
#include "text/utf8.h"

namespace craft {

namespace {

// The first quotation after `from`, as the range between its quotes; a quote inside a word ("don't") opens none.
std::pair<size_t, size_t> quotation(std::string_view plan, size_t from) {
    for (size_t i = from; i < plan.size(); ++i) {
        if ((plan[i] != '\'' && plan[i] != '"') || (i > 0 && is_ascii_letter(plan[i - 1]))) continue;
        for (size_t end = plan.find(plan[i], i + 1); end != std::string_view::npos; end = plan.find(plan[i], end + 1))
            if (end + 1 >= plan.size() || !is_ascii_letter(plan[end + 1])) return {i + 1, end};
    }
    return {plan.size(), plan.size()};
}

std::string quoted_after(std::string_view plan, size_t from) {
    const auto [begin, end] = quotation(plan, from);
    return std::string(plan.substr(begin, end - begin));
}

std::string without_quotations(std::string text) {
    for (auto [begin, end] = quotation(text, 0); begin < text.size(); std::tie(begin, end) = quotation(text, end + 1))
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), '_');
    return text;
}

size_t find_word(const std::string& text, std::string_view word) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        if ((at == 0 || !is_ascii_letter(text[at - 1])) && (end == text.size() || !is_ascii_letter(text[end]))) return at;
    }
    return std::string::npos;
}

// The words of a plan without its quotations, in small letters, a blank between any two; "this sentence" is "the sentence".
std::string words_of(const std::string& lower) {
    std::string words, word;
    const auto end_word = [&] {
        if (!word.empty()) words += (words.empty() ? "" : " ") + (word == "this" || word == "that" ? "the" : word);
        word.clear();
    };
    for (const char c : lower) {
        const bool is_part = is_ascii_letter(c) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
        if (is_part || (c == '\'' && !word.empty()))
            word += c;
        else
            end_word();
    }
    end_word();
    return words;
}

size_t count_quotations(const std::string& text) {
    size_t count = 0;
    for (auto [begin, end] = quotation(text, 0); begin < text.size(); std::tie(begin, end) = quotation(text, end + 1))
        ++count;
    return count;
}

bool says_any(const std::string& words, const std::vector<std::string_view>& phrases) {
    const std::string padded = " " + words + " ";
    return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
        return padded.find(" " + std::string(phrase) + " ") != std::string::npos;
    });
}

// Whether every word is one that the readings below are made of, or changes nothing about them. Any other one ("say who
// collects the money") may be what the plan is about.
bool are_known(const std::string& words) {
    static const std::unordered_set<std::string> kKnown = {
        "replace",    "swap",        "drop",      "remove",  "delete",   "avoid",  "without",  "take",     "out",
        "substitute", "add",         "mention",   "repeat",  "bring",    "up",     "use",      "insert",   "include",
        "split",      "break",       "two",       "divide",  "join",     "merge",  "combine",  "before",   "previous",
        "preceding",  "next",        "following", "leave",   "omit",     "longer", "expand",   "more",     "detail",
        "elaborate",  "lengthen",    "extend",    "fill",    "simplify", "plain",  "plainer",  "clarify",  "simpler",
        "clearer",    "rephrase",    "reword",    "vary",    "rewrite",  "change", "changes",  "wording",  "tighten",
        "shorten",    "shorter",     "concise",   "trim",    "cut",      "wordy",  "condense", "keep",     "unchanged",
        "no",         "untouched",   "as",        "is",      "do",       "not",    "don't",    "touch",    "fine",
        "needless",   "unnecessary", "redundant", "it",      "the",      "a",      "an",       "sentence", "sentences",
        "in",         "into",        "with",      "one",     "and",      "then",   "make",     "once",     "again",
        "here",       "please",      "by",        "another", "other",    "word",   "words",    "phrase",   "phrases",
        "slightly",   "little",      "bit",       "but"};
    for (size_t begin = 0; begin < words.size();) {
        const size_t end = std::min(words.find(' ', begin), words.size());
        if (!kKnown.contains(words.substr(begin, end - begin))) return false;
        begin = end + 1;
    }
    return !words.empty();
}

// What a sentence is to become as a whole, and how plans say so.
const std::vector<std::pair<PlanAction::Kind, std::vector<std::string_view>>> kWishes = {
    {PlanAction::Kind::lengthen, {"longer", "expand", "more detail", "elaborate", "lengthen", "extend", "fill out"}},
    {PlanAction::Kind::simplify, {"simplify", "plain", "plainer", "clarify", "simpler", "clearer"}},
    {PlanAction::Kind::rephrase, {"rephrase", "reword", "vary", "rewrite", "change the wording"}},
    {PlanAction::Kind::tighten,
     {"tighten", "shorten", "shorter", "concise", "trim", "wordy", "condense", "needless", "unnecessary", "redundant"}}};

// The first words of a text, without case and marks: what is left in common when a quotation was copied badly.
std::string beginning(const std::string& text) {
    const Sentence s(text);
    std::string out;
    for (size_t i = 0; i < std::min<size_t>(s.size(), 4); ++i) out += std::string(s.word(i)) + " ";
    return out;
}

// What the sentence is to become as a whole, beside the actions that are known.
void add_wishes(const std::string& words, std::vector<PlanAction>& actions) {
    using Kind = PlanAction::Kind;
    const auto says = [&](const std::vector<std::string_view>& phrases) { return says_any(words, phrases); };
    const bool splits = says({"split", "break", "two sentences", "in two", "into two", "divide"});
    if (splits) actions.push_back({Kind::split, ""});
    // "Omit needless words" is not to lose the sentence.
    if (actions.empty() && says({"leave it out", "omit it", "leave the sentence out", "leave out the sentence",
                                 "omit the sentence", "drop the sentence", "remove the sentence", "delete the sentence"}))
        actions.push_back({Kind::omit, ""});
    for (const auto& [kind, phrases] : kWishes)
        if (says(phrases)) actions.push_back({kind, ""});
    if (!splits && says({"cut"}) && (actions.empty() || actions.back().kind != Kind::tighten))
        actions.push_back({Kind::tighten, ""});
    if (actions.empty() && !says({"out"}) && says({"keep", "leave", "unchanged", "untouched", "as is", "as it is", "fine"}))
        actions.push_back({Kind::keep, ""});
}

}  // namespace

std::vector<PlanAction> plan_actions(std::string_view plan) {
    using Kind = PlanAction::Kind;
    const std::string lower = without_quotations(ascii_lower(plan));  // of the same length
    const std::string words = words_of(lower);
    const size_t quotations = count_quotations(lower);
    if (words.empty() && quotations == 0) return {{Kind::keep, ""}};  // it asks for nothing
    if (!are_known(words)) return {};
    const auto says = [&](const std::vector<std::string_view>& phrases) { return says_any(words, phrases); };
    if (says({"not", "don't", "no"}))
        return quotations == 0 &&
                       says({"do not touch it", "do not touch", "do not change", "don't change", "no change", "no changes"})
                   ? std::vector<PlanAction>{{Kind::keep, ""}}
                   : std::vector<PlanAction>();
    std::vector<PlanAction> actions;
    const auto quoted = [&](Kind kind, std::initializer_list<std::string_view> verbs) {
        for (const auto verb : verbs) {
            const size_t at = find_word(lower, verb);
            if (at == std::string::npos) continue;
            const std::string keyword = quoted_after(plan, at + verb.size());
            if (!keyword.empty()) actions.push_back({kind, keyword});
            return;
        }
    };
    quoted(Kind::replace, {"replace", "swap", "drop", "remove", "delete", "avoid", "without", "take out", "substitute"});
    quoted(Kind::mention, {"add", "mention", "repeat", "bring up", "use", "insert", "include"});
    // Quoted words that none of these verbs is about stand for something that is to be said: nobody here can say it.
    if (actions.size() != quotations) return {};
    const bool names_neighbour = says({"before", "previous", "preceding", "next", "following"});
    if (says({"join", "merge", "combine"}))
        actions.push_back({says({"before", "previous", "preceding"}) ? Kind::joined : Kind::join, ""});
    else if (names_neighbour)
        return {};
    add_wishes(words, actions);
    return actions;
}

std::vector<int> match_plan(const std::vector<PlanLine>& plan, const std::vector<std::string>& sentences) {
    std::vector<int> lines(sentences.size(), -1);
    size_t next = 0;
    const auto find = [&](auto matches) {
        for (size_t k = 0; k < sentences.size(); ++k) {
            const size_t i = (next + k) % sentences.size();
            if (lines[i] < 0 && matches(sentences[i])) return i;
        }
        return sentences.size();
    };
    for (size_t line = 0; line < plan.size(); ++line) {
        std::string quote = trim(plan[line].sentence);
        while (quote.ends_with(".") && quote.size() > 1 && quote[quote.size() - 2] == '.') quote.pop_back();
        if (quote.ends_with("…")) quote.resize(quote.size() - 3);
        const bool cut = quote.size() < trim(plan[line].sentence).size();
        if (cut && quote.ends_with(".")) quote.pop_back();
        quote = trim(quote);
        if (quote.empty()) continue;
        size_t at = find([&](const std::string& s) { return s.starts_with(quote); });
        if (at == sentences.size()) {
            const std::string start = beginning(quote);
            at = find([&](const std::string& s) { return !start.empty() && beginning(s).starts_with(start); });
        }
        if (at == sentences.size()) continue;
        lines[at] = static_cast<int>(line);
        next = (at + 1) % sentences.size();
    }
    return lines;
}

}  // namespace craft
