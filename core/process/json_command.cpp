#include "core/process/json_command.h"

#include <algorithm>
#include <utility>

#include "core/log.h"
#include "core/process/command_life.h"
#include "core/utf8.h"

namespace craft {

Json json_answer(const std::string& line, const std::string& where) {
    if (invalid_utf8_at(line) != std::string_view::npos) throw Error(where, "UTF-8", "other bytes");
    Json answer = parse_json(line, where);
    if (!answer.is_object()) throw Error(where, "a JSON object", answer.type_name());
    return answer;
}

JsonAnswers ask_with_restarts(const JsonCommandOptions& options, const JsonRequests& requests,
                              const std::function<std::string(std::vector<Json>&)>& live) {
    JsonAnswers answers;
    if (requests.count == 0) return answers;
    while (true) {
        const std::string problem = live(answers.rows);
        if (answers.rows.size() == requests.count) {
            answers.unfit = std::count(answers.rows.begin(), answers.rows.end(), Json(nullptr));
            if (answers.unfit == static_cast<int64_t>(requests.count))
                throw Error("command '" + shortened(one_line(options.command), 80) + "'", "answers that fit",
                            "none of " + std::to_string(requests.count));
            return answers;
        }
        const std::string at = "at request '" + shortened(requests.id(answers.rows.size()), 60) + "'";
        if (answers.restarts == options.restarts)
            throw Error("command '" + shortened(one_line(options.command), 80) + "'",
                        std::to_string(requests.count) + " answers",
                        std::to_string(answers.rows.size()) + ", then " + problem,
                        at + ", after " + std::to_string(answers.restarts) + " restarts");
        ++answers.restarts;
        log_warning("restarting the command", {{"problem", problem}, {"answered", answers.rows.size()}});
    }
}

JsonRequests requests_of(const std::vector<Json>& rows) {
    return {rows.size(), [&](size_t i) { return id_text(rows[i], "request"); }, [&](size_t i) { return rows[i]; }};
}

JsonAnswers ask_json_command(const JsonCommandOptions& options, const JsonRequests& requests, const JsonAnswerCheck& check) {
    return ask_with_restarts(options, requests, [&](std::vector<Json>& answers) {
        return CommandLife(options).ask(requests, check, answers, CommandLife::Input::closed);
    });
}

JsonAnswers ask_json_command(const JsonCommandOptions& options, const std::vector<Json>& requests,
                             const JsonAnswerCheck& check) {
    return ask_json_command(options, requests_of(requests), check);
}

JsonAsker started_for_each(JsonCommandOptions options) {
    return [options = std::move(options)](const std::vector<Json>& requests, const JsonAnswerCheck& check) {
        return ask_json_command(options, requests, check);
    };
}

}  // namespace craft
