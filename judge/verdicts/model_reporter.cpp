#include "judge/verdicts/model_reporter.h"

#include "core/error.h"
#include "core/rng.h"
#include "data/reply_text.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr uint64_t kReportsApart = 1000;  // samples of one question: rounds, of which there are far fewer

void read_report(const Reply& reply, CandidateReport& report) {
    report.thinking = reply.reasoning;
    std::string_view text = trim_view(reply.text);
    const bool has_thought = cut_thinking(text) || !reply.reasoning.empty();
    if (text.empty())
        report.problem = has_thought ? "thinking" : "empty";
    else if (invalid_utf8_at(text) != std::string_view::npos)
        report.problem = "not_utf8";
    else
        report.text = text;
}

}  // namespace

CandidateReport ModelReporter::report(const std::string& id, const std::string& source, const std::string& candidate,
                                      uint64_t round) const {
    ListwiseQuestion question = prompt_->question(source, candidate);
    CandidateReport report;
    Request request{std::move(question.conversation), stable_hash(id), round};
    SamplingOptions sampling = asking_.sampling;
    while (report.text.empty() && report.attempts < asking_.attempts) {
        if (report.attempts > 0 && sampling.temperature == 0) sampling.temperature = asking_.again_temperature;
        request.sample = round + static_cast<uint64_t>(report.attempts) * kReportsApart;
        report = {.text = {}, .problem = {}, .attempts = report.attempts + 1};
        const std::vector<Reply> replies = system_.answer({request}, sampling);
        if (replies.size() != 1) throw Error("judge " + name_, "1 reply", std::to_string(replies.size()));
        report.problem = replies[0].problem();
        if (!report.problem.empty()) {
            report.thinking = replies[0].reasoning;
            break;
        }
        read_report(replies[0], report);
    }
    report.noted = std::move(question.noted);
    return report;
}

}  // namespace craft
