#include "metrics/options.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "core/utf8.h"

namespace craft {

namespace {

template <class E>
std::string name_in_list(E value) {
    std::string found;
    MetricOptions options;
    for_each_metric_option(options, [&](const char*, const auto& field, const auto& names, auto&&...) {
        if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::optional<E>>) {
            for (const auto& [name, known] : names)
                if (known == value) found = name;
        }
    });
    if (found.empty()) throw std::logic_error("an option's value without a name");
    return found;
}

// Whether the value was one of the option's.
template <class E, class Names>
bool assign_named(const Json& value, std::optional<E>& field, const Names& names) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& known) { return value == known.first; });
    if (found == names.end()) return false;
    field = found->second;
    return true;
}
bool assign_plain(const Json& value, std::optional<bool>& field) {
    if (value.is_boolean()) field = value.get<bool>();
    return value.is_boolean();
}
bool assign_plain(const Json& value, std::optional<double>& field) {
    if (value.is_number()) field = value.get<double>();
    return value.is_number();
}

}  // namespace

MetricOptions metric_options_of(const Json& json, const std::string& where) {
    MetricOptions options;
    if (!json.is_object()) throw Error(where, "an object of options", json.type_name());
    for_each_metric_option(options, [&](const char* key, auto& field, const auto& first, const auto&... help) {
        if (!has_value(json, key)) return;
        const Json& value = json.at(key);
        bool known = false;
        if constexpr (sizeof...(help) == 0)
            known = assign_plain(value, field);
        else
            known = assign_named(value, field, first);
        if (!known) throw Error(where + ": field '" + key + "'", "a value of this option", shortened(dump_line(value), 60));
    });
    return options;
}

std::vector<std::string> given_options(const MetricOptions& options) {
    std::vector<std::string> given;
    for_each_metric_option(options, [&](const char* key, const auto& field, auto&&...) {
        if (field) given.emplace_back(key);
    });
    return given;
}

std::string option_name(WordTokenizer value) {
    return name_in_list(value);
}
std::string option_name(SentenceUnit value) {
    return name_in_list(value);
}
std::string option_name(GleuDraws value) {
    return name_in_list(value);
}
std::string option_name(MetricVariant value) {
    return name_in_list(value);
}
std::string option_name(BleuSmoothing value) {
    return name_in_list(value);
}
std::string option_name(TextNormalizer value) {
    return name_in_list(value);
}

}  // namespace craft
