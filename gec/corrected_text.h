// A text corrected sentence by sentence, and put together again with its own white space.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gec/agent_trace.h"
#include "gec/sentence_edit.h"

namespace craft {

// Who corrects one sentence; `sample` is its number within its text. Throws what its system throws.
using SentenceCorrector = std::function<AgentTrace(const std::string& sentence, uint64_t item, uint64_t sample)>;

struct CorrectedText {
    std::string id, source, text;
    std::vector<AgentTrace> sentences = {};  // of an empty text: one, which nobody was asked about

    // The worst end of its sentences: failed, repeat, steps, final.
    AgentEnd ended() const;
    bool is_asked() const;  // about one of its sentences at least
    // The failure of the first sentence, where of none that was asked about an answer could be used; else empty.
    std::string problem() const;
};

// Lines are texts of their own, and sentences within a line are those of ICU. `whole`: the text is not cut.
CorrectedText correct_text(const std::string& id, const std::string& text, uint64_t item, bool whole,
                           const SentenceCorrector& correct);

// {"id","text","edits","calls":{action:n},"model_calls","ended","status","reason"?,"source","seconds","trace":[AgentTrace...]}.
Json to_json(const CorrectedText& corrected);
// Throws Error naming `where` on another form.
CorrectedText corrected_text_from_json(const Json& row, const std::string& where);

}  // namespace craft
