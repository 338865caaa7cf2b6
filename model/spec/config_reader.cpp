#include "model/spec/config_reader.h"

#include <cmath>

#include "core/error.h"
#include "model/files/model_documents.h"

namespace craft {

namespace {

bool is_positive(const Json& value) {
    return value.is_number() && value.get<double>() > 0 && std::isfinite(value.get<double>());
}

}  // namespace

ConfigReader::ConfigReader(const std::filesystem::path& file) : where_(file.string()), json_(read_json_file(file)) {
    if (!json_.is_object()) throw Error(where_, "a JSON object", json_.type_name());
}

ConfigReader::ConfigReader(const ModelDocuments& documents, const std::string& name)
    : where_(documents.where(name)), json_(parse_json(documents.text(name), where_)) {
    if (!json_.is_object()) throw Error(where_, "a JSON object", json_.type_name());
}

const Json* ConfigReader::find(const std::string& key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

int64_t ConfigReader::size(const std::string& key, std::optional<int64_t> absent, int64_t most) const {
    const Json* value = find(key);
    if (value == nullptr && absent) return *absent;
    if (value == nullptr) throw Error(where_, "the key '" + key + "'", "none");
    if (!value->is_number_integer() || *value < 1 || *value > most)
        fail(key, "a positive integer up to " + std::to_string(most));
    return value->get<int64_t>();
}

double ConfigReader::number(const std::string& key, std::optional<double> absent) const {
    const Json* value = find(key);
    if (value == nullptr && absent) return *absent;
    if (value == nullptr) throw Error(where_, "the key '" + key + "'", "none");
    if (!is_positive(*value)) fail(key, "a positive number");
    return value->get<double>();
}

bool ConfigReader::flag(const std::string& key, bool absent) const {
    const Json* value = find(key);
    if (value == nullptr) return absent;
    if (!value->is_boolean()) fail(key, "true or false");
    return value->get<bool>();
}

std::string ConfigReader::text(const std::string& key, const std::string& absent) const {
    const Json* value = find(key);
    if (value == nullptr) return absent;
    if (!value->is_string()) fail(key, "a name");
    return value->get<std::string>();
}

std::vector<double> ConfigReader::numbers(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr || !value->is_array()) fail(key, "a list of numbers");
    std::vector<double> all;
    for (const Json& one : *value) {
        if (!is_positive(one)) fail(key, "a list of positive numbers");
        all.push_back(one.get<double>());
    }
    return all;
}

std::vector<int64_t> ConfigReader::tokens(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr) return {};
    std::vector<int64_t> ids;
    for (const Json& id : value->is_array() ? *value : Json::array({*value})) {
        if (!id.is_number_integer()) fail(key, "a token id or a list of them");
        ids.push_back(id.get<int64_t>());
    }
    return ids;
}

ConfigReader ConfigReader::object(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr || !value->is_object()) fail(key, "an object");
    return {where_ + ": " + key, *value};
}

void ConfigReader::expect_absent_or(const std::string& key, const Json& wanted) const {
    const Json* value = find(key);
    if (value != nullptr && *value != wanted) fail(key, dump_line(wanted), "other values are not supported");
}

void ConfigReader::fail(const std::string& key, const std::string& expected, const std::string& hint) const {
    const Json* value = find(key);
    throw Error(where_ + ": " + key, expected, value == nullptr ? "nothing" : dump_line(*value), hint);
}

}  // namespace craft
