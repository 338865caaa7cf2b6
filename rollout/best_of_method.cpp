// Several revisions of one text, of which the best by the search's own reward is taken: at as many tokens as a search this
// is what the search has to beat.
#include "rollout/methods.h"

namespace craft {

namespace {

class BestOf {
public:
    BestOf(const Instruction& task, const MethodParts& parts, const MethodOptions& options)
        : task_(task), parts_(parts), options_(options), preserve_(keywords_to_preserve(task.text, options.preserve)) {}

    RevisionResult run() {
        result_.text = task_.text;
        conditions_ = ask_for_conditions(task_, parts_, options_, result_);
        for (bool goes_on = true; goes_on;) {
            const int64_t before = tokens();
            const int64_t count = options_.tokens ? 1 : options_.samples;
            for (const StepResult& step : draw(count)) take(step);
            // Where an answer costs nothing, as of a server that fails, no number of them comes to the tokens asked for.
            goes_on = options_.tokens && tokens() < *options_.tokens && tokens() > before;
        }
        result_.search = {{"iterations", rewards_.size()}, {"rewards", rewards_}};
        if (!best_) {
            ++result_.counted["unusable: every candidate"];
            if (unrevised_) result_.rounds.push_back(*unrevised_);
            return std::move(result_);
        }
        result_.search["sample"] = best_sample_;
        result_.search["reward"] = best_reward_;
        result_.text = best_->text;
        result_.rounds.push_back(std::move(*best_));
        return std::move(result_);
    }

private:
    int64_t tokens() const { return result_.cost.input_tokens + result_.cost.output_tokens; }
    std::vector<StepResult> draw(int64_t count) {
        const auto first = static_cast<uint64_t>(rewards_.size());
        if (!options_.use_plan) return revise_freely(task_, {task_.text}, count, first, parts_);
        SamplingOptions sampled = options_.planner;
        sampled.temperature = options_.search_temperature;
        SystemResponder responder(*parts_.planner, sampled);
        const Trajectory start = start_of(task_, parts_);
        std::vector<StepRequest> asks;
        for (int64_t k = 0; k < count; ++k) asks.push_back({&start, first + static_cast<uint64_t>(k)});
        std::vector<StepResult> steps = Stepper(responder, *parts_.reviser, *parts_.judge).next(asks);
        std::vector<const Reply*> replies;  // which share their prompt
        for (const StepResult& step : steps) replies.push_back(&step.reply);
        note_tokens(result_.planner_tokens, replies);
        return steps;
    }
    void take(const StepResult& step) {
        Round round = note_round(result_, step, conditions_, preserve_);
        if (!round.unusable.empty()) {
            rewards_.push_back(nullptr);
            unrevised_ = std::move(round);
            return;
        }
        Node node;
        node.r_g = round.s_r.value_or(0) / 100;
        node.r_c = round.conditions.share();
        const double own = reward(node, options_.search);
        rewards_.push_back(own);
        if (best_ && own <= best_reward_) return;  // the earliest of equals
        best_reward_ = own;
        best_sample_ = rewards_.size() - 1;
        best_ = std::move(round);
    }

    const Instruction& task_;
    const MethodParts& parts_;
    const MethodOptions& options_;
    std::vector<std::string> preserve_;
    RevisionResult result_;
    ParsedCalls conditions_;
    Json rewards_ = Json::array();  // one a sample; null of those that are unusable
    std::optional<Round> best_, unrevised_;
    double best_reward_ = 0;
    size_t best_sample_ = 0;
};

}  // namespace

RevisionResult best_of_revisions(const Instruction& task, const MethodParts& parts, const MethodOptions& options) {
    return BestOf(task, parts, options).run();
}

}  // namespace craft
