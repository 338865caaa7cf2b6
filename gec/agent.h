// The grammar agent: a sentence corrected by a model step by step, with tools (GEC-Agent Algorithm 1).
#pragma once

#include <cstdint>
#include <string>

#include "gec/agent_prompt.h"
#include "gec/agent_trace.h"
#include "systems/system.h"
#include "tools/tool_set.h"

namespace craft {

struct AgentOptions {
    int64_t steps = 12;       // replies of a sentence at most
    int64_t max_words = 300;  // a longer sentence is not asked about ("too_long"); 0: none is
    int64_t max_observation_chars =
        4000;  // code points of a finding that the model reads; the rest is cut off, which is counted
    // As GEC-Agent App. C has them. What a model continues to write in the tool's name is not waited for.
    SamplingOptions sampling = {.temperature = 0, .top_p = .3, .stop = {"\nObservation:"}, .stage = "gec"};
};

class GrammarAgent {
public:
    // All of these must outlive it. May be used by several threads at once where system and tools may.
    GrammarAgent(System& system, const ToolSet& tools, const AgentPrompt& prompt, const AgentOptions& options)
        : system_(system), tools_(tools), prompt_(prompt), options_(options) {}
    // `item` and `sample` key the random streams of the model's answers. Where the work ends otherwise than by an answer,
    // the text is the sentence as it stands. Throws what the system throws.
    AgentTrace correct(const std::string& sentence, uint64_t item, uint64_t sample) const;

private:
    System& system_;
    const ToolSet& tools_;
    const AgentPrompt& prompt_;
    AgentOptions options_;
};

// The messages after the first two that a step adds to the conversation: the reply and what the model is told.
std::vector<Message> step_messages(const AgentStep& step);

}  // namespace craft
