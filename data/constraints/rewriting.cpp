#include "data/constraints/rewriting.h"

#include <algorithm>
#include <set>

#include "data/constraints/instruction_reading.h"
#include "data/revision_reply.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

// A rewriting of more words than this has continued to something else: to the task, or to explanations.
constexpr int64_t kMaxTimes = 3, kMaxMore = 20;

template <class T>
bool all_within(const std::set<T>& some, const std::set<T>& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Takes what is asked for out of the calls that are left; false if it is not there.
bool take(std::vector<ToolCall>& left, const std::vector<ToolCall>& asked) {
    std::vector<ToolCall> rest = left;
    for (const ToolCall& call : asked) {
        const auto found = std::find(rest.begin(), rest.end(), call);
        if (found == rest.end()) return false;
        rest.erase(found);
    }
    left = std::move(rest);
    return true;
}

// Whether one of the calls is about the same: the words, the sentences, these keywords.
bool is_about_the_same(const ToolCall& call, const std::vector<ToolCall>& calls) {
    return std::any_of(calls.begin(), calls.end(), [&](const ToolCall& other) { return other.index() == call.index(); });
}

// Why the clauses are not the gold calls, each once and no others; empty if they are.
// `between_excludes`: "between 80 and 100" may be meant without the two.
std::string difference(const std::vector<ClauseReading>& clauses, const std::vector<ToolCall>& gold, bool between_excludes) {
    std::vector<ToolCall> left = gold, more;
    for (const ClauseReading& clause : clauses)
        if (!take(left, clause.calls) && (!between_excludes || clause.exclusive.empty() || !take(left, clause.exclusive)))
            more.insert(more.end(), clause.calls.begin(), clause.calls.end());
    for (const ToolCall& call : more)
        if (is_about_the_same(call, left)) return "another limit";
    if (!more.empty()) return "new limit";
    return left.empty() ? "" : "lost limit";
}

// Whole sentences or lines of an instruction, and what they ask for.
struct Stretch {
    size_t begin = 0, end = 0;
    std::vector<ToolCall> calls;
};

bool is_blank(char c) {
    return c == ' ' || c == '\n';
}

bool begins_a_stretch(const std::string& text, size_t at) {
    if (at > 0 && !is_blank(text[at - 1])) return false;
    while (at > 0 && text[at - 1] == ' ') --at;
    return at == 0 || std::string_view(".!?:\n").find(text[at - 1]) != std::string_view::npos;
}

bool ends_a_stretch(const std::string& text, size_t end) {
    return end == text.size() || text[end] == '\n' ||
           (text[end] == ' ' && std::string_view(".!?:").find(text[end - 1]) != std::string_view::npos);
}

std::vector<Stretch> stretches_of(const std::string& text) {
    std::vector<Stretch> stretches;
    for (size_t at = 0; at < text.size(); ++at)
        if (!is_blank(text[at]) && begins_a_stretch(text, at)) stretches.push_back({at, 0, {}});
    for (size_t i = 0; i < stretches.size(); ++i) {
        size_t end = i + 1 < stretches.size() ? stretches[i + 1].begin : text.size();
        while (is_blank(text[end - 1])) --end;
        stretches[i].end = end;
    }
    return stretches;
}

// A phrase that goes over several makes them one. None where it is not known what says a constraint.
std::vector<Stretch> known_stretches(const Instruction& instruction) {
    const std::string& text = instruction.instruction;
    std::vector<Stretch> stretches = stretches_of(text);
    if (instruction.phrases.size() != instruction.gold.size()) return {};
    for (size_t i = 0; i < instruction.phrases.size(); ++i) {
        const std::string& phrase = instruction.phrases[i];
        const size_t at = phrase.empty() ? std::string::npos : text.find(phrase);
        if (at == std::string::npos || text.find(phrase, at + 1) != std::string::npos) return {};
        const auto first = std::find_if(stretches.begin(), stretches.end(), [&](const Stretch& s) { return s.end > at; });
        auto last = first;
        while (last->end < at + phrase.size() && std::next(last) != stretches.end()) ++last;
        first->calls.insert(first->calls.end(), instruction.gold[i].begin(), instruction.gold[i].end());
        for (auto merged = std::next(first); merged <= last; ++merged)
            first->calls.insert(first->calls.end(), merged->calls.begin(), merged->calls.end());
        first->end = last->end;
        stretches.erase(std::next(first), std::next(last));
    }
    return stretches;
}

// What a rewriting leaves as it was asks for what it asked for, in whatever words: in its place stands a request that can be
// read, as that does in `gold`, so that words around it ("ignore this:", "scrap that") are read as they are elsewhere.
std::string with_known_stretches(std::string rewritten, const Instruction& original, std::vector<ToolCall>& gold) {
    for (const Stretch& stretch : known_stretches(original)) {
        const std::string same = original.instruction.substr(stretch.begin, stretch.end - stretch.begin);
        size_t at = rewritten.find(same);
        while (at != std::string::npos && !(begins_a_stretch(rewritten, at) && ends_a_stretch(rewritten, at + same.size())))
            at = rewritten.find(same, at + 1);
        if (at == std::string::npos || !take(gold, stretch.calls)) continue;
        const std::string name = "stretch" + std::to_string(stretch.begin);
        rewritten.replace(at, same.size(), stretch.calls.empty() ? "" : "Keep \"" + name + "\".");
        if (!stretch.calls.empty()) gold.push_back(KeywordKeepRemovalCheck{name, true});
    }
    return rewritten;
}

// Whether a paragraph after the first asks for nothing: it is no part of a request.
bool continues(const std::string& text, const std::vector<std::string>& sentences, const ReadingVocabulary& vocabulary,
               const OwnWords& own_words) {
    for (size_t at = text.find("\n\n"); at != std::string::npos;) {
        const size_t next = text.find("\n\n", at + 2);
        const auto reading = read_instruction(text.substr(at, next == std::string::npos ? next : next - at), sentences,
                                              vocabulary, own_words);
        if (reading.refused.empty() && reading.clauses.empty()) return true;
        at = next;
    }
    return false;
}

}  // namespace

