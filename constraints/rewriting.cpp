#include "constraints/rewriting.h"

#include <algorithm>
#include <array>
#include <set>

#include "constraints/keeps_values.h"
#include "constraints/said_values.h"
#include "data/revision_reply.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

// A rewriting of more words than this has gone on to something else: to the task, or to explanations.
constexpr int64_t kMostTimes = 2, kMostMore = 12;

// Kinds of places, each with the words for it (share/wordings/constraints.json, "places").
constexpr std::array<std::string_view, 9> kPlaceWords = {
    " first opening initial starting starts begins begin opens beginning start ",
    " last final closing concluding ends end closes finishes ending ",
    " next-to-last second-to-last penultimate second-last ",
    " middle central midmost ",
    " longest lengthiest ",
    " shortest briefest tiniest ",
    " question asks ",
    " after following behind follows heels ",
    " before preceding precedes leading ",
};

// Lower-case words without what stands around them, with a blank at both ends and between two.
std::string blank_separated(const std::string& text) {
    std::string out = " ";
    for (const std::string& token : whitespace_words(lowercase(text))) {
        const auto inner = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
        const auto first = std::find_if(token.begin(), token.end(), inner);
        const auto last = std::find_if(token.rbegin(), token.rend(), inner).base();
        if (first < last) out += std::string(first, last) + " ";
    }
    return out;
}

bool has_place(const std::string& words, std::string_view kind) {
    for (const std::string& word : whitespace_words(kind))
        if (words.find(" " + word + " ") != std::string::npos) return true;
    return false;
}

template <class T>
bool all_within(const std::set<T>& some, const std::set<T>& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool loses_place(const std::string& rewritten, const Instruction& original) {
    const std::set<int64_t> named = numbers_in(original.instruction);
    const std::string said = blank_separated(rewritten);
    for (size_t i = 0; i < original.constraints.size(); ++i) {
        const std::vector<int64_t>& ids = original.constraints[i].ids;
        if (std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return named.contains(id); })) continue;
        if (i >= original.phrases.size()) return true;  // there is no telling which words name the sentence
        const std::string& phrase = original.phrases[i];
        if (!all_within(numbers_in(phrase), numbers_in(rewritten)) || !all_within(quoted_in(phrase), quoted_in(rewritten)))
            return true;
        const std::string words = blank_separated(phrase);
        for (const std::string_view kind : kPlaceWords)
            if (has_place(words, kind) && !has_place(said, kind)) return true;
    }
    return false;
}

// From which sides an instruction bounds, as far as common words say it.
struct Sides {
    bool above = false, below = false;
};

// Takes a phrase out of the words, so that "more than" is not found in "no more than"; whether it was there.
bool take(std::string& words, std::string_view phrase) {
    bool found = false;
    const std::string whole = " " + std::string(phrase) + " ";
    for (size_t at = words.find(whole); at != std::string::npos; at = words.find(whole, at)) {
        words.replace(at, whole.size(), " ");
        found = true;
    }
    return found;
}

Sides sides_of(const std::string& text) {
    std::string words = blank_separated(text);
    Sides sides;
    for (const std::string_view phrase :
         {"no more than", "not more than", "no longer than", "not longer than", "not exceed", "not exceeding",
          "without exceeding", "at most", "at the most", "a maximum of", "maximum of", "up to"})
        sides.above |= take(words, phrase);
    for (const std::string_view phrase :
         {"no fewer than", "no less than", "not less than", "not fewer than", "no shorter than", "not shorter than",
          "at least", "at the least", "a minimum of", "minimum of"})
        sides.below |= take(words, phrase);
    for (const std::string_view phrase : {"fewer than", "less than", "shorter than"}) sides.above |= take(words, phrase);
    for (const std::string_view phrase : {"more than", "longer than", "greater than", "exceeds", "exceed"})
        sides.below |= take(words, phrase);
    return sides;
}

bool turns_limit(const std::string& rewritten, const std::string& original) {
    const Sides now = sides_of(rewritten), before = sides_of(original);
    // Where the original says its bounds in words that are not known here, there is nothing to compare with.
    if (!before.above && !before.below) return false;
    return (now.above && !before.above) || (now.below && !before.below);
}

}  // namespace

std::string rewriting_problem(const std::string& rewritten, const Instruction& original) {
    if (!keeps_values(rewritten, original.instruction, original.constraints)) return "lost value";
    if (loses_place(rewritten, original)) return "lost place";
    if (!all_within(numbers_in(rewritten), numbers_in(original.instruction))) return "new number";
    if (!all_within(quoted_in(rewritten), quoted_in(original.instruction))) return "new quotation";
    if (turns_limit(rewritten, original.instruction)) return "turned limit";
    return "";
}

RewrittenInstruction read_rewriting(std::string_view reply, const Instruction& original, const WordingTable& replies) {
    RevisionReply read = read_revision_reply(reply, original.instruction, false, replies);
    RewrittenInstruction rewritten;
    for (std::string& oddity : read.noted)
        if (oddity == "unchanged")
            read.unusable = oddity;
        else
            rewritten.noted.push_back(std::move(oddity));
    rewritten.refused = read.unusable;
    if (rewritten.refused.empty() &&
        count_whitespace_words(read.text) > kMostTimes * count_whitespace_words(original.instruction) + kMostMore)
        rewritten.refused = "too long";
    const auto has_paragraphs = [](const std::string& text) { return text.find("\n\n") != std::string::npos; };
    if (rewritten.refused.empty() && has_paragraphs(read.text) && !has_paragraphs(original.instruction))
        rewritten.refused = "goes on";
    if (rewritten.refused.empty()) rewritten.refused = rewriting_problem(read.text, original);
    if (rewritten.refused.empty()) rewritten.text = std::move(read.text);
    return rewritten;
}

Instruction with_wording(Instruction original, const RewrittenInstruction& rewritten) {
    if (!rewritten.refused.empty()) return original;
    original.instruction = rewritten.text;
    original.wording = "model";
    original.phrases.clear();
    return original;
}

}  // namespace craft
