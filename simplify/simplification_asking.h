// A system asked for a simplified text, and its answer read.
#pragma once

#include "data/conversation.h"
#include "simplify/policy.h"
#include "simplify/simplification_reply.h"
#include "simplify/text_simplifier.h"
#include "systems/prompt_files.h"
#include "systems/system.h"
#include "text/wording_table.h"

namespace craft {

// What a policy's answers are.
SimplifiedForm form_of(SimplificationPolicy policy);

class SimplificationAsking {
public:
    // `system` must outlive it. Throws Error as WordingTable::load() does on simplify_replies.json.
    SimplificationAsking(System& system, const PromptFiles& prompts, SamplingOptions sampling,
                         SimplifiedForm form = SimplifiedForm::sentence);
    // `source`: the text that is simplified, as read_simplification() takes it. `sample` keys the random stream together
    // with the item. Throws what the system throws.
    Simplification ask(Conversation conversation, const std::string& source, uint64_t item, uint64_t sample) const;

private:
    System& system_;
    WordingTable wordings_;
    SamplingOptions sampling_;
    SimplifiedForm form_;
};

}  // namespace craft
