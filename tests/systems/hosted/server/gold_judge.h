// A judge of planners' responses that knows the gold calls of its instructions, in place of a model that judges well or,
// with a share of errors, less well. It sees the question alone, in which a guideline shows the instruction and the
// responses (share/guidelines/planner.txt).
//
//   GoldJudge judge("ready.jsonl", {.errors = .2});
//   ChatServer server({.answer = [&](const Json& body, int64_t choice) {
//       return judge.answer(body, choice).value_or("I only judge.");
//   }});
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/craft/tool_call.h"

namespace craft::chat_server {

struct GoldJudgeOptions {
    double errors = 0;  // probability that a verdict is the wrong way round, 0 to 1
    uint64_t seed = 0;  // of the draws of errors
};

// Not thread-safe; a server asks it on its own thread alone.
class GoldJudge {
public:
    // Rows of `constraints`. Throws Error as instruction_from_json() does.
    GoldJudge(const std::filesystem::path& instructions, const GoldJudgeOptions& options);
    // The first response of those with the highest tool F1 is best, the first of those with the lowest worst; or, by a draw
    // that the seed and the request decide, the other way round. Where all are equal "Best: none, Worst: none", which no
    // reader takes for a verdict. An instruction of none of the rows, or of several with other gold, gets no verdict either.
    // Absent: the request shows no instruction with the responses to it.
    std::optional<std::string> answer(const Json& body, int64_t choice);
    // How many there were: "right", "wrong", "tie", "unknown" (no gold).
    const std::map<std::string, int64_t>& verdicts() const { return verdicts_; }

private:
    GoldJudgeOptions options_;
    std::map<std::string, std::optional<std::vector<ToolCall>>> gold_;  // by the words as shown; absent: rows disagree
    std::map<std::string, int64_t> verdicts_;
};

}  // namespace craft::chat_server
