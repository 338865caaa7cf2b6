#include "align/instruction_rewriter.h"

#include "core/error.h"

namespace craft {

InstructionRewriter::InstructionRewriter(System& system, const PromptFiles& prompts, RewriterOptions options)
    : system_(system),
      options_(std::move(options)),
      prompt_(prompts.text("rewrite_instruction.txt", {"instruction"})),
      replies_(WordingTable::load(prompts.path("rewriter_replies.json"))),
      vocabulary_(ReadingVocabulary::load(prompts.path("rewriter_reading.json"))) {}

RewrittenInstruction InstructionRewriter::rewrite(const Instruction& instruction, uint64_t item) const {
    Request request;
    request.conversation = {{Role::user, fill_in(prompt_, {{"instruction", instruction.instruction}})}};
    request.item = item;
    const std::vector<Reply> replies = system_.answer({request}, options_.sampling);
    if (replies.size() != 1) throw Error("rewriter " + system_.name(), "one reply", std::to_string(replies.size()));
    const Reply& reply = replies[0];
    if (const std::string problem = reply.problem(); !problem.empty()) return {{}, problem, {}};
    return read_rewriting(reply.text, instruction, replies_, vocabulary_, options_.sentences);
}

void RewritingReport::add(const RewrittenInstruction& rewritten) {
    if (rewritten.refused.empty())
        ++taken;
    else
        ++refused[rewritten.refused];
    add_leniency(noted, rewritten.noted);
}

UsableAnswers RewritingReport::answers() const {
    UsableAnswers answers;
    answers.add("", taken);
    for (const auto& [reason, count] : refused) answers.add(reason, count);
    return answers;
}

Json to_json(const RewritingReport& report) {
    return {{"taken", report.taken}, {"refused", report.refused}, {"noted", report.noted}};
}

}  // namespace craft
