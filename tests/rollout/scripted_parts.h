// Systems, revisers and a judge that do what a test says, for the tests of methods.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "rollout/methods.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {

// Answers as a function of what it is asked, and keeps what it was asked.
class ScriptedSystem : public System {
public:
    struct Ask {
        std::vector<Message> messages;
        uint64_t item, sample;
        SamplingOptions sampling;
    };
    using Answer = std::function<Reply(const Ask& ask, size_t number)>;  // number: how many were asked before
    explicit ScriptedSystem(Answer answer) : answer_(std::move(answer)) {}
    // The same text for ever.
    explicit ScriptedSystem(const std::string& text)
        : ScriptedSystem([text](const Ask&, size_t) { return Reply{.text = text}; }) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            asks.push_back(
                {messages_from_json(request.conversation.messages, "request"), request.item, request.sample, sampling});
            replies.push_back(answer_(asks.back(), asks.size() - 1));
        }
        batches.push_back(requests.size());
        report_all(replies, sink);
        return replies;
    }
    std::string name() const override { return "scripted"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    std::vector<Ask> asks;
    std::vector<size_t> batches;

private:
    Answer answer_;
};

class ScriptedReviser : public Reviser {
public:
    using Revise = std::function<Revised(const RevisionRequest& request, size_t number)>;
    explicit ScriptedReviser(Revise revise) : revise_(std::move(revise)) {}
    std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override {
        std::vector<Revised> revised;
        for (const RevisionRequest& request : requests) {
            asks.push_back(request);
            asks.back().response = nullptr;  // lives no longer than the call
            revised.push_back(revise_(request, asks.size() - 1));
        }
        return revised;
    }
    std::string name() const override { return "scripted"; }
    std::vector<RevisionRequest> asks;

private:
    Revise revise_;
};

// S_r is higher the more letters "a" a revision has: 10 points each, up to 100.
class CountingScorer : public Scorer {
public:
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override {
        std::vector<double> values;
        for (const ScoredPair& pair : pairs)
            values.push_back(static_cast<double>(std::count(pair.hypothesis.begin(), pair.hypothesis.end(), 'a')));
        return values;
    }
    std::string name() const override { return "letters"; }
};

inline Judge counting_judge() {
    return {RewardOptions{},
            {{std::make_shared<CountingScorer>(), [](double value, double) { return std::min(100.0, 10 * value); }}}};
}

// Everything that a method needs, on the shipped feedback and a short prompt.
struct ScriptedParts {
    ScriptedParts(System* planner, Reviser* reviser, Judge made = Judge(RewardOptions{}, {})) : judge(std::move(made)) {
        parts = {planner, reviser, &judge, &prompt, &feedback};
    }
    ScriptedParts(const ScriptedParts&) = delete;
    ScriptedParts& operator=(const ScriptedParts&) = delete;
    Judge judge;
    PromptTemplate prompt{"{instruction}\n{text}"};
    WordingTable feedback = WordingTable::load(kShare / "prompts" / "feedback.json");
    MethodParts parts;
};

inline Instruction scripted_task(const std::string& text, const std::string& id = "a") {
    Instruction task;
    task.id = id;
    task.instruction = "Use at most 3 sentences and avoid 'river':";
    task.text = text;
    return task;
}

}  // namespace craft
