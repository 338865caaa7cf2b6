// libFuzzer target: any bytes as a sentence and what a model replies to it, with a zero byte between them. Every reply is
// read; one without a problem has an action or an answer, and an action leaves the sentence as it was or names edits that
// give the new one. Run as `agent_reply_fuzz -max_total_time=60`.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gec/action_input.h"
#include "gec/agent_reply.h"
#include "gec/edit_action.h"
#include "gec/final_answer.h"
#include "gec/sentence_edit.h"
#include "tests/gec/applied_edits.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

void check_edits(const std::string& from, const std::string& to) {
    require(craft::test::applied_edits(from, craft::edits_between(from, to)) == to);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size > 4096) return 0;
    const std::string both(reinterpret_cast<const char*>(data), size);
    const size_t zero = std::min(both.find('\0'), size);
    const std::string sentence = both.substr(0, zero), text = both.substr(std::min(zero + 1, size));
    const craft::AgentReply reply = craft::read_agent_reply(text);
    require(reply.problem.empty() == (reply.answer ? !reply.answer->empty() : !reply.action.empty()));
    if (reply.problem.empty()) {
        const craft::AgentReply again = craft::read_agent_reply(craft::agent_reply_text(reply));
        require(again.problem.empty() && again.answer.has_value() == reply.answer.has_value());
    }
    if (reply.answer) check_edits(sentence, craft::read_final_answer(*reply.answer, sentence).sentence);
    const craft::ToolSet tools({{.name = "spell_check", .parameters = {{"sentence"}}},
                                {.name = "search_examples", .parameters = {{"sentence"}, {"concept"}}}});
    for (const std::string& name : tools.names()) {
        const craft::ToolCallReading call = craft::read_tool_call(tools, name, reply.input, sentence);
        require(call.call.has_value() == call.problem.empty());
    }
    const craft::ActionInput input = craft::read_action_input(reply.input);
    if (!input.problem.empty()) return 0;
    for (const std::string& action : craft::edit_action_names()) {
        const craft::EditResult result = craft::apply_edit(action, input.fields, sentence);
        require(result.refused.empty() == (result.sentence != sentence));
        check_edits(sentence, result.sentence);
    }
    return 0;
}
