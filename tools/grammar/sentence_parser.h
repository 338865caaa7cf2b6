// Who parses sentences by link-grammar for the tools: here, or in processes beside us (parse_workers.h).
#pragma once

#include <istream>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/json.h"
#include "english/constituents.h"

namespace craft {

struct ParseRequest {
    std::string sentence;                                        // UTF-8
    int64_t max_left_out = std::numeric_limits<int32_t>::max();  // words that a parse may leave out
};

class SentenceParser {
public:
    SentenceParser() = default;
    SentenceParser(const SentenceParser&) = delete;
    SentenceParser& operator=(const SentenceParser&) = delete;
    virtual ~SentenceParser() = default;
    // An answer a request. May be called by several threads at once. What could not be parsed says so in its `problem`, a
    // parser that hung or died too ("worker"); nothing is thrown but Stopped and, where no parser can be started, Error.
    virtual std::vector<ConstituentParse> parse(const std::vector<ParseRequest>& requests) = 0;
    virtual int64_t lost() const { return 0; }  // requests that a hung or dead parser left unanswered
};

// In this process, one sentence at a time: for the worker itself, and for tests.
std::unique_ptr<SentenceParser> local_sentence_parser(double seconds_a_sentence = 1);

// Rows between us and a worker: {"id","sentence","max_left_out"} and {"id","tree","words","left_out":[[begin,end]...],
// "cost","problem"}. The second ones throw Error naming `where` on a row of another form.
Json to_json(const ParseRequest& request, const std::string& id);
ParseRequest parse_request_of(const Json& row, const std::string& where);
Json to_json(const ConstituentParse& parse, const std::string& id);
ConstituentParse constituent_parse_of(const Json& row, const std::string& where);

// What a worker does: answers requests, a line each, until its input ends. Throws Error on a row that is no request.
void answer_parse_requests(std::istream& in, std::ostream& out, SentenceParser& parser);

}  // namespace craft
