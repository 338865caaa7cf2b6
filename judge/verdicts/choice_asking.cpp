#include "judge/verdicts/choice_asking.h"

#include "core/error.h"

namespace craft {

namespace {

constexpr uint64_t kSamplesApart = 1000;  // attempts of one question, whose own samples are far fewer

}  // namespace

Json to_json(const ChoiceAnswer& answer) {
    Json attempts = Json::array();
    for (const ChoiceAttempt& attempt : answer.attempts) {
        const ChoiceReply& read = attempt.read;
        attempts.push_back({{"reply", attempt.reply},
                            {"choice", value_or_null(read.choice)},
                            {"problem", read.problem},
                            {"let_pass", read.let_pass},
                            {"failed", attempt.is_failed},
                            {"thinking", attempt.thinking}});
    }
    return {{"choice", value_or_null(answer.choice)}, {"attempts", std::move(attempts)}};
}

ChoiceAnswer choice_answer_from_json(const Json& row) {
    const auto choice_of = [](const Json& object) {
        const Json& choice = object.at("choice");
        return choice.is_null() ? std::nullopt : std::optional(choice.get<size_t>());
    };
    ChoiceAnswer answer{choice_of(row), {}};
    for (const Json& one : row.at("attempts")) {
        ChoiceReply read{choice_of(one), one.at("problem").get<std::string>(), one.at("let_pass").get<Leniency>()};
        answer.attempts.push_back({one.at("reply").get<std::string>(), std::move(read), one.at("failed").get<bool>(),
                                   one.at("thinking").get<std::string>()});
    }
    return answer;
}

ChoiceAnswer ask_choice(System& system, const std::string& prompt, uint64_t item, uint64_t sample,
                        const std::vector<std::string>& words, const ChoiceAsking& asking) {
    ChoiceAnswer answer;
    SamplingOptions sampling = asking.sampling;
    for (int64_t attempt = 0; attempt < asking.attempts && !answer.choice; ++attempt) {
        if (attempt > 0 && sampling.temperature == 0) sampling.temperature = asking.again_temperature;
        const Request request{Conversation({Message{Role::user, prompt}}), item,
                              sample + static_cast<uint64_t>(attempt) * kSamplesApart};
        const std::vector<Reply> replies = system.answer({request}, sampling);
        if (replies.size() != 1) throw Error("judge " + system.name(), "1 reply", std::to_string(replies.size()));
        const Reply& reply = replies[0];
        if (const std::string problem = reply.problem(); !problem.empty()) {
            const bool is_failed = reply.status == Reply::Status::failed;
            answer.attempts.push_back({reply.text, {std::nullopt, problem, {}}, is_failed, reply.reasoning});
            break;
        }
        answer.attempts.push_back({reply.text, read_choice(reply.text, words), false, reply.reasoning});
        answer.choice = answer.attempts.back().read.choice;
    }
    return answer;
}

void ChoiceCounts::add(const ChoiceAnswer& answer) {
    ++questions;
    answers += static_cast<int64_t>(answer.attempts.size());
    asked_again += static_cast<int64_t>(answer.attempts.size()) - 1;
    unread += answer.choice ? 0 : 1;
    failed += !answer.attempts.empty() && answer.attempts.back().is_failed ? 1 : 0;
    for (const ChoiceAttempt& attempt : answer.attempts) {
        if (!attempt.read.choice) ++malformed[attempt.read.problem];
        add_leniency(let_pass, attempt.read.let_pass);
    }
}

void ChoiceCounts::add(const ChoiceCounts& others) {
    questions += others.questions;
    answers += others.answers;
    asked_again += others.asked_again;
    unread += others.unread;
    failed += others.failed;
    for (const auto& [kind, count] : others.malformed) malformed[kind] += count;
    add_leniency(let_pass, others.let_pass);
}

Json to_json(const ChoiceCounts& counts) {
    return {{"questions", counts.questions}, {"answers", counts.answers}, {"asked_again", counts.asked_again},
            {"unread", counts.unread},       {"failed", counts.failed},   {"malformed", counts.malformed},
            {"let_pass", counts.let_pass}};
}

}  // namespace craft
