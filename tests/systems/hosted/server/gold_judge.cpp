#include "tests/systems/hosted/server/gold_judge.h"

#include <algorithm>
#include <utility>

#include "core/rng.h"
#include "data/instruction.h"
#include "data/trajectory.h"
#include "tests/systems/hosted/server/judging_question.h"
#include "text/quoted_lines.h"
#include "tools/craft/tool_use.h"

namespace craft::chat_server {

namespace {

std::vector<double> tool_f1s(const std::vector<std::string>& responses, const std::vector<ToolCall>& gold) {
    std::vector<double> figures;
    for (const std::string& response : responses)
        figures.push_back(score_tool_use(ParsedResponse(response).calls, gold).tool_f1);
    return figures;
}

}  // namespace

GoldJudge::GoldJudge(const std::filesystem::path& instructions, const GoldJudgeOptions& options) : options_(options) {
    JsonLinesReader reader(instructions.string());
    while (const auto row = reader.next()) {
        const Instruction one = instruction_from_json(*row, reader.where());
        const auto [known, is_new] = gold_.try_emplace(quoted_lines(one.instruction).text(), one.gold_calls());
        if (!is_new && known->second != one.gold_calls()) known->second.reset();
    }
}

std::optional<std::string> GoldJudge::answer(const Json& body, int64_t choice) {
    const Json& messages = body.at("messages");
    const JudgingQuestion question = read_judging_question(content_of(messages.back()));
    if (question.instruction.empty() || question.responses.empty()) return std::nullopt;
    const auto gold = gold_.find(question.instruction);
    if (gold == gold_.end() || !gold->second) {
        ++verdicts_["unknown"];
        return "Nobody told me what is right here.";
    }
    const std::vector<double> figures = tool_f1s(question.responses, *gold->second);
    auto best = std::max_element(figures.begin(), figures.end()), worst = std::min_element(figures.begin(), figures.end());
    if (*best == *worst) {
        ++verdicts_["tie"];
        return verdict_like(last_answer(messages), "none", "none");
    }
    const bool is_wrong =
        Rng(options_.seed, "judge error", dump_line(body), static_cast<uint64_t>(choice)).uniform() < options_.errors;
    ++verdicts_[is_wrong ? "wrong" : "right"];
    if (is_wrong) std::swap(best, worst);
    return verdict_like(last_answer(messages), std::to_string(best - figures.begin()),
                        std::to_string(worst - figures.begin()));
}

}  // namespace craft::chat_server
