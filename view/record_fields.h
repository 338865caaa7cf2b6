// The fields of a record, read without a fuss: a field of another type is none.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/json.h"
#include "view/page.h"

namespace craft {

// Remembers what was read, so that the rest can follow at the end of a page.
class RecordFields {
public:
    explicit RecordFields(const Json& row) : row_(row) {}
    std::optional<std::string> text(const char* name);
    std::optional<double> number(const char* name);
    // An array, or an empty one.
    const Json& list(const char* name);
    // An object, or an empty one.
    const Json& object(const char* name);
    // Whatever stands there; null where nothing does.
    const Json& any(const char* name);
    void skip(const char* name) { read_.insert(name); }
    // The fields that nobody read, one a line.
    void write_rest(PageWriter& page) const;

private:
    const Json& find(const char* name);
    const Json& row_;
    std::set<std::string> read_;
};

std::string shown_number(double value);  // at most three digits behind the point
// A value in few words: texts as they are, numbers short, anything else as JSON.
std::string shown_value(const Json& value);
// "name value" for each number of an object, one behind the other.
std::string shown_numbers(const Json& object);

}  // namespace craft
