// Conditions between options: which need each other, and which exclude each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

// What another option has to be.
struct OptionState {
    std::string key;
    // One of these values (of a list: one of its items); "local:" is every value that begins so. Empty: any value but an
    // empty one, false and 0.
    std::vector<std::string> values;
    std::optional<int64_t> least;  // in place of values: a number of at least this, or a list of this many items

    // Not explicit, so that .needs("retrieval") reads as what it says.
    OptionState(const char* key_of_option, std::vector<std::string> any_of = {})
        : key(key_of_option), values(std::move(any_of)) {}
    OptionState(const std::string& key_of_option, std::vector<std::string> any_of)
        : key(key_of_option), values(std::move(any_of)) {}
    static OptionState at_least(const char* key, int64_t least);

    bool holds_of(const Json& value) const;
    // "--method iter or search"; `name` is how users call the option.
    std::string words(const std::string& name) const;
};

struct OptionCondition {
    enum class Kind { needs, excludes, required_with, required_without };
    Kind kind;
    std::vector<OptionState> others;  // of which one is enough
    std::string why;                  // the problem's hint; may be empty
    std::vector<std::string> when;    // applies to these values of the option alone; empty: whenever it is given
    bool is_warning = false;          // the option has no effect, which is said in the log
};

// Options of which exactly one is given.
struct OptionChoice {
    std::vector<std::string> keys;
    std::string why;                        // the problem's hint; may be empty
    std::vector<OptionState> unless = {};   // where one of these holds, none need be given
    std::vector<OptionState> only_if = {};  // where none of these holds, none need be given; empty: one always must be
};

}  // namespace craft
