// A subset of Jinja that renders the chat templates of published models as transformers does, and refuses what it does not
// know. Rendered text remembers which bytes come from the conversation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/value.h"

namespace craft::jinja {

// What one rendering may use, for templates are untrusted. Of 80 published ones, the hungriest take 470 steps and 2 KB for a
// question and its answer, and of 512 KB of conversation (128,000 tokens) 12 steps a byte, for one walks through every
// character, and 51 bytes a byte, for one looks at all earlier messages in each of 1,000.
struct Limits {
    int64_t steps = 1'000'000;        // statements, expressions and list items: a twentieth of a second
    size_t bytes = size_t{64} << 20;  // of all texts and lists ever made, not of those alive
    int depth = 400;                  // calls and expressions within each other
    // For a conversation of this many bytes: 50 steps and 128 bytes more for each of them.
    static Limits for_conversation(size_t bytes);
};

// A part of what was rendered that belongs to one message: what its turn of a loop over the messages printed.
struct Turn {
    int message = 0;
    size_t begin = 0, end = 0;  // bytes
};

struct Rendered {
    MarkedText text;
    std::vector<Turn> turns;                           // in the order in which they ended; a turn may hold others
    std::vector<std::pair<size_t, size_t>> generated;  // bytes between {% generation %} and {% endgeneration %}
};

// Semantics: ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True) with loop controls, tojson,
// raise_exception, strftime_now and the generation tag, as transformers sets it up. Statements and escapes that are not
// supported are refused when the template is read; filters, tests, methods and functions when they are reached.
class Template {
public:
    // Throws Error naming `where`, line and construct.
    Template(std::string_view source, std::string where);
    ~Template();
    Template(Template&&) noexcept;
    Template& operator=(Template&&) noexcept;

    // Throws Error naming the template, line and reason: what the template raises, an operation that Python would refuse, a
    // construct that is not supported, a limit. A message's map must bear its number (make_map) to become a Turn.
    Rendered render(const std::vector<std::pair<std::string, Value>>& variables, const Limits& limits = {}) const;

private:
    struct Parsed;
    std::unique_ptr<Parsed> parsed_;
};

}  // namespace craft::jinja
