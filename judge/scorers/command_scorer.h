// A scorer that is a command of the user's: LENS, LENS-SALSA, and whatever is no model of ours
// (core/process/json_command.h).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/process/persistent_command.h"
#include "judge/scorers/scorer.h"
#include "metrics/external_metric.h"

namespace craft {

// Each pair goes to the command as {"id","source","prediction","references":[]} per line, and {"id","score"} comes back in
// the same order; more is better. A pair is asked for once, however often and in however many calls it comes. The command is
// kept from call to call (core/process/persistent_command.h), and ids count on.
class CommandScorer : public Scorer {
public:
    explicit CommandScorer(JsonCommandOptions command) : ask_(persistent_command(std::move(command))) {}

    // Throws Error as ask_external_scorer() does, and PersistentCommand::ask().
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    bool is_best_asked_once() const override { return true; }
    std::string name() const override { return "external"; }
    std::optional<std::pair<double, double>> scale() const override { return said_.scale; }

private:
    JsonAsker ask_;
    size_t asked_ = 0;  // pairs so far
    std::unordered_map<std::string, double> known_;
    ExternalScores said_;  // without scores
};

}  // namespace craft
