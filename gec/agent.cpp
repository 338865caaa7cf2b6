#include "gec/agent.h"

#include <chrono>

#include "core/utf8.h"
#include "gec/agent_run.h"
#include "text/quoted_lines.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

std::vector<Message> step_messages(const AgentStep& step) {
    std::vector<Message> messages = {
        {Role::assistant, step.reply.problem.empty() ? agent_reply_text(step.reply) : step.raw}};
    if (!step.observation.empty()) messages.push_back({Role::user, step.observation});
    return messages;
}

AgentTrace GrammarAgent::correct(const std::string& sentence, uint64_t item, uint64_t sample) const {
    const auto start = std::chrono::steady_clock::now();
    AgentTrace trace{.source = sentence, .text = sentence};
    if (trim_view(sentence).empty()) {
        trace.not_asked = "empty";
        return trace;
    }
    if (options_.max_words > 0 && count_whitespace_words(sentence) > options_.max_words) {
        trace.not_asked = "too_long";
        return trace;
    }
    for (const std::string& kind : quoted_lines(sentence).noted) ++trace.noted[kind];
    AgentRun run(tools_, prompt_, options_, trace);
    std::vector<Message> messages = prompt_.begin(sentence);
    trace.ended = AgentEnd::steps;
    for (int64_t step = 0; step < options_.steps; ++step) {
        const Request request{.conversation = messages, .item = item, .sample = sample};
        const Reply reply = system_.answer({request}, options_.sampling).at(0);
        trace.failure = reply.problem();
        if (!trace.failure.empty()) {
            trace.ended = AgentEnd::failed;
            break;
        }
        if (!run.take(reply)) break;
        for (Message& message : step_messages(trace.steps.back())) messages.push_back(std::move(message));
    }
    trace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return trace;
}

}  // namespace craft
