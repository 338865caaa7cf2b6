#include "judge/verdicts/joint_judge.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"
#include "judge/verdicts/extremes.h"
#include "judge/verdicts/joint_reply.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/shown_text.h"
#include "text/wording_table.h"

namespace craft {

namespace {

constexpr uint64_t kJointAttemptsApart = 1000;  // samples of one question: repeats, of which there are far fewer

// In a JSON string nothing can end a text, so that its lines need no marks.
std::string shown_in_json(const std::string& text, std::map<std::string, int64_t>& noted) {
    const ShownText shown = shown_text(text);
    for (const std::string& kind : shown.noted) ++noted[kind];
    std::string plain;
    for (size_t at = 0; at < shown.text.size();) {
        const size_t end = std::min(shown.text.find('\n', at), shown.text.size());
        std::string_view line = std::string_view(shown.text).substr(at, end - at);
        for (const char* mark : {">", " "})
            if (line.starts_with(mark)) line.remove_prefix(1);
        plain.append(at == 0 ? "" : "\n").append(line);
        at = end + 1;
    }
    return plain;
}

// Other candidates, or another order, have random streams of their own.
uint64_t joint_key(const CandidateGroup& group, const MarkScale& scale, const std::vector<size_t>& order) {
    std::string key = group.id + "\n" + scale.question;
    for (const size_t candidate : order) key += "\n" + std::to_string(candidate);
    return stable_hash(key);
}

}  // namespace

JointPrompt::JointPrompt(const PromptFiles& prompts, const std::string& aspect)
    : scales_(scales_beside(aspect)), prompt_(prompts.text("joint." + mark_scale(aspect).question + ".txt", {"input"})) {}

JointQuestion JointPrompt::question(const CandidateGroup& group, const std::vector<size_t>& order) const {
    JointQuestion question;
    Json input = {{"id", group.id}, {"original_input", shown_in_json(group.source, question.noted)}};
    std::map<std::string, size_t> seen;
    for (const size_t candidate : order) {
        const std::string& text = group.candidates.at(candidate).text;
        const auto [found, is_new] = seen.emplace(text, question.names.size());
        question.text_of.push_back(found->second);
        if (!is_new) continue;
        question.names.push_back("output_" + std::to_string(question.names.size() + 1));
        input[question.names.back()] = shown_in_json(text, question.noted);
    }
    question.prompt = fill_in(prompt_, {{"input", dump_line(input)}});
    return question;
}

JointJudge::JointJudge(System& system, std::string name, const PromptFiles& prompts, std::string aspect, ChoiceAsking asking,
                       bool marks_all)
    : system_(system),
      name_(std::move(name)),
      aspect_(std::move(aspect)),
      prompt_(prompts, aspect_),
      asking_(std::move(asking)),
      marks_all_(marks_all) {}

JudgingAttempt JointJudge::ask(const Request& request, const SamplingOptions& sampling, const CandidateGroup& group,
                               const JointQuestion& question, Judgement& judgement) const {
    const std::vector<Reply> replies = system_.answer({request}, sampling);
    if (replies.size() != 1) throw Error("judge " + name_, "1 reply", std::to_string(replies.size()));
    const Reply& reply = replies[0];
    JudgingAttempt attempt{.reply = reply.text,
                           .thinking = reply.reasoning,
                           .problem = reply.problem(),
                           .is_failed = reply.status == Reply::Status::failed,
                           .shown = judgement.order};
    if (!attempt.problem.empty()) return attempt;
    const JointReply read = read_joint(reply.text, group.id, question.names, prompt_.scales());
    attempt.let_pass = read.let_pass;
    attempt.problem = read.problem;
    if (!attempt.problem.empty()) return attempt;
    for (const MarkScale& scale : prompt_.scales()) {
        std::vector<std::optional<double>>& marks = judgement.marks[scale.name];
        marks.resize(group.candidates.size());
        std::map<size_t, double> places;
        for (size_t i = 0; i < judgement.order.size(); ++i) {
            const size_t place = read.marks.at(question.text_of[i]).at(scale.name);
            marks[judgement.order[i]] = scale.figure(place);
            places[judgement.order[i]] = static_cast<double>(place);
        }
        if (const auto verdict = extremes(places)) attempt.verdicts[scale.name] = *verdict;
        if (scale.name != aspect_) continue;
        judgement.scores.resize(marks.size());
        for (const auto& [candidate, place] : places) judgement.scores[candidate] = place;
    }
    return attempt;
}

void JointJudge::conclude(const std::string& nothing, Judgement& judgement) const {
    const JudgingAttempt& last = judgement.attempts.back();
    judgement.verdicts = last.verdicts;
    const std::string without = nothing.empty() ? "tie" : nothing;
    for (const MarkScale& scale : prompt_.scales())
        if (!judgement.verdicts.contains(scale.name))
            judgement.reasons[scale.name] = last.problem.empty() ? without : last.problem;
}

Judgement JointJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement;
    judgement.judge = name_;
    judgement.order = order;
    judgement.repeat = repeat;
    const std::string nothing = nothing_to_judge(group, order);
    if (!nothing.empty() && !marks_all_) {
        for (const MarkScale& scale : prompt_.scales()) judgement.reasons[scale.name] = nothing;
        return judgement;
    }
    const JointQuestion question = prompt_.question(group, order);
    judgement.noted = question.noted;
    Request request{Conversation({Message{Role::user, question.prompt}}), joint_key(group, mark_scale(aspect_), order), 0};
    SamplingOptions sampling = asking_.sampling;
    for (int64_t number = 0; number < asking_.attempts; ++number) {
        if (number > 0 && sampling.temperature == 0) sampling.temperature = asking_.again_temperature;
        request.sample = repeat + static_cast<uint64_t>(number) * kJointAttemptsApart;
        judgement.attempts.push_back(ask(request, sampling, group, question, judgement));
        const JudgingAttempt& last = judgement.attempts.back();
        if (last.problem.empty() || last.is_failed || last.problem == "cut") break;  // the limit is final
    }
    conclude(nothing, judgement);
    return judgement;
}

}  // namespace craft
