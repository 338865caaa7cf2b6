// config.json with errors that name the file and the key. Inside model/ only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

class ModelDocuments;

inline const std::string kModelsHint = "docs/models.md lists what can be loaded";

class ConfigReader {
public:
    explicit ConfigReader(const std::filesystem::path& file);                // throws Error: unreadable, no JSON object
    ConfigReader(const ModelDocuments& documents, const std::string& name);  // likewise
    ConfigReader(std::string where, Json json) : where_(std::move(where)), json_(std::move(json)) {}

    const Json& json() const { return json_; }
    const std::string& where() const { return where_; }
    const Json* find(const std::string& key) const;                         // nullptr: absent or null
    bool has(const std::string& key) const { return json_.contains(key); }  // null counts
    // Sizes are positive and at most `most`. Without a default a missing key is an error.
    int64_t size(const std::string& key, std::optional<int64_t> absent = std::nullopt,
                 int64_t most = int64_t{1} << 31) const;
    double number(const std::string& key, std::optional<double> absent) const;  // positive
    bool flag(const std::string& key, bool absent) const;
    std::string text(const std::string& key, const std::string& absent) const;
    std::vector<double> numbers(const std::string& key) const;  // positive; required
    std::vector<int64_t> tokens(const std::string& key) const;  // a token id or a list of them; empty if absent
    ConfigReader object(const std::string& key) const;          // the object under a key; required
    void expect_absent_or(const std::string& key, const Json& value) const;
    [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& hint = "") const;

private:
    std::string where_;
    Json json_;
};

}  // namespace craft
