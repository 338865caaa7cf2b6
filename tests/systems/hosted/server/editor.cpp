#include "tests/systems/hosted/server/editor.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/files.h"
#include "core/rng.h"
#include "data/constraints/instruction_reading.h"
#include "tests/systems/hosted/server/completion.h"
#include "tests/systems/hosted/server/judging_question.h"
#include "tests/systems/hosted/server/sentence_edits.h"
#include "text/sentences.h"

namespace craft::chat_server {

namespace {

constexpr const char* kPreface = "Here is what you asked for:";
constexpr const char* kAnotherLanguage =
    "Der Text ist im Ganzen gut zu lesen, doch fehlt am Ende ein Satz, der sagt, worauf es dem Verfasser eigentlich "
    "ankommt.";

// An answer, and one that does something else than what was asked for.
struct Said {
    std::string good, off_task;
};

struct Question {
    std::string first, last;    // contents of the conversation's first message and of its last one
    std::string shown_verdict;  // of the last example of a guideline; empty: there is none
    uint64_t manner = 0;        // drawn at a temperature above 0

    bool holds(const char* words) const { return last.find(words) != std::string::npos; }
    bool begins(const char* words) const { return last.starts_with(words); }
};

// What stands behind the last line `heading`, up to `end`.
std::string behind(const std::string& prompt, const std::string& heading, const std::string& end = "") {
    size_t at = prompt.rfind(heading);
    if (at == std::string::npos) return "";
    at += heading.size();
    const size_t stop = end.empty() ? std::string::npos : prompt.find(end, at);
    return prompt.substr(at, stop == std::string::npos ? stop : stop - at);
}

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

std::string tightened_text(const std::string& text, uint64_t manner) {
    std::string out;
    for (const std::string& sentence : split_sentences(text)) out += (out.empty() ? "" : " ") + tightened(sentence, manner);
    return out;
}

// Without an instruction. Texts are treated differently, so that what can be read off their revisions differs.
std::string freely_revised(const std::string& text) {
    std::vector<PlannedSentence> planned;
    for (const std::string& sentence : split_sentences(text)) planned.push_back({sentence, "tighten"});
    const std::array<const char*, 4> others = {"leave it out", "split in two", "make it longer", "keep it"};
    if (!planned.empty()) planned.back().plan = others.at(stable_hash(text) % others.size());
    return carried_out(planned);
}

// Whether sentence `id`, from 1, is to change by these calls; nullopt: they do not say.
std::optional<bool> is_to_change(const std::vector<ToolCall>& calls, int64_t id) {
    std::optional<bool> changes;
    for (const ToolCall& call : calls) {
        const auto* named = std::get_if<SentenceModificationCheck>(&call);
        if (named == nullptr) continue;
        if (std::ranges::find(named->sentence_ids, id) != named->sentence_ids.end()) return named->change;
        if (named->change) changes = false;  // those alone are to change
    }
    return changes;
}

std::string plan_of(const std::string& text, const std::vector<ToolCall>& calls = {}) {
    std::string lines;
    int64_t id = 0;
    for (const std::string& sentence : split_sentences(text)) {
        const bool changes = is_to_change(calls, ++id).value_or(count_words(sentence) > 12);
        lines += (lines.empty() ? "" : "\n") + std::string("Sentence: \"") + sentence + "\"; Improvement Plan: \"" +
                 (changes ? "Tighten it and drop what says little." : "Keep it as it is.") + "\"";
    }
    return lines;
}

// What a request asks for; none where it cannot be read with certainty.
std::vector<ToolCall> calls_of(const std::string& request, const std::string& text) {
    static const auto vocabulary = ReadingVocabulary::load(share_folder() / "prompts" / "rewriter_reading.json");
    const InstructionReading reading = read_instruction(request, split_sentences(text), vocabulary, {});
    std::vector<ToolCall> calls;
    if (!reading.refused.empty()) return calls;
    for (const ClauseReading& clause : reading.clauses) calls.insert(calls.end(), clause.calls.begin(), clause.calls.end());
    return calls;
}

std::string planned_response(const Question& question) {
    const std::string original = trimmed(behind(question.first, "### The text\n"));
    const auto calls = calls_of(behind(question.first, "### The request\n", "\n\n### The text\n"), original);
    const bool is_revised = question.last.starts_with("###OBSERVATION:\n");
    const std::string plan = plan_of(is_revised ? behind(question.last, "###OBSERVATION:\n", "\n") : original, calls);
    if (question.first.find("### Tools\n") == std::string::npos) return plan;
    std::string response =
        "###THOUGHT:\nThe request is read, and what it leaves open is that long sentences become shorter.\n"
        "###ACTION:\n###TOOLS:\n```\ntext_eval()\n";
    for (const ToolCall& call : calls) response += normal_form(call) + "\n";
    return response + "```\n###PLAN:\n" + plan;
}

std::string reworded(const std::string& request) {
    static const std::vector<std::string> openings = {"Kindly do this for me. ", "Please do the following. ",
                                                      "I need your help with this. "};
    return openings[stable_hash(request) % openings.size()] + request;
}

Said suggestion_for(const std::string& text) {
    const std::vector<std::string> sentences = split_sentences(text);
    if (sentences.empty()) return {"None.", "None."};
    const auto longest = std::max_element(sentences.begin(), sentences.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    return {"Original: " + *longest + "; Suggestion: " + tightened(*longest),
            "Original: Nobody wrote this.; Suggestion: Nobody wrote that."};
}

// Mean words of a sentence: the fewer, the better a text reads to this editor.
double heaviness(const std::string& text) {
    return static_cast<double>(count_words(text)) / static_cast<double>(std::max<size_t>(1, split_sentences(text).size()));
}

Said verdict_on(const Question& question) {
    const JudgingQuestion asked = read_judging_question(question.last);
    size_t best = 0, worst = 0;
    std::vector<double> heavy;
    for (const std::string& text : asked.candidates) {
        heavy.push_back(heaviness(text));
        const size_t last = heavy.size() - 1;
        if (heavy[last] < heavy[best]) best = last;
        if (heavy[last] >= heavy[worst]) worst = last;
    }
    return {verdict_like(question.shown_verdict, std::to_string(best), std::to_string(worst)), "They are all equally good."};
}

int mark_of(const std::string& text) {
    return heaviness(text) < 12 ? 5 : heaviness(text) < 18 ? 4 : 3;
}

Said marks_on(const Question& question) {
    const Json asked = Json::parse(behind(question.last, "\nThe question:\n"), nullptr, false);
    Json marks = Json::object();
    for (const auto& [name, text] : asked.items()) {
        if (!name.starts_with("output_")) continue;
        const int mark = mark_of(text);
        if (question.holds("- fluency:"))
            marks[name] = {{"fluency", mark}, {"coherence", mark}, {"consistency", 4}};
        else
            marks[name] = {{"semantics", 4}, {"grammaticality", mark == 5 ? "0" : "1"}, {"overcorrection", "slight"}};
    }
    marks["id"] = asked.at("id");
    Json other = marks;
    other["id"] = "another";
    return {dump_line(marks), dump_line(other)};
}

Said comparison_of(const std::string& asked) {
    const double a = heaviness(behind(asked, "### Candidate A:\n", "\n\n### Candidate B:")),
                 b = heaviness(behind(asked, "### Candidate B:\n", "\n\nWhich "));
    return {a <= b ? "A" : "B", "Neither."};
}

Said mark_on(const Question& question) {
    const std::string revision = behind(question.last, "### Revision:\n", "\n\n");
    if (question.holds("0, 1 or 2 or more")) return {mark_of(revision) == 5 ? "0" : "1", "Some."};
    if (question.holds("none, slight, moderate or substantial")) return {"slight", "Somewhat."};
    if (question.holds("Answer with yes or no alone")) return {count_words(revision) % 5 == 0 ? "no" : "yes", "Perhaps."};
    return {std::to_string(mark_of(revision)), "Very much so."};
}

Said revised_by_plan(const Question& question) {
    const std::vector<PlannedSentence> planned = planned_sentences(behind(question.last, "### INPUT:\n"));
    return {carried_out(planned, question.manner), carried_out_wrongly(planned)};
}

Said revised(const Question& question, const char* heading) {
    const std::string text = trimmed(behind(question.last, heading));
    const std::string good = tightened_text(text, question.manner);
    return {question.holds("### Revised text:") ? "The conditions come first, then the wording.\n### Revised text:\n" + good
                                                : good,
            plan_of(text)};
}

// Each role is told by words of its prompt.
Said answer_to(const Question& question) {
    if (question.holds("as a careful editor would")) {
        const std::string text = trimmed(behind(question.last, "### Text:\n"));
        return {freely_revised(text), plan_of(text)};
    }
    if (question.begins("### INSTRUCTIONS:")) return revised_by_plan(question);
    if (question.begins("Revise the text below as the request asks")) return revised(question, "### Text:\n");
    if (question.holds("### Present text:\n")) return revised(question, "### Present text:\n");
    if (question.begins("Put the request below"))
        return {reworded(trimmed(behind(question.last, "### Request:\n"))), "Which text do you mean?"};
    if (question.holds("; Suggestion: ") && question.holds("Original: the sentence"))
        return suggestion_for(trimmed(behind(question.last, "### Text:\n")));
    if (question.begins("The text below will be revised."))
        return {"The text reads like a notice for visitors.", "Who will read it?"};
    if (question.holds("\nCandidate 0:\n")) return verdict_on(question);
    if (question.holds("### Candidate A:\n")) return comparison_of(question.last);
    if (question.holds("\nThe question:\n")) return marks_on(question);
    if (question.holds("### Revision:\n")) return mark_on(question);
    return {planned_response(question), "I would make it shorter and clearer throughout."};
}

Question read_question(const Json& body, int64_t choice) {
    const Json& messages = body.at("messages");
    Question question;
    question.first = content_of(messages.front());
    question.last = content_of(messages.back());
    question.shown_verdict = last_answer(messages);
    if (body.value("temperature", 0.0) > 0)
        question.manner =
            Rng(body.value("seed", uint64_t{0}), "manner", question.last, static_cast<uint64_t>(choice)).below(3);
    return question;
}

}  // namespace

std::string Editor::answer(const Json& body, int64_t choice) {
    const std::string whole = dump_line(body);
    Rng rng(options_.seed, "mistake", whole, static_cast<uint64_t>(choice) + (asked_[stable_hash(whole)]++ << 16U));
    const Said said = answer_to(read_question(body, choice));
    if (rng.uniform() >= options_.mistakes) return said.good;
    static const std::vector<std::string> kinds = {"prefaced", "preface alone", "another language", "off the task"};
    const std::string& kind = rng.pick(kinds);
    ++mistakes_[kind];
    if (kind == "prefaced") return std::string(kPreface) + "\n\n" + said.good;
    if (kind == "preface alone") return kPreface;
    return kind == "another language" ? kAnotherLanguage : said.off_task;
}

}  // namespace craft::chat_server
