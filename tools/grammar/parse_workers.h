// Parsers in processes of their own, so that one that hangs, dies or takes all memory costs one answer.
#pragma once

#include <memory>
#include <string>

#include "tools/grammar/sentence_parser.h"

namespace craft {

struct ParseWorkerOptions {
    std::string command;         // for /bin/sh -c: answers rows as answer_parse_requests() does
    int64_t workers = 1;         // this many sentences are parsed side by side; at least 1
    double timeout_seconds = 8;  // without an answer; a parse itself is given a second (docs/gec-tools.md)
};

// Workers are started when they are first needed, kept, and ended with this object. One that hangs is ended, and restarted
// for the next sentence. Throws Error on options out of range. parse() throws Error where a worker cannot be started at all:
// where three in a row were lost before any answer came.
std::unique_ptr<SentenceParser> parse_workers(const ParseWorkerOptions& options);

// The command that runs `program` as such a worker.
std::string parse_worker_command(const std::string& program);
// Of the program's command line: argv[1], and what it does then, with its own memory bounded. Returns an exit code.
inline constexpr const char* kParseWorkerArgument = "parse-worker";
int run_parse_worker();

}  // namespace craft
