#include "simplify/feedback_rounds.h"

#include <algorithm>

#include "judge/verdicts/combined_verdict.h"
#include "judge/verdicts/shown_text.h"

namespace craft {

namespace {

// The judge's last answer to a question about two texts.
std::string said_with(const std::vector<Judgement>& judgements) {
    for (const Judgement& judgement : judgements)
        if (!judgement.attempts.empty()) return judgement.attempts.back().reply;
    return "";
}

// Whether an answer is the question again and no text: it begins as delimited lines do, or has the beginning of a line of
// the question in it that neither the source nor the text before has.
bool is_echo(const std::string& answer, const std::string& asked, const std::string& source, const std::string& text) {
    constexpr size_t kBeginning = 20;  // bytes of a line: no text has so many of the report's after a ">" by chance
    const auto is_new = [&](const std::string& words) {
        return source.find(words) == std::string::npos && text.find(words) == std::string::npos;
    };
    if (answer.starts_with(">") && is_new(">")) return true;
    for (size_t at = 0; at < asked.size();) {
        const size_t end = std::min(asked.find('\n', at), asked.size());
        const std::string line = asked.substr(at, std::min(end - at, kBeginning));
        if (line.size() == kBeginning && is_new(line) && answer.find(line) != std::string::npos) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace

FeedbackRounds::FeedbackRounds(std::string name, System& system, const PromptFiles& prompts, SimplificationPolicy policy,
                               const ModelSimplifierOptions& model, FeedbackJudges judges, FeedbackRoundsOptions options)
    : first_(std::move(name), system, prompts, policy, model),
      asking_(system, prompts, model.sampling, form_of(policy)),
      prompt_(prompts, policy),
      wordings_(WordingTable::load(prompts.path("simplify_feedback.json"))),
      shots_(model.shots),
      judges_(judges),
      options_(std::move(options)) {}

Simplification FeedbackRounds::simplify(const SimplificationTask& task) const {
    Simplification made = first_.simplify(task);
    if (!made.failure.empty()) return made;
    made.first = made.text;
    for (int64_t number = 1; number <= options_.rounds; ++number) {
        made.rounds.push_back(round(task, made.text, static_cast<uint64_t>(number)));
        made.text = made.rounds.back().text;
    }
    return made;
}

Conversation FeedbackRounds::question(const SimplificationTask& task, const std::string& text,
                                      const std::string& report) const {
    const std::string shown = shown_text(report).text;
    if (options_.form == FeedbackForm::apart)
        return Conversation({{Role::system, wordings_.first("task")},
                             {Role::user, fill_in(wordings_.first("apart"), {{"source", shown_text(task.text).text},
                                                                             {"simplified", shown_text(text).text},
                                                                             {"report", shown}})}});
    Conversation conversation = prompt_.ask(task.text, shots_);
    const Conversation turns({{Role::assistant, text},
                              {Role::user, fill_in(wordings_.first("turn"), {{"report", shown}, {"source", task.text}})}});
    for (const Json& turn : turns.messages) conversation.messages.push_back(turn);
    return conversation;
}

CorrectionRound FeedbackRounds::round(const SimplificationTask& task, const std::string& text, uint64_t number) const {
    CorrectionRound made;
    made.text = text;
    CandidateReport report = judges_.reporter->report(task.id, task.text, text, number);
    made.report = std::move(report.text);
    made.no_report = std::move(report.problem);
    made.thinking = std::move(report.thinking);
    if (made.report.empty()) return made;
    Conversation conversation = question(task, text, made.report);
    const std::string asked = conversation.messages.back().at("content");
    Simplification answer = asking_.ask(std::move(conversation), task.text, task.item, number);
    made.answer = std::move(answer.text);
    made.no_answer = std::move(answer.failure);
    if (is_echo(made.answer, asked, task.text, text)) made.no_answer = "echo";
    made.noted = std::move(answer.noted);
    if (!made.no_answer.empty()) return made;
    judge(task, text, number, made);
    if (options_.kept == KeptText::last || made.verdict == "better") made.text = made.answer;
    return made;
}

void FeedbackRounds::judge(const SimplificationTask& task, const std::string& text, uint64_t number,
                           CorrectionRound& made) const {
    const std::string id = task.id + "#" + std::to_string(number);
    const CandidateGroup group{id, task.text, policy_name(prompt_.policy()), {{"before", text}, {"after", made.answer}}};
    const std::vector<Judgement> judgements = judges_.verdicts->judge(group, task.item);
    const CombinedVerdict said = combined_verdict(judgements, options_.aspect);
    made.judgement = said_with(judgements);
    if (said.verdict)
        made.verdict = said.verdict->best == 1 ? "better" : "worse";
    else
        made.no_verdict = said.reason;
}

}  // namespace craft
