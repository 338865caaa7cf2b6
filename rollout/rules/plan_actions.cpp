#include "rollout/rules/plan_actions.h"

#include <algorithm>
#include <tuple>

#include "core/ascii.h"
#include "rollout/rules/sentence.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

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

// The first words of a text, without case and marks: what is left in common when a quotation was copied badly.
std::string beginning(const std::string& text) {
    const Sentence s(text);
    std::string out;
    for (size_t i = 0; i < std::min<size_t>(s.size(), 4); ++i) out += std::string(s.word(i)) + " ";
    return out;
}

}  // namespace

std::vector<PlanAction> plan_actions(std::string_view plan) {
    using Kind = PlanAction::Kind;
    const std::string lower = without_quotations(ascii_lower(plan));  // of the same length
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
    if (has_any(lower, {"split", "break", "two sentences", "divide"})) actions.push_back({Kind::split, ""});
    if (has_any(lower, {"join", "merge", "combine"})) {
        const bool before = has_any(lower, {"sentence before", "previous", "preceding", "one before"});
        actions.push_back({before ? Kind::joined : Kind::join, ""});
    }
    // "Omit needless words", or to find a word and remove it, is not to lose the sentence.
    if (actions.empty() && has_any(lower, {"leave it out", "omit it", "leave the sentence out", "omit the sentence",
                                           "drop the sentence", "remove the sentence", "delete the sentence"}))
        actions.push_back({Kind::omit, ""});
    if (has_any(lower, {"longer", "expand", "more detail", "elaborate", "lengthen", "extend", "fill out"}))
        actions.push_back({Kind::lengthen, ""});
    if (has_any(lower, {"simplif", "plain", "clarif", "simpler", "clearer"})) actions.push_back({Kind::simplify, ""});
    if (has_any(lower, {"rephrase", "reword", "vary", "rewrite", "change the wording"}))
        actions.push_back({Kind::rephrase, ""});
    if (has_any(lower, {"tighten", "shorten", "shorter", "concise", "trim", "cut", "wordy", "condense"}))
        actions.push_back({Kind::tighten, ""});
    if (actions.empty() && has_any(lower, {"keep", "leave", "unchanged", "no change", "untouched", "as is", "as it is",
                                           "do not touch", "fine"}))
        actions.push_back({Kind::keep, ""});
    if (actions.empty()) actions.push_back({Kind::tighten, ""});
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
