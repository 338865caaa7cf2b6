#include "core/unknown_keys.h"

#include <algorithm>

#include "core/log.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxNames = 100;  // a file whose keys are all different must not fill the memory
constexpr size_t kLongestName = 60;
constexpr const char* kFurther = "(further names)";

}  // namespace

void UnknownKeys::see(const Json& object, const std::vector<std::string_view>& known, const std::string& prefix) {
    if (!object.is_object()) return;
    for (const auto& [key, value] : object.items()) {
        if (value.is_null() || std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string name = prefix + shortened(key, kLongestName);
        ++counts_[counts_.contains(name) || counts_.size() < kMaxNames ? name : kFurther];
    }
}

void UnknownKeys::add(const UnknownKeys& other) {
    for (const auto& [name, count] : other.counts_) counts_[name] += count;
}

void UnknownKeys::warn(const std::string& file) const {
    if (counts_.empty()) return;
    Json fields = Json::object();
    for (const auto& [name, count] : counts_) fields[name] = count;
    log_warning((file == "-" ? "stdin" : file) + ": ignored keys, and how often they occur", fields);
}

}  // namespace craft
