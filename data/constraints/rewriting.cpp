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
    const InstructionReading reading = read_instruction(rewritten, sentences, vocabulary, own_words);
    if (!reading.refused.empty()) return reading.refused;
    const std::string problem = difference(reading.clauses, original.gold_calls(), own_words.contains("between"));
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
    if (rewritten.refused.empty()) {
        rewritten.refused = rewriting_problem(read.text, original, vocabulary, rule);
        // "Could you make it at most 45 words?" is a request, "Could you share the text?" is none.
        const bool is_question = read.text.ends_with("?") && original.instruction.find('?') == std::string::npos;
        if (!rewritten.refused.empty() && is_question) rewritten.refused = "asks back";
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
    const std::string problem = difference(reading.clauses, instruction.gold_calls(), says_between);
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
