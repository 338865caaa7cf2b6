// Filters that make texts and numbers.
#include <charconv>
#include <cmath>

#include "text/jinja/characters.h"
#include "text/jinja/filters.h"
#include "text/jinja/format.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/utf8.h"

namespace craft::jinja {

namespace {

// str(value) for a filter that makes text of it.
MarkedText plain_text(const Value& value, const char* filter) {
    MarkedText text = to_text(value);
    if (text.safe) throw Failure("the filter '" + std::string(filter) + "' of a `safe` string is not supported");
    return text;
}

template <std::string (*change)(std::string_view)>
Value changed(Interpreter& in, const Value& value, const Call& call) {
    const Arguments none(call, "this filter", {});
    const MarkedText text = plain_text(value, "upper, lower, capitalize");
    in.budget().charge(text.size() * 3);
    return make_text(derived(change(text.bytes), text));
}

// Jinja's own: letters after blanks, hyphens and opening brackets are upper case, all others lower case.
Value title(Interpreter& in, const Value& value, const Call& call) {
    const Arguments none(call, "title", {});
    const MarkedText text = plain_text(value, "title");
    in.budget().charge(text.size() * 3);
    std::string out;
    bool inside = false;
    size_t begin = 0;
    for (size_t at = 0; at <= text.size();) {
        const bool end = at == text.size();
        const size_t next = end ? at + 1 : next_character(text.bytes, at);
        const std::string_view c = end ? " " : std::string_view(text.bytes).substr(at, next - at);
        const bool parts = std::string_view("-({[<").find(c) != std::string_view::npos || is_space_text(c);
        if (parts == inside) {  // a word or a gap ends here
            const std::string_view part = std::string_view(text.bytes).substr(begin, at - begin);
            if (inside && !part.empty()) {
                const size_t first = next_character(part, 0);
                out += uppercase(part.substr(0, first)) + lowercase(part.substr(first));
            } else {
                out += part;
            }
            begin = at;
            inside = !parts;
        }
        at = next;
    }
    if (begin < text.size()) out += text.bytes.substr(begin);
    return make_text(derived(std::move(out), text));
}

Value trim(Interpreter& in, const Value& value, const Call& call) {
    const MarkedText text = plain_text(value, "trim");
    in.budget().charge(text.size());
    return call_text_method(text, "strip", call, in.budget());
}

Value replace(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "replace", {"old", "new", "count"});
    const bool all = given.get(2) == nullptr || given.get(2)->is_none();
    return make_text(replaced(plain_text(value, "replace"), to_text(given.required(0)).bytes, to_text(given.required(1)),
                              all ? -1 : given.whole(2, -1), in.budget()));
}

Value string(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "string", {});
    return make_text(to_text(value));
}

Value safe(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "safe", {});
    MarkedText text = to_text(value);
    text.safe = true;
    return make_text(std::move(text));
}

Value tojson(Interpreter& in, const Value& value, const Call& call) {
    return make_text(to_json_text(value, json_style(call), in.budget()));
}

Value indent(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "indent", {"width", "first", "blank"});
    require_defined(value);
    if (value.text() == nullptr || value.text()->safe) throw Failure("indent needs a plain string, got " + type_name(value));
    MarkedText by;
    if (given.get(0) != nullptr && given.get(0)->text() != nullptr) {
        by = *given.get(0)->text();
    } else {
        const int64_t width = given.whole(0, 4);
        in.budget().charge(width < 0 ? 0 : static_cast<size_t>(width));
        by = MarkedText(std::string(width < 0 ? 0 : static_cast<size_t>(width), ' '));
    }
    MarkedText text = *value.text();
    text.append("\n");  // as Jinja does: an empty text has one line
    const std::vector<MarkedText> lines = split_lines(text, false);
    const bool first = given.flag(1, false), blank = given.flag(2, false);
    MarkedText out;
    for (size_t i = 0; i < lines.size(); ++i) {
        in.budget().charge(by.size() + lines[i].size() + 1);
        if (i > 0) out.append("\n");
        if (i == 0 ? first : blank || lines[i].size() > 0) out.append(by);
        out.append(lines[i]);
    }
    return make_text(std::move(out));
}

Value join(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "join", {"d", "attribute"});
    std::vector<Value> items = iterate(value);
    if (given.get(1) != nullptr && !given.get(1)->is_none())
        for (Value& item : items) item = item_path(item, *given.get(1));
    MarkedText separator = given.get(0) == nullptr ? MarkedText() : to_text(*given.get(0));
    separator.safe = false;
    return make_text(joined(separator, items, in.budget()));
}

// Python's float(text): blanks around it and underscores between digits allowed.
std::optional<double> parsed_real(const std::string& text) {
    const auto [begin, end] = stripped(text, Strip::both);
    std::string digits = text.substr(begin, end - begin);
    std::erase(digits, '_');
    const char* first = digits.c_str() + (digits.starts_with("+") ? 1 : 0);
    double value = 0;
    const auto read = std::from_chars(first, digits.c_str() + digits.size(), value);
    if (digits.empty() || read.ptr != digits.c_str() + digits.size() ||
        (read.ec != std::errc() && read.ec != std::errc::result_out_of_range))
        return std::nullopt;
    return read.ec == std::errc() ? value : HUGE_VAL;
}

