#include "simplify/simplification_asking.h"

#include "simplify/simplification_reply.h"

namespace craft {

SimplifiedForm form_of(SimplificationPolicy policy) {
    return policy == SimplificationPolicy::document ? SimplifiedForm::document : SimplifiedForm::sentence;
}

SimplificationAsking::SimplificationAsking(System& system, const PromptFiles& prompts, SamplingOptions sampling,
                                           SimplifiedForm form)
    : system_(system),
      wordings_(WordingTable::load(prompts.path("simplify_replies.json"))),
      sampling_(std::move(sampling)),
      form_(form) {}

Simplification SimplificationAsking::ask(Conversation conversation, const std::string& source, uint64_t item,
                                         uint64_t sample) const {
    const Request request{.conversation = std::move(conversation), .item = item, .sample = sample};
    const Reply reply = system_.answer({request}, sampling_).at(0);
    Simplification made;
    made.failure = reply.problem();
    if (!made.failure.empty()) return made;
    SimplificationReply read = read_simplification(reply.text, source, wordings_, form_);
    made.text = std::move(read.text);
    made.failure = std::move(read.unusable);
    made.noted = std::move(read.noted);
    note_leniency(made.noted, "thinking", !reply.reasoning.empty());
    return made;
}

}  // namespace craft
