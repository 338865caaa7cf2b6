#include "align/easy_constraints.h"

#include "core/error.h"
#include "core/rng.h"
#include "data/constraints/instruction_tokens.h"
#include "data/reply_text.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int64_t kMaxConstraintWords = 40;

bool is_countable(const std::string& lower) {
    const bool counts = lower.find("word") != std::string::npos || lower.find("sentence") != std::string::npos;
    return counts && !numbers_in(lower).empty();
}

std::string constraint_problem(const std::string& text) {
    if (text.empty()) return "empty";
    if (text.ends_with("?")) return "asks back";
    if (text.find('\n') != std::string::npos) return "goes on";
    if (count_whitespace_words(text) > kMaxConstraintWords) return "too long";
    return is_countable(lowercase(text)) ? "countable" : "";
}

}  // namespace

RewrittenInstruction read_easy_constraint(std::string_view reply, const WordingTable& replies) {
    RewrittenInstruction read;
    std::string_view text = trim_view(reply);
    note_leniency(read.noted, "thinking", cut_thinking(text));
    const std::vector<std::string>& prefaces = replies.list("prefaces");
    unwrap(
        text, {}, [&](std::string_view& rest) { return cut_preface_line(rest, {}, prefaces); }, read.noted);
    if (invalid_utf8_at(text) != std::string_view::npos) {
        read.refused = "not_utf8";
        return read;
    }
    read.text = is_preface_line(text, prefaces) ? "" : std::string(text);
    read.refused = constraint_problem(read.text);
    if (!read.refused.empty()) read.text.clear();
    return read;
}

EasyConstraintWriter::EasyConstraintWriter(System& system, const PromptFiles& prompts, SamplingOptions sampling)
    : system_(system),
      sampling_(std::move(sampling)),
      replies_(WordingTable::load(prompts.path("easy_constraint_replies.json"))) {
    for (const EasyKind kind : {EasyKind::style, EasyKind::semantic})
        prompts_[kind] = prompts.text("easy_constraint." + easy_kind_name(kind) + ".txt", {"text"});
}

RewrittenInstruction EasyConstraintWriter::write(EasyKind kind, const std::string& text, uint64_t sample) const {
    Request request;
    request.conversation = {{Role::user, fill_in(prompts_.at(kind), {{"text", text}})}};
    request.item = stable_hash(text);
    request.sample = sample;
    const std::vector<Reply> replies = system_.answer({request}, sampling_);
    if (replies.size() != 1)
        throw Error("easy constraints of " + system_.name(), "one reply", std::to_string(replies.size()));
    if (const std::string problem = replies[0].problem(); !problem.empty()) return {{}, problem, {}};
    return read_easy_constraint(replies[0].text, replies_);
}

std::string EasyConstraintWriter::instruction(const std::string& constraint) const {
    return fill_in(replies_.first("instruction"), {{"constraint", constraint}});
}

}  // namespace craft