std::optional<int64_t> truncated(double value) {
    if (std::isnan(value) || std::isinf(value)) return std::nullopt;
    if (std::fabs(value) >= 9.2e18) throw Failure("int: a number that does not fit 64 bits");
    return static_cast<int64_t>(value);
}

Value to_int(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "int", {"default", "base"});
    if (given.whole(1, 10) != 10) throw Failure("int in a base other than 10 is not supported");
    require_defined(value);
    if (value.as<int64_t>() != nullptr) return value;
    if (const auto* truth_value = value.as<bool>()) return int64_t{*truth_value ? 1 : 0};
    std::optional<double> real;
    if (const auto* number = value.as<double>()) real = *number;
    if (const MarkedText* text = value.text()) {
        const auto [begin, end] = stripped(text->bytes, Strip::both);
        std::string digits = text->bytes.substr(begin, end - begin);
        std::erase(digits, '_');
        const char* first = digits.c_str() + (digits.starts_with("+") ? 1 : 0);
        int64_t whole = 0;
        const auto read = std::from_chars(first, digits.c_str() + digits.size(), whole);
        if (read.ptr == digits.c_str() + digits.size() && read.ec == std::errc::result_out_of_range)
            throw Failure("int: a number that does not fit 64 bits");
        if (!digits.empty() && read.ec == std::errc() && read.ptr == digits.c_str() + digits.size()) return whole;
        real = parsed_real(text->bytes);
    }
    if (const auto whole = real ? truncated(*real) : std::nullopt) return *whole;
    return given.get(0) != nullptr ? *given.get(0) : Value(int64_t{0});
}

Value to_float(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "float", {"default"});
    require_defined(value);
    if (value.as<double>() != nullptr) return value;
    if (const auto* whole = value.as<int64_t>()) return static_cast<double>(*whole);
    if (const auto* truth_value = value.as<bool>()) return *truth_value ? 1.0 : 0.0;
    if (value.text() != nullptr)
        if (const auto real = parsed_real(value.text()->bytes)) return *real;
    return given.get(0) != nullptr ? *given.get(0) : Value(0.0);
}

Value round_number(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "round", {"precision", "method"});
    const int64_t precision = given.whole(0, 0);
    const std::string method = given.get(1) == nullptr ? "common" : to_text(*given.get(1)).bytes;
    if (method != "common" && method != "ceil" && method != "floor")
        throw Failure("round: method must be common, ceil or floor");
    require_defined(value);
    const bool whole = value.as<int64_t>() != nullptr;
    if (!whole && value.as<double>() == nullptr) throw Failure("round needs a number, got " + type_name(value));
    if (precision < 0 || precision > 15) throw Failure("round to other than 0 to 15 digits is not supported");
    if (whole && method == "common") return value;
    const double number = whole ? static_cast<double>(*value.as<int64_t>()) : *value.as<double>();
    if (method == "common") {
        char buffer[400];  // correctly rounded from the decimal expansion, ties to even, as Python does
        std::snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(precision), number);
        return std::strtod(buffer, nullptr);
    }
    const double scale = std::pow(10.0, static_cast<double>(precision));
    return (method == "ceil" ? std::ceil(number * scale) : std::floor(number * scale)) / scale;
}

Value absolute(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "abs", {});
    require_defined(value);
    if (const auto* real = value.as<double>()) return std::fabs(*real);
    const Value positive = negative(negative(value));
    return *positive.as<int64_t>() < 0 ? negative(positive) : positive;
}

Value format(Interpreter& in, const Value& value, const Call& call) {
    if (!call.named.empty()) throw Failure("the filter 'format' with names is not supported");
    return make_text(percent_format(plain_text(value, "format"), make_list(call.args, ListKind::tuple), in.budget()));
}

Value otherwise(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "default", {"default_value", "boolean"});
    if (!value.is_undefined() && !(given.flag(1, false) && !truth(value))) return value;
    return given.get(0) != nullptr ? *given.get(0) : make_text("");
}

}  // namespace

void add_text_filters(std::map<std::string, Filter, std::less<>>& table) {
    table.insert({{"upper", changed<uppercase>},
                  {"lower", changed<lowercase>},
                  {"capitalize", changed<capitalize>},
                  {"title", title},
                  {"trim", trim},
                  {"replace", replace},
                  {"string", string},
                  {"safe", safe},
                  {"tojson", tojson},
                  {"indent", indent},
                  {"join", join},
                  {"int", to_int},
                  {"float", to_float},
                  {"round", round_number},
                  {"abs", absolute},
                  {"format", format},
                  {"default", otherwise},
                  {"d", otherwise}});
}

}  // namespace craft::jinja
