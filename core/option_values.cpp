// The types that an option may have: how each is read from JSON and from the text of a flag, and written back.
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/options.h"
#include "core/utf8.h"

namespace craft {

namespace {

template <class T>
struct Element {
    using type = void;
};
template <class T>
struct Element<std::vector<T>> {
    using type = T;
};
template <class T>
struct Element<std::optional<T>> {
    using type = T;
};
template <class T>
constexpr bool is_list = std::is_same_v<T, std::vector<typename Element<T>::type>>;
template <class T>
constexpr bool is_optional = std::is_same_v<T, std::optional<typename Element<T>::type>>;
template <class T>
constexpr bool is_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>;

std::string expected(const std::string& what, const Json& got) {
    return "expected " + what + ", got " +
           (got.is_string() ? "'" + shortened(got.get<std::string>(), 80) + "'" : shortened(dump_line(got), 80));
}

template <class T>
std::string type_name() {
    if constexpr (is_list<T>) return "list";
    if constexpr (is_optional<T>) return type_name<typename Element<T>::type>();
    if constexpr (std::is_same_v<T, bool>) return "flag";
    if constexpr (std::is_integral_v<T>) return "integer";
    if constexpr (std::is_same_v<T, std::filesystem::path>) return "path";
    return std::is_same_v<T, double> ? "number" : "string";
}

// "1e6" and 1e6 are integers too, as long as a double holds them exactly.
template <class T>
std::string read_integer(const Json& value, T& target) {
    const auto low = std::numeric_limits<T>::min();
    const auto high = std::numeric_limits<T>::max();
    const std::string range = "an integer from " + std::to_string(low) + " to " + std::to_string(high);
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::trunc(number) != number || std::abs(number) > 0x1p53) return expected("an integer", value);
        return read_integer(Json(static_cast<int64_t>(number)), target);
    }
    if (value.is_number_unsigned()) {
        const auto number = value.get<uint64_t>();
        if (number > static_cast<uint64_t>(high)) return expected(range, value);
        return target = static_cast<T>(number), "";
    }
    if (!value.is_number_integer()) return expected("an integer", value);
    const auto number = value.get<int64_t>();
    if (std::is_unsigned_v<T> ? number < 0 : number < static_cast<int64_t>(low) || number > static_cast<int64_t>(high))
        return expected(range, value);
    return target = static_cast<T>(number), "";
}

// Sets `target` and returns "", or leaves it and returns the problem.
template <class T>
std::string read_value(const Json& value, T& target) {
    if constexpr (is_list<T>) {
        if (!value.is_array()) return expected("a list", value);
        T items;
        for (const Json& one : value) {
            typename Element<T>::type item{};
            if (const std::string problem = read_value(one, item); !problem.empty()) return "in the list: " + problem;
            items.push_back(std::move(item));
        }
        target = std::move(items);
    } else if constexpr (is_optional<T>) {
        typename Element<T>::type item{};
        if (value.is_null()) return target.reset(), "";
        if (const std::string problem = read_value(value, item); !problem.empty()) return problem;
        target = std::move(item);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!value.is_boolean()) return expected("true or false", value);
        target = value.get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
        return read_integer(value, target);
    } else if constexpr (std::is_same_v<T, double>) {
        if (!value.is_number()) return expected("a number", value);
        target = value.get<double>();
    } else {
        if (!value.is_string()) return expected("a string", value);
        target = value.get<std::string>();
    }
    return "";
}

template <class N>
bool is_whole_number(const std::string& text, N& number) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size();
}

Json number_of(const std::string& text) {
    int64_t integer = 0;
    uint64_t natural = 0;
    double number = 0;
    if (is_whole_number(text, integer)) return integer;
    if (is_whole_number(text, natural)) return natural;
    if (is_whole_number(text, number) && std::isfinite(number)) return number;
    return text;
}

Json bool_of(const std::string& text) {
    for (const char* yes : {"true", "1", "yes", "on"})
        if (text == yes) return true;
    for (const char* no : {"false", "0", "no", "off"})
        if (text == no) return false;
    return text;
}

// The JSON value that a flag's text stands for; the text itself, as a string, where it stands for none.
template <class T>
Json value_of_text(const std::string& text) {
    if constexpr (is_list<T>) {
        if (!text.empty() && text[0] == '[') {
            const Json list = Json::parse(text, nullptr, /*allow_exceptions=*/false);
            return list.is_discarded() ? Json(text) : list;
        }
        Json list = Json::array();
        for (size_t at = 0; at < text.size();) {
            const size_t comma = std::min(text.find(',', at), text.size());
            list.push_back(value_of_text<typename Element<T>::type>(text.substr(at, comma - at)));
            at = comma + 1;
        }
        return list;
    } else if constexpr (is_optional<T>) {
        return text == "none" ? Json(nullptr) : value_of_text<typename Element<T>::type>(text);
    } else if constexpr (is_text<T>) {
        return text;
    } else if constexpr (std::is_same_v<T, bool>) {
        return bool_of(text);
    } else {
        return number_of(text);
    }
}

template <class T>
Json json_of(const T& value) {
    if constexpr (is_list<T>) {
        Json list = Json::array();
        for (const auto& item : value) list.push_back(json_of(item));
        return list;
    } else if constexpr (is_optional<T>) {
        return value ? json_of(*value) : Json(nullptr);
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        return value.string();
    } else {
        return value;
    }
}

}  // namespace

template <class T>
Option& OptionTable::add(const std::string& key, T& target, const std::string& help) {
    Option option;
    option.key = key;
    option.help = help;
    option.type = type_name<T>();
    option.assign = [&target](const Json& value) { return read_value(value, target); };
    option.assign_text = [&target](const std::string& text) { return read_value(value_of_text<T>(text), target); };
    option.current = [&target] { return json_of(target); };
    return add_option(std::move(option));
}

template Option& OptionTable::add(const std::string&, bool&, const std::string&);
template Option& OptionTable::add(const std::string&, int&, const std::string&);
template Option& OptionTable::add(const std::string&, int64_t&, const std::string&);
template Option& OptionTable::add(const std::string&, uint64_t&, const std::string&);
template Option& OptionTable::add(const std::string&, double&, const std::string&);
template Option& OptionTable::add(const std::string&, std::string&, const std::string&);
template Option& OptionTable::add(const std::string&, std::filesystem::path&, const std::string&);
template Option& OptionTable::add(const std::string&, std::vector<std::string>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::vector<std::filesystem::path>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::vector<int64_t>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::vector<double>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::optional<int64_t>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::optional<uint64_t>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::optional<double>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::optional<std::string>&, const std::string&);
template Option& OptionTable::add(const std::string&, std::optional<std::filesystem::path>&, const std::string&);

}  // namespace craft
