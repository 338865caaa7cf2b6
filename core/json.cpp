#include "core/json.h"

#include "core/json_problem.h"
#include "core/utf8.h"

namespace craft {

namespace {

Json parse_limited(const std::string& text) {
    const auto limit_depth = [](int depth, Json::parse_event_t event, Json&) {
        const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
        if (opens && depth >= kMaxJsonDepth)
            throw Error("nested more than " + std::to_string(kMaxJsonDepth) + " levels deep");
        return true;
    };
    return Json::parse(text, limit_depth, /*allow_exceptions=*/true, /*ignore_comments=*/true);
}

const Json* field(const Json& row, const std::string& name, const std::string& where) {
    if (!row.is_object()) throw Error(where, "an object", std::string("a value of type ") + row.type_name());
    const auto found = row.find(name);
    return found == row.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Json parse_json(const std::string& text, const std::string& where) {
    if (const size_t bad = invalid_utf8_at(text); bad != std::string::npos)
        throw Error(where + ": not UTF-8 at byte " + std::to_string(bad + 1));
    try {
        return parse_limited(text);
    } catch (const Json::exception& error) {
        throw Error(where + ": " + json_problem(error.what()));
    } catch (const Error& error) {
        throw Error(where + ": " + error.what());
    }
}

Json read_json_file(const std::filesystem::path& path) {
    return parse_json(read_file(path), path.string());
}

void write_json_file(const std::filesystem::path& path, const Json& value, int indent) {
    write_file_atomic(path, value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string dump_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool has_value(const Json& object, const std::string& name) {
    const auto found = object.find(name);
    return found != object.end() && !found->is_null();
}

Json without_nulls(Json object) {
    if (!object.is_object()) return object;
    for (auto entry = object.begin(); entry != object.end();)
        entry = entry->is_null() ? object.erase(entry) : std::next(entry);
    return object;
}

std::string string_field(const Json& row, const std::string& name, const std::string& where) {
    if (auto text = optional_string_field(row, name, where)) return *std::move(text);
    throw Error(where + ": field '" + name + "'", "a string", "none");
}

std::string id_text(const Json& row, const std::string& where) {
    if (row.is_object() && row.contains("id") && row["id"].is_number_integer()) return row["id"].dump();
    return string_field(row, "id", where);
}

std::optional<std::string> optional_string_field(const Json& row, const std::string& name, const std::string& where) {
    const Json* value = field(row, name, where);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) throw Error(where + ": field '" + name + "'", "a string", value->type_name());
    return value->get<std::string>();
}

}  // namespace craft
