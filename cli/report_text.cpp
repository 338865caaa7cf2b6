#include "cli/report_text.h"

#include <algorithm>

#include "core/utf8.h"

namespace craft {

namespace {

std::string with_separators(std::string digits) {
    const size_t begin = digits.starts_with("-") ? 1 : 0;
    for (size_t at = digits.size(); at > begin + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string value_text(const Json& value) {
    if (value.is_string()) return one_line(value.get<std::string>());
    if (value.is_null()) return "none";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_integer()) return with_separators(value.dump());
    return dump_line(value);
}

bool is_plain(const Json& list) {
    return std::none_of(list.begin(), list.end(), [](const Json& value) { return value.is_structured(); });
}

void write(std::string& out, const Json& object, const std::string& indent) {
    for (const auto& [key, value] : object.items()) {
        std::string name = one_line(key);
        if (name.find('.') == std::string::npos) std::replace(name.begin(), name.end(), '_', ' ');
        out += indent + name + ":";
        if (value.is_object() && !value.empty()) {
            out += "\n";
            write(out, value, indent + "  ");
        } else if (value.is_array() && is_plain(value)) {
            std::string all;
            for (const Json& one : value) all += (all.empty() ? "" : "; ") + value_text(one);
            out += " " + (all.empty() ? "none" : all) + "\n";
        } else {
            out += " " + (value.is_structured() && value.empty() ? "none" : value_text(value)) + "\n";
        }
    }
}

}  // namespace

std::string report_text(const Json& object) {
    std::string out;
    write(out, object, "");
    return out;
}

}  // namespace craft
