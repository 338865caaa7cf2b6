#include "text/jinja/format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "text/jinja/characters.h"

namespace craft::jinja {

namespace {

MarkedText whole_text(const Value& value, char code) {
    if (const auto* real = value.as<double>()) {
        if (!(std::fabs(*real) < 9e18)) throw Failure("a number that does not fit 64 bits");
        return MarkedText(std::to_string(static_cast<int64_t>(*real)));
    }
    if (const auto* truth_value = value.as<bool>()) return MarkedText(*truth_value ? "1" : "0");
    if (value.as<int64_t>() != nullptr) return to_text(value);
    throw Failure(std::string("%") + code + " needs a number, got " + type_name(value));
}

MarkedText real_text(const Value& value, int precision) {
    double number = 0;
    if (const auto* real = value.as<double>())
        number = *real;
    else if (const auto* whole = value.as<int64_t>())
        number = static_cast<double>(*whole);
    else
        throw Failure("%f needs a number, got " + type_name(value));
    std::array<char, 400> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", precision, number);
    return MarkedText(buffer.data());
}

// The precision after a '%', if there is one; moves `at` after it.
int read_precision(const std::string& text, size_t& at) {
    if (at >= text.size() || text[at] != '.') return 6;
    int precision = 0;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) precision = precision * 10 + (text[at] - '0');
    if (precision > 40) throw Failure("a precision above 40 is not supported");
    return precision;
}

}  // namespace

MarkedText percent_format(const MarkedText& text, const Value& values, Budget& budget) {
    const List* list = values.list();
    const bool several = list != nullptr && list->kind == ListKind::tuple;
    size_t used = 0;
    const auto next = [&]() -> const Value& {
        if (several ? used >= list->items.size() : used > 0) throw Failure("not enough arguments for format string");
        return several ? list->items[used++] : (++used, values);
    };
    MarkedText out;
    for (size_t at = 0; at < text.size();) {
        const size_t percent = std::min(text.bytes.find('%', at), text.size());
        out.append_slice(text, at, percent);
        if (percent == text.size()) break;
        at = percent + 1;
        const int precision = read_precision(text.bytes, at);
        const char code = at < text.size() ? text.bytes[at] : '\0';
        ++at;
        MarkedText part;
        if (code == '%')
            part = MarkedText("%");
        else if (code == 's')
            part = to_text(next());
        else if (code == 'r')
            part = to_repr(next());
        else if (code == 'd' || code == 'i')
            part = whole_text(next(), code);
        else if (code == 'f')
            part = real_text(next(), precision);
        else
            throw Failure("a format string with '%" + std::string(1, code) + "' is not supported");
        budget.charge(part.size());
        out.append(part);
    }
    const bool left_over = several ? used < list->items.size() : used == 0 && values.map() == nullptr;
    if (left_over) throw Failure("not all arguments converted during string formatting");
    return out;
}

MarkedText brace_format(const MarkedText& text, const Call& call, Budget& budget) {
    MarkedText out;
    size_t automatic = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t brace = std::min(text.bytes.find_first_of("{}", at), text.size());
        out.append_slice(text, at, brace);
        if (brace == text.size()) break;
        if (text.bytes.compare(brace, 2, "{{") == 0 || text.bytes.compare(brace, 2, "}}") == 0) {
            out.append_slice(text, brace, brace + 1);
            at = brace + 2;
            continue;
        }
        const size_t end = text.bytes.find('}', brace);
        if (text.bytes[brace] == '}' || end == std::string::npos) throw Failure("a single brace in a format string");
        const std::string field = text.bytes.substr(brace + 1, end - brace - 1);
        at = end + 1;
        if (field.find_first_of(".[!:{") != std::string::npos)
            throw Failure("the format field '{" + field + "}' is not supported");
        const Value* value = nullptr;
        const bool digits = field.find_first_not_of("0123456789") == std::string::npos && field.size() < 9;
        if (digits) {
            const size_t index = field.empty() ? automatic++ : std::stoul(field);
            if (index < call.args.size()) value = &call.args[index];
        } else {
            for (const auto& [name, given] : call.named)
                if (name == field) value = &given;
        }
        if (value == nullptr) throw Failure("the format field '{" + field + "}' has no value");
        const MarkedText part = to_text(*value);
        budget.charge(part.size());
        out.append(part);
    }
    return out;
}

std::string time_now(const std::string& format) {
    if (format.empty()) return "";
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 1024> buffer{};
    const size_t size = std::strftime(buffer.data(), buffer.size(), format.c_str(), &local);
    if (size == 0) throw Failure("strftime_now: a date of more than 1023 bytes, or none");
    return {buffer.data(), size};
}

}  // namespace craft::jinja
