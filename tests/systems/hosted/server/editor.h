// A model that knows how to edit, in place of GPT-4o: it sees the prompts of share/prompts and nothing else, and plays every
// role that they ask for: it revises freely, by an instruction or by a plan, plans, puts an instruction into other words,
// suggests, ranks, compares and marks. Its plans call what the request asks for, where data/constraints can read that. A
// share of its answers is wrong, as those of models are.
//
//   Editor editor({.mistakes = .1});
//   ChatServer server({.answer = [&](const Json& body, int64_t choice) { return editor.answer(body, choice); }});
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/json.h"

namespace craft::chat_server {

struct EditorOptions {
    double mistakes = 0;  // share of the answers that are wrong, 0 to 1
    uint64_t seed = 0;    // of the draws of mistakes
};

// Not thread-safe; a server asks it on its own thread alone.
class Editor {
public:
    explicit Editor(const EditorOptions& options = {}) : options_(options) {}
    // The same body is answered in the same way, but for mistakes, which are drawn each time that it is asked. Answers at a
    // temperature above 0 differ with the body's seed and the choice.
    std::string answer(const Json& body, int64_t choice);
    // How many there were: "prefaced" (before a good answer), "preface alone", "another language", "off the task" (another
    // plan than the one given, a question back, a verdict that is none; what it is depends on the role).
    const std::map<std::string, int64_t>& mistakes() const { return mistakes_; }

private:
    EditorOptions options_;
    std::map<uint64_t, uint64_t> asked_;  // how often each body came
    std::map<std::string, int64_t> mistakes_;
};

}  // namespace craft::chat_server
