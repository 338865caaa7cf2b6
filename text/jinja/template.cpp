#include "text/jinja/template.h"

#include "core/error.h"
#include "core/utf8.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/parser.h"

namespace craft::jinja {

Limits Limits::for_conversation(size_t bytes) {
    Limits limits;
    limits.steps += 50 * static_cast<int64_t>(bytes);
    limits.bytes += 128 * bytes;
    return limits;
}

struct Template::Parsed {
    std::string where;
    Body body;
};

Template::Template(std::string_view source, std::string where) : parsed_(std::make_unique<Parsed>()) {
    if (const size_t bad = invalid_utf8_at(source); bad != std::string_view::npos)
        throw Error(where + ": not UTF-8 at byte " + std::to_string(bad + 1));
    parsed_->where = std::move(where);
    try {
        parsed_->body = parse(tokenize(source));
    } catch (const SyntaxError& error) {
        throw Error(parsed_->where + ":" + std::to_string(error.line) + ": " + error.what());
    }
}

Template::~Template() = default;
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;

Rendered Template::render(const std::vector<std::pair<std::string, Value>>& variables, const Limits& limits) const {
    Interpreter interpreter(variables, limits);
    try {
        return interpreter.run(parsed_->body);
    } catch (const Failure& failure) {
        throw Error(parsed_->where + ":" + std::to_string(interpreter.line()) + ": " + failure.what());
    }
}

}  // namespace craft::jinja
