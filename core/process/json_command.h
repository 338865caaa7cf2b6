// A command of the user's that answers JSON Lines: a row in, a row out with the same id, in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct JsonCommandOptions {
    std::string command;  // for /bin/sh -c; it inherits our environment, and its stderr is shown
    // Without a row read or written; it is then ended with all that it started. The time in which it had no processor, as
    // others kept them busy, does not count.
    double timeout_seconds = 600;
    int64_t restarts = 2;  // so often in all it is started again, where it ended or was ended before its last answer
    double quiet_seconds =
        20;  // of a kept command (core/process/persistent_command.h) that has read everything, without an answer
    size_t max_line_bytes = size_t{8} << 20;  // of an answer
    bool skip_unfit =
        false;  // a line that is no JSON object (NaN is none) or that the check refuses is a null answer, counted
};

struct JsonAnswers {
    std::vector<Json> rows;  // one a request, in their order; null where it was unfit and is skipped
    int64_t restarts = 0;
    int64_t unfit = 0;  // answers that were skipped
};

// What is asked, made row by row when it is sent, so that rows that repeat a long text are never all in memory.
struct JsonRequests {
    size_t count = 0;
    std::function<std::string(size_t)> id;  // of a request, as its row has it
    std::function<Json(size_t)> row;        // an object with that id
};

JsonRequests requests_of(const std::vector<Json>& rows);  // which must outlive them; ids are read when they are asked for

// May throw Error on an answer that is unfit; `where` names command and answer.
using JsonAnswerCheck = std::function<void(const Json& answer, const std::string& where)>;

// Sends the requests, each an object with an "id" of its own, while it reads answers: a command may answer row by row, or
// read to the end first. After a restart only requests without an answer are sent. Throws Error on an answer that is no
// JSON object, too long, unfit, of another id than the next request's, or more than was asked for, none of which is tried
// again; and when restarts are used up; with skip_unfit also where no answer is fit. Throws Stopped if a stop signal comes.
JsonAnswers ask_json_command(const JsonCommandOptions& options, const JsonRequests& requests, const JsonAnswerCheck& check);
// The same of rows that are there.
JsonAnswers ask_json_command(const JsonCommandOptions& options, const std::vector<Json>& requests,
                             const JsonAnswerCheck& check);

// Who asks a command, once or kept.
using JsonAsker = std::function<JsonAnswers(const std::vector<Json>& requests, const JsonAnswerCheck& check)>;

JsonAsker started_for_each(JsonCommandOptions options);  // asking, as by ask_json_command()

// What askings share: `live` adds answers to those that are there, until the command ends, and says what went wrong then; it
// is called again for what is left. Throws Error where restarts are used up, or no answer is fit.
JsonAnswers ask_with_restarts(const JsonCommandOptions& options, const JsonRequests& requests,
                              const std::function<std::string(std::vector<Json>& answers)>& live);

// An answer's line as an object. Throws Error where it is none; NaN and infinities are no JSON.
Json json_answer(const std::string& line, const std::string& where);

}  // namespace craft
