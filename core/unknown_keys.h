// Keys of rows that nobody reads, counted by name, so that one that is misspelt or not supported is seen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace craft {

class UnknownKeys {
public:
    // Counts the keys of an object that have a value and are not among those given, each as `prefix` + key.
    void see(const Json& object, const std::vector<std::string_view>& known, const std::string& prefix = "");
    void add(const UnknownKeys& other);
    const std::map<std::string, int64_t>& counts() const { return counts_; }
    // Names them on stderr, one line for all of a file; nothing if there are none.
    void warn(const std::string& file) const;

private:
    std::map<std::string, int64_t> counts_;
};

}  // namespace craft
