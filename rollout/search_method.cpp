// TG-MCTS on planner, reviser and tools: what expands a leaf, and what a result is told as (CRAFT §5.2, App. D.5).
#include <algorithm>
#include <map>

#include "core/error.h"
#include "rollout/methods.h"
#include "rollout/tree/tree_json.h"

namespace craft {

namespace {

Json candidate_payload(const StepResult& step, const Step& observed, const Round& round) {
    Json payload = to_json(round);
    payload.erase("text");  // the node's revision
    if (!observed.feedback.empty()) payload["feedback"] = observed.feedback;
    payload["observation"] = observed.observation;
    payload["tokens"] = {{"prompt", step.reply.usage.prompt_tokens},
                         {"cached", step.reply.usage.cached_tokens},
                         {"new", step.reply.usage.new_tokens}};
    return payload;
}

class StepExpander : public Expander {
public:
    StepExpander(const Instruction& task, const MethodParts& parts, const MethodOptions& options, RevisionResult& result)
        : task_(task),
          parts_(parts),
          options_(options),
          result_(result),
          preserve_(keywords_to_preserve(task.text, options.preserve)),
          conditions_(ask_for_conditions(task, parts, options, result)) {
        if (!options.use_plan) return;
        start_ = start_of(task, parts);
        SamplingOptions sampled = options.planner;
        sampled.temperature = options.search_temperature;
        responder_.emplace(*parts.planner, sampled);
        stepper_.emplace(*responder_, *parts.reviser, *parts.judge);
    }

    std::vector<std::vector<ChildCandidate>> expand(const SearchTree& tree, const std::vector<int64_t>& leaves,
                                                    int64_t samples) override {
        ask_for_suggestions(tree, leaves);
        std::vector<Trajectory> histories;
        histories.reserve(leaves.size());
        for (const int64_t leaf : leaves) histories.push_back(history_of(path_to(tree, leaf)));
        const std::vector<StepResult> steps = next_steps(histories, leaves, samples);
        std::vector<std::vector<ChildCandidate>> candidates(leaves.size());
        for (size_t i = 0; i < steps.size(); ++i) {
            const size_t leaf = i / static_cast<size_t>(samples);
            candidates[leaf].push_back(candidate(steps[i]));
            if (i % static_cast<size_t>(samples) == 0 && options_.use_plan) {
                std::vector<const Reply*> replies;
                for (size_t k = i; k < i + static_cast<size_t>(samples); ++k) replies.push_back(&steps[k].reply);
                note_tokens(result_.planner_tokens, replies);
            }
        }
        result_.cut_observations = responder_ ? responder_->cut_observations() : 0;
        return candidates;
    }

    // Suggestions of a model by the nodes that they were told of.
    const std::map<int64_t, std::string>& suggestions() const { return suggestions_; }

private:
    // Only what a planner continues from costs an answer; what lies above a leaf was asked for when it was one.
    void ask_for_suggestions(const SearchTree& tree, const std::vector<int64_t>& leaves) {
        if (parts_.text_feedback == nullptr) return;
        std::vector<int64_t> open;
        std::vector<std::string> texts;
        for (const int64_t leaf : leaves) {
            if (tree.node(leaf).is_root() || !suggestions_.emplace(leaf, "").second) continue;
            open.push_back(leaf);
            texts.push_back(tree.node(leaf).revision);
        }
        const std::vector<TextFeedback> told = parts_.text_feedback->of(texts);
        for (size_t i = 0; i < open.size(); ++i) {
            suggestions_[open[i]] = told[i].lines;
            note_feedback(result_, told[i]);
        }
    }
    static std::vector<const Node*> path_to(const SearchTree& tree, int64_t leaf) {
        std::vector<const Node*> path;
        for (const Node* node = &tree.node(leaf); !node->is_root(); node = &tree.node(node->parent)) path.push_back(node);
        std::reverse(path.begin(), path.end());
        return path;
    }
    Trajectory history_of(const std::vector<const Node*>& path) const {
        Trajectory history = start_;
        for (const Node* node : path) {
            Step step;
            step.response = node->payload.value("response", "");
            step.observation = node->payload.value("observation", "");
            step.revision = node->revision;
            if (const auto told = suggestions_.find(node->id); told != suggestions_.end()) {
                step.feedback = node->payload.value("feedback", "");
                add_to_step(step, told->second, *parts_.feedback);
            }
            history.steps.push_back(std::move(step));
        }
        return history;
    }
    std::vector<StepResult> next_steps(const std::vector<Trajectory>& histories, const std::vector<int64_t>& leaves,
                                       int64_t samples) {
        if (!options_.use_plan) {
            std::vector<StepResult> steps;
            for (size_t i = 0; i < histories.size(); ++i) {
                const std::string& text = histories[i].steps.empty() ? task_.text : histories[i].steps.back().revision;
                auto some = revise_freely(task_, {text}, samples, first_sample(leaves[i], samples), parts_);
                std::move(some.begin(), some.end(), std::back_inserter(steps));
            }
            return steps;
        }
        std::vector<StepRequest> asks;
        for (size_t i = 0; i < histories.size(); ++i)
            for (int64_t k = 0; k < samples; ++k)
                asks.push_back({&histories[i], first_sample(leaves[i], samples) + static_cast<uint64_t>(k)});
        return stepper_->next(asks);
    }
    // Each leaf draws from streams of its own, whose numbers follow each other: the samples share a prompt.
    static uint64_t first_sample(int64_t leaf, int64_t samples) { return static_cast<uint64_t>(leaf * samples); }

