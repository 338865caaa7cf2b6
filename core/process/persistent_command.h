// A command that answers JSON Lines, kept from one asking to the next: what it loads it loads once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/process/json_command.h"

namespace craft {

class CommandLife;

// Started when it is first asked, and ended (its input closed, and it is waited for) with this object. A command that
// answers only at the end of its input, which it shows by its silence (JsonCommandOptions::quiet_seconds), is shown that end
// and restarted for each later asking. For one thread at a time.
class PersistentCommand {
public:
    explicit PersistentCommand(JsonCommandOptions options);
    ~PersistentCommand();
    PersistentCommand(const PersistentCommand&) = delete;
    PersistentCommand& operator=(const PersistentCommand&) = delete;

    // As ask_json_command(); ids must differ from those of all askings before, so that a late answer to one of these is
    // known. An end between two askings is no restart. After a throw the command is restarted.
    JsonAnswers ask(const JsonRequests& requests, const JsonAnswerCheck& check);
    JsonAnswers ask(const std::vector<Json>& requests, const JsonAnswerCheck& check);
    int64_t lives() const { return lives_; }  // how often it was started

private:
    std::string ask_once(const JsonRequests& requests, const JsonAnswerCheck& check, std::vector<Json>& answers);

    JsonCommandOptions options_;
    std::unique_ptr<CommandLife> life_;
    enum class Manner { unknown, answers_at_once, answers_at_end } manner_ = Manner::unknown;
    int64_t lives_ = 0;
};

// Who asks such a command; it ends with the last copy of this.
JsonAsker persistent_command(JsonCommandOptions options);

}  // namespace craft
