#include "metrics/options.h"

#include <stdexcept>
#include <type_traits>

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

}  // namespace

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
