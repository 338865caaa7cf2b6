// The fields of an object of a stored search tree, each of the one type that it must have, and none that nobody reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace craft {

// Every function throws Error naming `where` and the field.
class TreeFields {
public:
    // Refuses what is not an object. The object must outlive this.
    TreeFields(const Json& object, std::string where);
    bool has(const std::string& name) const { return object_.contains(name); }
    // A field that must be there; null is only a Json.
    void read(const std::string& name, int64_t& value);  // a whole number that fits
    void read(const std::string& name, double& value);   // any number
    void read(const std::string& name, bool& value);
    void read(const std::string& name, std::string& value);
    void read(const std::string& name, Json& value);
    const Json& list(const std::string& name);
    std::vector<int64_t> numbers(const std::string& name);  // a list of whole numbers
    // Refuses fields that were not read.
    void finish() const;
    [[noreturn]] void fail(const std::string& name, const std::string& expected, const std::string& got) const;

private:
    const Json& field(const std::string& name);

    const Json& object_;
    std::string where_;
    std::vector<std::string> seen_;
};

}  // namespace craft
