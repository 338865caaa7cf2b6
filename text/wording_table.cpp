#include "text/wording_table.h"

#include <cstdio>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace craft {

namespace {

void collect(const Json& value, const std::string& name, std::map<std::string, std::vector<std::string>>& out) {
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) collect(inner, name.empty() ? key : name + "." + key, out);
    if (value.is_string()) out[name] = {value.get<std::string>()};
    if (value.is_array()) out[name] = value.get<std::vector<std::string>>();
}

}  // namespace

std::string text_version(const std::string& bytes) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(stable_hash(bytes)));
    return digits;
}

std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
        const auto found = close == std::string::npos ? values.end() : values.find(text.substr(i + 1, close - i - 1));
        if (found == values.end()) {
            out += text[i++];
        } else {
            out += found->second;
            i = close + 1;
        }
    }
    return out;
}

WordingTable WordingTable::load(const std::filesystem::path& file) {
    WordingTable table;
    const std::string bytes = read_file(file);
    table.file_ = file.string();
    table.version_ = text_version(bytes);
    try {
        collect(parse_json(bytes, table.file_), "", table.lists_);
    } catch (const nlohmann::json::exception& problem) {
        throw Error(table.file_ + ": " + problem.what());
    }
    for (const auto& [name, list] : table.lists_)
        if (list.empty()) throw Error(table.file_ + ": " + name, "at least one wording", "none");
    return table;
}

const std::vector<std::string>& WordingTable::list(const std::string& name) const {
    const auto found = lists_.find(name);
    if (found == lists_.end()) throw Error(file_, "wordings of '" + name + "'", "none");
    return found->second;
}

}  // namespace craft
