#include "simplify/model_simplifier.h"

namespace craft {

ModelSimplifier::ModelSimplifier(std::string name, System& system, const PromptFiles& prompts, SimplificationPolicy policy,
                                 ModelSimplifierOptions options)
    : name_(std::move(name)),
      system_(system),
      prompt_(prompts, policy),
      wordings_(WordingTable::load(prompts.path("simplify_replies.json"))),
      form_(policy == SimplificationPolicy::document ? SimplifiedForm::document : SimplifiedForm::sentence),
      options_(std::move(options)) {
    prompt_.ask("", options_.shots);  // more examples than there are: told now and not within the work
}

Simplification ModelSimplifier::simplify(const SimplificationTask& task) const {
    const Request request{.conversation = prompt_.ask(task.text, options_.shots), .item = task.item};
    const Reply reply = system_.answer({request}, options_.sampling).at(0);
    Simplification made;
    if (reply.status == Reply::Status::failed) {
        made.failure = failure_name(reply.failure);
        return made;
    }
    SimplificationReply read = read_simplification(reply.text, task.text, wordings_, form_);
    made.text = std::move(read.text);
    made.failure = std::move(read.unusable);
    made.noted = std::move(read.noted);
    if (!reply.reasoning.empty()) made.noted.insert(made.noted.begin(), "thinking");
    made.is_cut = reply.status == Reply::Status::cut;
    return made;
}

}  // namespace craft
