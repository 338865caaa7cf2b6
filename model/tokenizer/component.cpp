#include "model/tokenizer/component.h"

#include "core/error.h"
#include "core/json.h"
#include "core/json_problem.h"
#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

TokenizerDocument parse_tokenizer_document(const std::string& text, const std::string& where) {
    if (const size_t bad = invalid_utf8_at(text); bad != std::string::npos)
        throw Error(where + ": not UTF-8 at byte " + std::to_string(bad + 1));
    const auto limit_depth = [&](int depth, TokenizerDocument::parse_event_t event, TokenizerDocument&) {
        const bool opens = event == TokenizerDocument::parse_event_t::object_start ||
                           event == TokenizerDocument::parse_event_t::array_start;
        if (opens && depth >= kMaxJsonDepth)
            throw Error(where + ": nested more than " + std::to_string(kMaxJsonDepth) + " levels deep");
        return true;
    };
    try {
        return TokenizerDocument::parse(text, limit_depth);
    } catch (const TokenizerDocument::exception& error) {
        throw Error(where + ": " + json_problem(error.what()));
    }
}

Component::Component(const TokenizerDocument& value, std::string where) : json_(&value), where_(std::move(where)) {
    if (!value.is_object()) throw Error(where_, "an object", value.type_name());
}

const TokenizerDocument* Component::find(const std::string& name) const {
    const auto found = json_->find(name);
    return found == json_->end() || found->is_null() ? nullptr : &*found;
}

const TokenizerDocument& Component::get(const std::string& name) const {
    const TokenizerDocument* value = find(name);
    if (value == nullptr) throw Error(where_ + ": field '" + name + "'", "a value", "none");
    return *value;
}

void Component::fail(const std::string& name, const std::string& expected, const std::string& got) const {
    throw Error(where_ + ": field '" + name + "'", expected, shortened(got, 200));
}

void Component::fail_unknown(const std::string& kind, const std::vector<std::string>& known) const {
    try {
        throw_unknown(kind, shortened(type(), 100), known);
    } catch (const Error& error) {
        throw Error(where_ + ": " + error.what());
    }
}

bool Component::has(const std::string& name) const {
    return find(name) != nullptr;
}

std::string Component::text(const std::string& name) const {
    const TokenizerDocument& value = get(name);
    if (!value.is_string()) fail(name, "a string", value.type_name());
    return value.get<std::string>();
}

std::optional<std::string> Component::optional_text(const std::string& name) const {
    if (!has(name)) return std::nullopt;
    return text(name);
}

bool Component::flag(const std::string& name) const {
    const TokenizerDocument& value = get(name);
    if (!value.is_boolean()) fail(name, "true or false", value.type_name());
    return value.get<bool>();
}

bool Component::flag(const std::string& name, bool otherwise) const {
    return has(name) ? flag(name) : otherwise;
}

int64_t Component::number(const std::string& name) const {
    const TokenizerDocument& value = get(name);
    if (!value.is_number_unsigned() || value.get<uint64_t>() > INT32_MAX)
        fail(name, "a number from 0 to 2147483647", value.is_number() ? value.dump() : value.type_name());
    return value.get<int64_t>();
}

int64_t Component::number(const std::string& name, int64_t otherwise) const {
    return has(name) ? number(name) : otherwise;
}

std::string Component::character(const std::string& name) const {
    const std::string value = text(name);
    if (count_code_points(value) != 1) fail(name, "one character", "'" + value + "'");
    return value;
}

const TokenizerDocument& Component::list(const std::string& name) const {
    const TokenizerDocument& value = get(name);
    if (!value.is_array()) fail(name, "a list", value.type_name());
    return value;
}

const TokenizerDocument& Component::object(const std::string& name) const {
    const TokenizerDocument& value = get(name);
    if (!value.is_object()) fail(name, "an object", value.type_name());
    return value;
}

std::vector<Component> Component::components(const std::string& name) const {
    std::vector<Component> parts;
    const TokenizerDocument& values = list(name);
    for (size_t i = 0; i < values.size(); ++i)
        parts.emplace_back(values[i], where_ + "." + name + "[" + std::to_string(i) + "]");
    return parts;
}

}  // namespace craft
