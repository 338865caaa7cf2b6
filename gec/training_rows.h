// What is trained on of several traces of one sentence: the best as a conversation, the best beside the worst as a pair.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/conversation.h"
#include "data/pair.h"
#include "gec/agent_trace.h"
#include "gec/trace_score.h"

namespace craft {

struct TrainingRowOptions {
    CorrectionMetric score_by = CorrectionMetric::f05;
    double penalty = .1;  // of a wrong edit (gec/trace_score.h)
    double min_gap = .1;  // between the values of a pair's sides
};

// How a trace is trained on (gec/trace_conversation.h).
using TraceConversation = std::function<Conversation(const AgentTrace& trace)>;

struct TrainingRows {
    std::optional<Conversation> conversation;
    std::string no_conversation = {};  // why there is none: "not better" than the source, "not final"
    std::optional<Pair> pair;
    std::string no_pair = {};            // "one trace", "gap", "same steps"
    double value = 0, source_value = 0;  // of the best trace, of the source as it was
};

// The best trace has the highest value; of equal ones a final one comes first, then the one of fewer steps, then the earlier
// one; the worst is what comes last by the same order. A conversation is made of a best trace that ended with an answer and
// is better than the source, or keeps a source that is right. A pair's prompt is all that both sides begin with. Needs at
// least one trace.
TrainingRows training_rows(const std::string& id, const std::string& gold, const std::vector<AgentTrace>& traces,
                           const TraceConversation& conversation_of, const TrainingRowOptions& options);

}  // namespace craft