    ChildCandidate candidate(const StepResult& step) {
        const Round round = note_round(result_, step, conditions_, preserve_);
        if (!round.unusable.empty() && round.text == task_.text) unrevised_ = round;
        ChildCandidate candidate;
        candidate.revision = round.text;
        candidate.failure = round.unusable;
        candidate.r_g = round.s_r.value_or(0) / 100;
        candidate.r_c = round.conditions.share();
        const Step told = options_.use_plan ? observed(step, parts_, options_) : Step{};
        candidate.payload = candidate_payload(step, told, round);
        return candidate;
    }

    const Instruction& task_;
    const MethodParts& parts_;
    const MethodOptions& options_;
    RevisionResult& result_;
    std::vector<std::string> preserve_;
    ParsedCalls conditions_;  // of the whole tree
    Trajectory start_;        // which a planner is asked from; without one nobody reads it
    std::optional<SystemResponder> responder_;
    std::optional<Stepper> stepper_;
    std::optional<Round> unrevised_;  // what the text as it was scores, where an answer could not be used
    std::map<int64_t, std::string> suggestions_;

    friend RevisionResult craft::search_revision(const Instruction&, const MethodParts&, const MethodOptions&);
};

Round round_of(const Node& node, const ParsedCalls& conditions, const Instruction& task, SentenceRule sentences,
               const std::vector<std::string>& preserve) {
    Round round;
    round.response = node.payload.value("response", "");
    round.text = node.revision;
    round.conditions =
        check_conditions(conditions, MeasuredText(task.text, sentences), MeasuredText(node.revision, sentences), preserve);
    const Json& scores = node.payload.at("scores");
    if (has_value(scores, "s_r")) round.s_r = scores["s_r"].get<double>();
    if (scores.contains("raw_quality")) round.quality = raw_quality_from_json(scores["raw_quality"], "search");
    return round;
}

}  // namespace

RevisionResult search_revision(const Instruction& task, const MethodParts& parts, const MethodOptions& options) {
    RevisionResult result;
    StepExpander expander(task, parts, options, result);
    SearchTree tree(task.text, Json::object(), options.search);
    const SearchResult found = search(tree, expander);
    result.tree = to_json(tree);
    for (const auto& [node, lines] : expander.suggestions())
        if (!lines.empty()) result.tree["nodes"][static_cast<size_t>(node)]["payload"]["text_feedback"] = lines;
    result.search = {{"ended", search_end_name(found.end)}, {"iterations", found.counts.iterations},
                     {"evaluated", found.counts.evaluated}, {"merged", found.counts.merged},
                     {"failed", found.counts.failed},       {"best_reward", found.best_by_iteration}};
    result.text = task.text;
    if (!found.best) {
        ++result.counted["unusable: every candidate"];
        if (expander.unrevised_) result.rounds.push_back(*expander.unrevised_);
        return result;
    }
    Json path = Json::array();
    std::vector<const Node*> nodes = StepExpander::path_to(tree, *found.best);
    for (const Node* node : nodes) {
        path.push_back(node->id);
        result.rounds.push_back(round_of(*node, expander.conditions_, task, parts.judge->sentences(), expander.preserve_));
        const auto told = expander.suggestions().find(node->id);
        if (told != expander.suggestions().end()) result.rounds.back().text_feedback = told->second;
    }
    result.search["path"] = std::move(path);
    result.search["reward"] = tree.reward(*nodes.back());
    result.text = result.rounds.back().text;
    return result;
}

}  // namespace craft
