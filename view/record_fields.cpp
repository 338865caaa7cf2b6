#include "view/record_fields.h"

#include <cmath>
#include <cstdio>

namespace craft {

namespace {

const Json kNothing;
const Json kNoList = Json::array();
const Json kNoObject = Json::object();

}  // namespace

const Json& RecordFields::find(const char* name) {
    read_.insert(name);
    if (!row_.is_object()) return kNothing;
    const auto found = row_.find(name);
    return found == row_.end() ? kNothing : *found;
}

std::optional<std::string> RecordFields::text(const char* name) {
    const Json& value = find(name);
    if (!value.is_string()) {
        if (!value.is_null()) read_.erase(name);
        return std::nullopt;
    }
    return value.get<std::string>();
}

std::optional<double> RecordFields::number(const char* name) {
    const Json& value = find(name);
    if (!value.is_number()) {
        if (!value.is_null()) read_.erase(name);
        return std::nullopt;
    }
    return value.get<double>();
}

const Json& RecordFields::list(const char* name) {
    const Json& value = find(name);
    if (value.is_array()) return value;
    if (!value.is_null()) read_.erase(name);
    return kNoList;
}

const Json& RecordFields::object(const char* name) {
    const Json& value = find(name);
    if (value.is_object()) return value;
    if (!value.is_null()) read_.erase(name);
    return kNoObject;
}

const Json& RecordFields::any(const char* name) {
    return find(name);
}

void RecordFields::write_rest(PageWriter& page) const {
    if (!row_.is_object()) {
        page.line({{shown_value(row_), Tone::plain}});
        return;
    }
    for (const auto& [name, value] : row_.items())
        if (!read_.contains(name) && !value.is_null()) page.field(name, StyledText{{shown_value(value), Tone::quiet}});
}

std::string shown_number(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "-infinite";
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", value);
    std::string shown = text;
    shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.ends_with('.')) shown.pop_back();
    return shown == "-0" ? "0" : shown;
}

std::string shown_value(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return shown_number(value.get<double>());
    return dump_line(value);
}

std::string shown_numbers(const Json& object) {
    std::string all;
    if (!object.is_object()) return all;
    for (const auto& [name, value] : object.items())
        if (value.is_number() || value.is_boolean())
            all += (all.empty() ? "" : "  ") + name + " " +
                   (value.is_number() ? shown_number(value.get<double>()) : value.dump());
    return all;
}

}  // namespace craft
