#include "core/process/persistent_command.h"

#include <utility>

#include "core/log.h"
#include "core/process/command_life.h"
#include "core/utf8.h"

namespace craft {

PersistentCommand::PersistentCommand(JsonCommandOptions options) : options_(std::move(options)) {}

PersistentCommand::~PersistentCommand() = default;

// One life's part of an asking.
std::string PersistentCommand::ask_once(const JsonRequests& requests, const JsonAnswerCheck& check,
                                        std::vector<Json>& answers) {
    using Input = CommandLife::Input;
    if (life_ && life_->is_over()) life_.reset();
    if (!life_) {
        life_ = std::make_unique<CommandLife>(options_);
        ++lives_;
    }
    const Input input = manner_ == Manner::answers_at_end    ? Input::closed
                        : manner_ == Manner::answers_at_once ? Input::open
                                                             : Input::open_unless_quiet;
    std::string problem = life_->ask(requests, check, answers, input);
    if (manner_ != Manner::unknown || answers.size() < requests.count) return problem;
    if (life_->was_quiet()) {
        manner_ = Manner::answers_at_end;
        log_info("the command answers only at the end of its input: restarting it for each batch of requests",
                 {{"command", shortened(one_line(options_.command), 80)}});
    } else if (!life_->is_over()) {  // one that ended by itself has shown neither
        manner_ = Manner::answers_at_once;
    }
    return problem;
}

JsonAnswers PersistentCommand::ask(const JsonRequests& requests, const JsonAnswerCheck& check) {
    try {
        return ask_with_restarts(options_, requests, [&](std::vector<Json>& answers) {
            std::string problem = ask_once(requests, check, answers);
            if (answers.size() < requests.count) life_.reset();
            return problem;
        });
    } catch (...) {
        life_.reset();
        throw;
    }
}

JsonAnswers PersistentCommand::ask(const std::vector<Json>& requests, const JsonAnswerCheck& check) {
    return ask(requests_of(requests), check);
}

JsonAsker persistent_command(JsonCommandOptions options) {
    return [command = std::make_shared<PersistentCommand>(std::move(options))](
               const std::vector<Json>& requests, const JsonAnswerCheck& check) { return command->ask(requests, check); };
}

}  // namespace craft
