#include "rollout/tree/tree_fields.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/utf8.h"

namespace craft {

namespace {

std::string shown_value(const Json& value) {
    return one_line(shortened(dump_line(value), 60));
}

bool is_integer(const Json& value) {
    if (!value.is_number_unsigned()) return value.is_number_integer();
    return value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

}  // namespace

TreeFields::TreeFields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw Error(where_, "an object", object.type_name());
}

void TreeFields::fail(const std::string& name, const std::string& expected, const std::string& got) const {
    throw Error(where_ + ": field '" + one_line(shortened(name, 40)) + "'", expected, got);
}

const Json& TreeFields::field(const std::string& name) {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(name, "a value", "none");
    seen_.push_back(name);
    return *found;
}

void TreeFields::read(const std::string& name, int64_t& value) {
    const Json& found = field(name);
    if (!is_integer(found)) fail(name, "a whole number", shown_value(found));
    value = found.get<int64_t>();
}

void TreeFields::read(const std::string& name, double& value) {
    const Json& found = field(name);
    if (!found.is_number()) fail(name, "a number", shown_value(found));
    value = found.get<double>();
}

void TreeFields::read(const std::string& name, bool& value) {
    const Json& found = field(name);
    if (!found.is_boolean()) fail(name, "true or false", shown_value(found));
    value = found.get<bool>();
}

void TreeFields::read(const std::string& name, std::string& value) {
    const Json& found = field(name);
    if (!found.is_string()) fail(name, "a string", shown_value(found));
    value = found.get<std::string>();
}

void TreeFields::read(const std::string& name, Json& value) {
    value = field(name);
}

const Json& TreeFields::list(const std::string& name) {
    const Json& found = field(name);
    if (!found.is_array()) fail(name, "a list", shown_value(found));
    return found;
}

std::vector<int64_t> TreeFields::numbers(const std::string& name) {
    std::vector<int64_t> values;
    for (const Json& value : list(name)) {
        if (!is_integer(value)) fail(name, "a list of whole numbers", shown_value(value));
        values.push_back(value.get<int64_t>());
    }
    return values;
}

void TreeFields::finish() const {
    for (const auto& entry : object_.items())
        if (std::find(seen_.begin(), seen_.end(), entry.key()) == seen_.end())
            fail(entry.key(), "a field of a search tree", "an unknown one");
}

}  // namespace craft
