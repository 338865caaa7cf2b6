#include "text/jinja/filters.h"

#include <algorithm>
#include <array>

namespace craft::jinja {

namespace {

// Those of Jinja 3.1 that templates for text have no use for; reached, they are refused.
constexpr std::array<std::string_view, 17> kUnsupported = {
    "batch", "center",    "e",        "escape",    "filesizeformat", "forceescape", "groupby",  "pprint", "random",
    "slice", "striptags", "truncate", "urlencode", "urlize",         "wordcount",   "wordwrap", "xmlattr"};

const std::map<std::string, Filter, std::less<>>& filters() {
    static const auto all = [] {
        std::map<std::string, Filter, std::less<>> table;
        add_text_filters(table);
        add_list_filters(table);
        return table;
    }();
    return all;
}

}  // namespace

bool is_known_filter(const std::string& name) {
    return filters().count(name) > 0 || std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end();
}

Value Interpreter::filter(const std::string& name, const Value& value, const Call& call) {
    const auto found = filters().find(name);
    if (found == filters().end()) throw Failure("the filter '" + name + "' is not supported");
    return found->second(*this, value, call);
}

}  // namespace craft::jinja
