// Methods of strings, lists and maps. Inside text/jinja/ only.
#pragma once

#include <string>

#include "text/jinja/budget.h"
#include "text/jinja/callable.h"
#include "text/jinja/value.h"

namespace craft::jinja {

// receiver.name(...). Throws Failure for what Python would raise, for methods that change their receiver (transformers
// refuses them too) and for those that are not supported.
Value call_method(const Value& receiver, const std::string& name, const Call& call, Budget& budget);
Value call_text_method(const MarkedText& text, const std::string& name, const Call& call, Budget& budget);

// What filters and methods share.
MarkedText replaced(const MarkedText& text, const std::string& old, const MarkedText& by, int64_t count, Budget& budget);
MarkedText joined(const MarkedText& separator, const std::vector<Value>& items, Budget& budget);
std::vector<MarkedText> split_lines(const MarkedText& text, bool keep_ends);

}  // namespace craft::jinja