std::string rewriting_problem(const std::string& rewritten, const Instruction& original, const ReadingVocabulary& vocabulary,
                              SentenceRule rule) {
    const std::vector<std::string> sentences = split_sentences(original.text, rule);
    const OwnWords own_words = own_words_of(original.instruction);
    if (original.instruction.find("\n\n") == std::string::npos && continues(rewritten, sentences, vocabulary, own_words))
        return "goes on";
    std::vector<ToolCall> gold = original.gold_calls();
    const InstructionReading reading =
        read_instruction(with_known_stretches(rewritten, original, gold), sentences, vocabulary, own_words);
    if (!reading.refused.empty()) return reading.refused;
    const std::string problem = difference(reading.clauses, gold, own_words.contains("between"));
    if (!problem.empty()) return problem;
    if (!all_within(reading.other_numbers, numbers_in(original.instruction))) return "new number";
    if (!all_within(reading.other_quotations, quoted_in(original.instruction))) return "new quotation";
    if (!reading.unknown_word.empty()) return "unknown word";
    return "";
}

RewrittenInstruction read_rewriting(std::string_view reply, const Instruction& original, const WordingTable& replies,
                                    const ReadingVocabulary& vocabulary, SentenceRule rule) {
    RevisionReply read = read_revision_reply(reply, original.instruction, false, replies);
    RewrittenInstruction rewritten;
    rewritten.refused = read.noted.erase("unchanged") > 0 ? "unchanged" : read.unusable;
    rewritten.noted = std::move(read.noted);
    if (rewritten.refused.empty() &&
        count_whitespace_words(read.text) > kMaxTimes * count_whitespace_words(original.instruction) + kMaxMore)
        rewritten.refused = "too long";
    // "Could you make it at most 45 words?" is a request, "Could you share the text?" is none.
    const bool is_question = trim_view(reply).ends_with("?") && original.instruction.find('?') == std::string::npos;
    if (is_question && rewritten.refused == "unrelated") rewritten.refused = "asks back";
    if (rewritten.refused.empty()) {
        rewritten.refused = rewriting_problem(read.text, original, vocabulary, rule);
        if (is_question && !rewritten.refused.empty()) rewritten.refused = "asks back";
    }
    if (rewritten.refused.empty()) rewritten.text = std::move(read.text);
    return rewritten;
}

std::string gold_problem(const Instruction& instruction, const ReadingVocabulary& vocabulary, SentenceRule rule) {
    const std::vector<std::string> sentences = split_sentences(instruction.text, rule);
    for (const ToolCall& call : instruction.gold_calls()) {
        if (const auto* named = std::get_if<SentenceModificationCheck>(&call))
            for (const int64_t id : named->sentence_ids)
                if (id < 1 || id > static_cast<int64_t>(sentences.size()))
                    return normal_form(call) + ": the text has " + std::to_string(sentences.size()) + " sentences";
        const auto* keyword = std::get_if<KeywordKeepRemovalCheck>(&call);
        if (keyword != nullptr && keyword->keep &&
            lowercase(instruction.text).find(lowercase(keyword->keyword)) == std::string::npos)
            return normal_form(call) + ": the text does not have it";
    }
    // Only what is read with certainty, each word of it, contradicts.
    const InstructionReading reading = read_instruction(instruction.instruction, sentences, vocabulary, {});
    if (!reading.refused.empty() || !reading.unknown_word.empty()) return "";
    const bool says_between = own_words_of(instruction.instruction).contains("between");
    std::vector<ClauseReading> once;  // what is asked for a second time in other words is no other limit
    for (const ClauseReading& clause : reading.clauses)
        if (std::none_of(once.begin(), once.end(), [&](const ClauseReading& one) { return one.calls == clause.calls; }))
            once.push_back(clause);
    const std::string problem = difference(once, instruction.gold_calls(), says_between);
    const bool may_say_it = !reading.other_numbers.empty() || !reading.other_quotations.empty();
    if (problem == "lost limit" && may_say_it) return "";
    return problem.empty() ? "" : "the instruction and its gold calls disagree (" + problem + ")";
}

Instruction with_wording(Instruction original, const RewrittenInstruction& rewritten) {
    if (!rewritten.refused.empty()) return original;
    original.instruction = rewritten.text;
    original.wording = "model";
    original.phrases.clear();
    return original;
}

}  // namespace craft
