#include "judge/verdicts/listwise_judge.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr uint64_t kAttemptsApart = 1000;  // samples of one question: repeats, of which there are far fewer

// Questions that show other candidates, or in another order, have random streams of their own.
uint64_t question_key(const std::string& id, const std::vector<size_t>& order) {
    std::string key = id;
    for (const size_t candidate : order) key += "\n" + std::to_string(candidate);
    return stable_hash(key);
}

}  // namespace

std::string nothing_to_judge(const CandidateGroup& group, const std::vector<size_t>& order, bool sees_responses) {
    if (order.size() < 2) return "one candidate";
    const Candidate& first = group.candidates.at(order[0]);
    const bool equal = std::all_of(order.begin(), order.end(), [&](size_t candidate) {
        const Candidate& one = group.candidates.at(candidate);
        return one.text == first.text && (!sees_responses || one.response == first.response);
    });
    return equal ? "equal" : "";
}

ListwiseJudge::ListwiseJudge(System& system, std::string name, std::shared_ptr<const ListwisePrompt> prompt,
                             std::vector<std::string> needed, ChoiceAsking asking)
    : system_(system),
      name_(std::move(name)),
      prompt_(std::move(prompt)),
      needed_(std::move(needed)),
      asking_(std::move(asking)) {
    const std::vector<std::string> known = aspects();
    for (const std::string& aspect : needed_)
        if (std::find(known.begin(), known.end(), aspect) == known.end()) throw_unknown("aspect", aspect, known);
    if (needed_.empty()) needed_ = known;
}

std::vector<std::string> ListwiseJudge::aspects() const {
    const std::vector<std::string> names = prompt_->guideline().aspect_names();
    return names.empty() ? std::vector<std::string>{""} : names;
}

JudgingAttempt ListwiseJudge::ask(const Request& request, const SamplingOptions& sampling, Judgement& judgement) const {
    const std::vector<Reply> replies = system_.answer({request}, sampling);
    if (replies.size() != 1) throw Error("judge " + name_, "1 reply", std::to_string(replies.size()));
    const Reply& reply = replies[0];
    JudgingAttempt attempt{.reply = reply.text, .thinking = reply.reasoning, .shown = judgement.order};
    judgement.reasons.clear();
    attempt.is_failed = reply.status == Reply::Status::failed;
    attempt.problem = reply.problem();
    if (!attempt.problem.empty()) {
        for (const std::string& aspect : aspects()) judgement.reasons[aspect] = attempt.problem;
        return attempt;
    }
    const std::vector<size_t>& order = judgement.order;
    const ListwiseReply read = read_listwise(reply.text, prompt_->guideline().aspect_names(), order.size());
    for (const auto& [aspect, verdict] : read.verdicts)
        attempt.verdicts[aspect] = {order[verdict.best], order[verdict.worst]};
    attempt.let_pass = read.let_pass;
    const bool only_thought = !reply.reasoning.empty() && trim_view(reply.text).empty();
    for (const auto& [aspect, problem] : read.problems) judgement.reasons[aspect] = only_thought ? "thinking" : problem;
    for (const std::string& aspect : needed_)
        if (judgement.reasons.contains(aspect) && attempt.problem.empty()) attempt.problem = judgement.reasons[aspect];
    return attempt;
}

Judgement ListwiseJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement;
    judgement.judge = name_;
    judgement.order = order;
    judgement.repeat = repeat;
    if (const std::string reason = nothing_to_judge(group, order, sees_responses()); !reason.empty()) {
        for (const std::string& aspect : aspects()) judgement.reasons[aspect] = reason;
        return judgement;
    }
    ListwiseQuestion question = prompt_->question(group, order);
    judgement.noted = std::move(question.noted);
    Request request{std::move(question.conversation), question_key(group.id, order), repeat};
    SamplingOptions sampling = asking_.sampling;
    for (int64_t number = 0; number < asking_.attempts; ++number) {
        if (number > 0 && sampling.temperature == 0) sampling.temperature = asking_.again_temperature;
        request.sample = repeat + static_cast<uint64_t>(number) * kAttemptsApart;
        judgement.attempts.push_back(ask(request, sampling, judgement));
        const JudgingAttempt& last = judgement.attempts.back();
        if (last.problem.empty() || last.is_failed || last.problem == "cut") break;  // the limit is final
    }
    judgement.verdicts = judgement.attempts.back().verdicts;
    return judgement;
}

}  // namespace craft
