#include "rollout/methods.h"

#include "rollout/feedback.h"

namespace craft {

namespace {

std::vector<std::string> written_calls(const ParsedCalls& calls) {
    std::vector<std::string> written;
    for (const ParsedCall& call : calls.calls) written.push_back(call.text);
    return written;
}

// Sentence by sentence; what is between them stays. A sentence whose revision is unusable keeps its words.
StepResult by_sentence(const Instruction& task, const MethodParts& parts) {
    std::vector<std::string> sentences;
    const SentenceRule rule = parts.judge->sentences();
    const std::vector<std::string_view> views = sentence_views(task.text, rule);
    for (const std::string_view view : views) sentences.emplace_back(view);
    std::vector<RevisionRequest> requests;
    Trajectory history;
    history.instruction = task;
    for (const std::string& sentence : sentences)
        requests.push_back({sentence, sentence, nullptr, step_key(history), task.instruction, requests.size()});
    const std::vector<Revised> revised = revise_all(*parts.reviser, requests);
    Revised whole;
    size_t copied = 0, usable = 0;
    for (size_t i = 0; i < views.size(); ++i) {
        const auto begin = static_cast<size_t>(views[i].data() - task.text.data());
        whole.text.append(task.text, copied, begin - copied).append(revised[i].text);
        copied = begin + views[i].size();
        usable += revised[i].is_usable() ? 1 : 0;
        add_leniency(whole.noted, revised[i].noted);
        whole.usage.insert(whole.usage.end(), revised[i].usage.begin(), revised[i].usage.end());
        if (!revised[i].is_usable()) ++whole.noted["sentence " + revised[i].unusable];
    }
    whole.text.append(task.text, copied);
    if (usable == 0) whole.unusable = revised.empty() ? "empty" : revised.front().unusable;
    auto original = std::make_shared<const MeasuredText>(task.text, rule);
    MeasuredText revision(whole.text, rule);
    StepResult result{{}, ParsedResponse(""), std::move(original), std::move(revision), std::move(whole), {}};
    result.judged = parts.judge->judge({{&task, &result.response.calls, result.original.get(), &result.revision}}).at(0);
    return result;
}

RevisionResult revise_directly(const Instruction& task, const MethodParts& parts, const MethodOptions& options) {
    RevisionResult result;
    const StepResult step =
        options.by_sentence ? by_sentence(task, parts) : std::move(revise_freely(task, {task.text}, 1, 0, parts).at(0));
    result.rounds.push_back(note_round(result, step, {}, keywords_to_preserve(task.text, options.preserve)));
    return result;
}

// Says what it was given.
class GivenResponder : public Responder {
public:
    explicit GivenResponder(const Reply& response) : response_(response) {}
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override { return {asks.size(), response_}; }
    std::string name() const override { return "given"; }

private:
    const Reply& response_;
};

// What a planner reads of a step, a model's suggestions included where they are asked for. The step's round is the last one.
Step told(const StepResult& step, const MethodParts& parts, const MethodOptions& options, RevisionResult& result) {
    Step told = observed(step, parts, options);
    if (parts.text_feedback == nullptr) return told;
    const TextFeedback more = std::move(parts.text_feedback->of({told.revision}).at(0));
    note_feedback(result, more);
    result.rounds.back().text_feedback = more.lines;
    add_to_step(told, more.lines, *parts.feedback);
    return told;
}

// Rounds of planning, revising and observing (CRAFT §6.1 "Iter"; one: "Plan").
RevisionResult revise_by_plans(const Instruction& task, Responder& responder, const MethodParts& parts,
                               const MethodOptions& options, int64_t rounds) {
    RevisionResult result;
    const std::vector<std::string> preserve = keywords_to_preserve(task.text, options.preserve);
    Stepper stepper(responder, *parts.reviser, *parts.judge);
    Trajectory history = start_of(task, parts);
    std::optional<ParsedCalls> conditions;  // of the first response, and of all rounds
    for (int64_t round = 0; round < rounds; ++round) {
        const StepResult step = std::move(stepper.next({{&history, 0}}).at(0));
        // An answer that never came, or was cut, asks for nothing, and is no turn of the conversation.
        const bool came = step.reply.problem().empty();
        if (!conditions && came) conditions = step.response.calls;
        result.rounds.push_back(note_round(result, step, conditions.value_or(ParsedCalls()), preserve));
        note_tokens(result.planner_tokens, {&step.reply});
        if (step.reply.status == Reply::Status::cut) break;  // as it would be again
        if (came && round + 1 < rounds) history.steps.push_back(told(step, parts, options, result));
    }
    if (conditions) result.calls = written_calls(*conditions);
    return result;
}

RevisionResult revise_in_rounds(const Instruction& task, const MethodParts& parts, const MethodOptions& options,
                                int64_t rounds) {
    if (options.use_plan) {
        SystemResponder responder(*parts.planner, options.planner);
        RevisionResult result = revise_by_plans(task, responder, parts, options, rounds);
        result.cut_observations = responder.cut_observations();
        return result;
    }
    RevisionResult result;
    const std::vector<std::string> preserve = keywords_to_preserve(task.text, options.preserve);
    std::string text = task.text;
    for (int64_t round = 0; round < rounds; ++round) {
        const StepResult step = std::move(revise_freely(task, {text}, 1, static_cast<uint64_t>(round), parts).at(0));
        result.rounds.push_back(note_round(result, step, {}, preserve));
        text = result.rounds.back().text;
    }
    return result;
}

}  // namespace

bool needs_planner(const MethodOptions& o) {
    const bool plans_freely = o.method == Method::iter || o.method == Method::best_of || o.method == Method::search;
    return o.method == Method::plan || (plans_freely && o.use_plan);
}

bool needs_free_reviser(const MethodOptions& o) {
    return !needs_planner(o);
}

Trajectory start_of(const Instruction& task, const MethodParts& parts) {
    Trajectory history;
    history.instruction = task;
    history.prompt = parts.prompt->render(task);
    return history;
}

ParsedCalls ask_for_conditions(const Instruction& task, const MethodParts& parts, const MethodOptions& options,
                               RevisionResult& result) {
    if (!options.use_plan) return {};
    SystemResponder greedy(*parts.planner, options.planner);
    const Trajectory start = start_of(task, parts);
    const Reply reply = std::move(greedy.respond({{&start, 0}}).at(0));
    const std::string problem = reply.problem();
    const ParsedResponse response(problem.empty() ? reply.text : "");
    note_step(result, reply, response, {});
    note_tokens(result.planner_tokens, {&reply});
    if (!problem.empty()) ++result.counted["unusable: " + problem];
    result.calls = written_calls(response.calls);
    return response.calls;
}

Step observed(const StepResult& step, const MethodParts& parts, const MethodOptions& options) {
    if (options.use_feedback) return step.observed_step(*parts.feedback, options.preserve.find_names);
    Step plain = step.step();
    plain.observation = observation_text(plain.revision, "", *parts.feedback);
    return plain;
}

std::vector<StepResult> revise_freely(const Instruction& task, const std::vector<std::string>& texts, int64_t samples,
                                      uint64_t first_sample, const MethodParts& parts) {
    Trajectory history;
    history.instruction = task;
    std::vector<RevisionRequest> requests;
    for (const std::string& text : texts)
        for (int64_t k = 0; k < samples; ++k)
            requests.push_back({text, task.text, nullptr, step_key(history), task.instruction,
                                first_sample + static_cast<uint64_t>(requests.size())});
    std::vector<Revised> revised = revise_all(*parts.reviser, requests);
    const auto original = std::make_shared<const MeasuredText>(task.text, parts.judge->sentences());
    std::vector<StepResult> results;
    results.reserve(revised.size());
    std::vector<Revision> to_judge;
    for (Revised& one : revised) {
        MeasuredText revision(one.text, parts.judge->sentences());
        results.push_back({{}, ParsedResponse(""), original, std::move(revision), std::move(one), {}});
        to_judge.push_back({&task, &results.back().response.calls, original.get(), &results.back().revision});
    }
    const std::vector<Judged> judged = parts.judge->judge(to_judge);
    for (size_t i = 0; i < results.size(); ++i) results[i].judged = judged.at(i);
    return results;
}

RevisionResult revise_by_response(const Instruction& task, const Reply& response, const MethodParts& parts,
                                  const MethodOptions& options) {
    GivenResponder responder(response);
    RevisionResult result = revise_by_plans(task, responder, parts, options, 1);
    result.text = result.rounds.back().text;
    return result;
}

RevisionResult revise_text(const Instruction& task, const MethodParts& parts, const MethodOptions& options) {
    RevisionResult result;
    switch (options.method) {
        case Method::direct:
        case Method::cot:
            result = revise_directly(task, parts, options);
            break;
        case Method::plan:
            result = revise_in_rounds(task, parts, options, 1);
            break;
        case Method::iter:
            result = revise_in_rounds(task, parts, options, options.rounds);
            break;
        case Method::best_of:
            return best_of_revisions(task, parts, options);
        case Method::search:
            return search_revision(task, parts, options);
    }
    result.text = result.rounds.back().text;
    return result;
}

}  // namespace craft
