// The filters, by name. Inside text/jinja/ only.
#pragma once

#include <map>
#include <string>

#include "text/jinja/interpreter.h"

namespace craft::jinja {

using Filter = Value (*)(Interpreter&, const Value&, const Call&);

// One table a source file.
void add_text_filters(std::map<std::string, Filter, std::less<>>& table);
void add_list_filters(std::map<std::string, Filter, std::less<>>& table);
// True if Jinja has a filter, or a test, of this name, supported here or not.
bool is_known_filter(const std::string& name);
bool is_known_test(const std::string& name);

}  // namespace craft::jinja
