#include "tests/systems/hosted/server/judging_question.h"

#include <algorithm>
#include <sstream>

namespace craft::chat_server {

namespace {

// What a line of a heading's text belongs to; null: it is of no interest.
std::string* part_of(const std::string& heading, JudgingQuestion& question) {
    if (heading == "Instruction:") return &question.instruction;
    if (heading.starts_with("Candidate ")) return &question.candidates.emplace_back();
    if (heading == "Response:") return &question.responses.emplace_back();
    return nullptr;
}

std::string unquoted(const std::string& line) {
    return line.substr(line.starts_with("> ") ? 2 : 1);
}

}  // namespace

JudgingQuestion read_judging_question(const std::string& prompt) {
    JudgingQuestion question;
    std::string* part = nullptr;
    std::istringstream lines(prompt);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(">"))
            part = line.ends_with(':') ? part_of(line, question) : nullptr;
        else if (part == &question.instruction)
            part->append(part->empty() ? "" : "\n").append(line);
        else if (part != nullptr)
            part->append(part->empty() ? "" : "\n").append(unquoted(line));
    }
    return question;
}

std::string content_of(const Json& message) {
    const Json content = message.value("content", Json());
    return content.is_string() ? content.get<std::string>() : std::string();
}

std::string last_answer(const Json& messages) {
    std::string last;
    for (const Json& message : messages)
        if (message.value("role", "") == "assistant") last = content_of(message);
    return last;
}

std::string verdict_like(const std::string& example, const std::string& best, const std::string& worst) {
    const std::string verdict = "Best: " + best + ", Worst: " + worst;
    std::string lines;
    for (size_t at = 0; at < example.size();) {
        const size_t end = std::min(example.find('\n', at), example.size());
        const std::string line = example.substr(at, end - at);
        at = end + 1;
        if (const size_t place = line.find("Best: "); place != std::string::npos)
            lines += (lines.empty() ? "" : "\n") + line.substr(0, place) + verdict;
    }
    return lines.empty() ? verdict : lines;
}

}  // namespace craft::chat_server
