// Python's two ways of filling values into text, in the parts that templates use. Inside text/jinja/ only.
#pragma once

#include "text/jinja/budget.h"
#include "text/jinja/callable.h"
#include "text/jinja/value.h"

namespace craft::jinja {

// text % values: %s, %r, %d, %i, %f with an optional precision, %%; a tuple fills several. Others throw Failure.
MarkedText percent_format(const MarkedText& text, const Value& values, Budget& budget);
// text.format(...): {}, {0}, {name}; attributes, conversions and format specifications throw Failure.
MarkedText brace_format(const MarkedText& text, const Call& call, Budget& budget);
// json.dumps(value, ensure_ascii, indent, separators, sort_keys). Throws Failure for what JSON has no form for.
struct JsonStyle {
    bool ascii = false, sort_keys = false, indented = false;
    std::string indent;
    std::string item_separator, key_separator;
};
MarkedText to_json_text(const Value& value, const JsonStyle& style, Budget& budget);
JsonStyle json_style(const Call& call);
// datetime.now().strftime(format)
std::string time_now(const std::string& format);

}  // namespace craft::jinja
