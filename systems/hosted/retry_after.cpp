#include "systems/hosted/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

#include "core/ascii.h"

namespace craft {

namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<double> number_of(std::string_view text) {
    const size_t point = std::min(text.find('.'), text.size());
    if (!is_digits(text.substr(0, point)) || (point < text.size() && !is_digits(text.substr(point + 1))))
        return std::nullopt;
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// What a date says, by the letters of a form: d day, m month's name, y year, Y its last two digits, h, i, s the time. A
// blank of the form is one or more of the text's, W is any word, and the rest stands for itself.
struct DateFields {
    int day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0;
};

bool take_number(std::string_view& text, size_t least, size_t most, int& number) {
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < least || digits > most) return false;
    std::from_chars(text.data(), text.data() + digits, number);
    text.remove_prefix(digits);
    return true;
}

bool take_month(std::string_view& text, int& month) {
    const auto found = std::find(kMonths.begin(), kMonths.end(), text.substr(0, 3));
    if (found == kMonths.end()) return false;
    month = static_cast<int>(found - kMonths.begin()) + 1;
    text.remove_prefix(3);
    return true;
}

bool take_part(std::string_view& text, char letter, DateFields& fields) {
    switch (letter) {
        case 'd':
            return take_number(text, 1, 2, fields.day);
        case 'm':
            return take_month(text, fields.month);
        case 'y':
            return take_number(text, 4, 4, fields.year);
        case 'Y':
            return take_number(text, 2, 2, fields.year);
        case 'h':
            return take_number(text, 2, 2, fields.hour);
        case 'i':
            return take_number(text, 2, 2, fields.minute);
        case 's':
            return take_number(text, 2, 2, fields.second);
        case 'W': {
            const size_t letters = std::min(text.find_first_of(" ,"), text.size());
            text.remove_prefix(letters);
            return letters > 0;
        }
        case ' ': {
            const size_t blanks = std::min(text.find_first_not_of(' '), text.size());
            text.remove_prefix(blanks);
            return blanks > 0;
        }
        default:
            if (!text.starts_with(letter)) return false;
            text.remove_prefix(1);
            return true;
    }
}

std::optional<DateFields> date_of(std::string_view text, std::string_view form) {
    DateFields fields;
    for (const char letter : form)
        if (!take_part(text, letter, fields)) return std::nullopt;
    return text.empty() ? std::optional(fields) : std::nullopt;
}

// Two digits of a year are the one that lies at most 50 years ahead (RFC 9110 §5.6.7).
int whole_year(int last_digits, std::time_t now) {
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::from_time_t(now));
    const int this_year = static_cast<int>(std::chrono::year_month_day(today).year());
    const int year = this_year / 100 * 100 + last_digits;
    return year > this_year + 50 ? year - 100 : year;
}

std::optional<double> seconds_of(const DateFields& fields) {
    using namespace std::chrono;
    const year_month_day day{year{fields.year}, month{static_cast<unsigned>(fields.month)},
                             std::chrono::day{static_cast<unsigned>(fields.day)}};
    // Second 60 is a leap second's.
    if (!day.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 60) return std::nullopt;
    const auto time =
        sys_days(day).time_since_epoch() + hours(fields.hour) + minutes(fields.minute) + seconds(fields.second);
    return static_cast<double>(duration_cast<seconds>(time).count());
}

}  // namespace

std::optional<double> retry_after_seconds(std::string_view value, std::time_t now) {
    value = stripped(value);
    std::optional<double> wait = number_of(value);
    if (!wait) {
        std::optional<DateFields> date = date_of(value, "W, d m y h:i:s GMT");
        if (!date) date = date_of(value, "W m d h:i:s y");
        if (!date && (date = date_of(value, "W, d-m-Y h:i:s GMT"))) date->year = whole_year(date->year, now);
        if (!date) return std::nullopt;
        wait = seconds_of(*date);
        if (wait) *wait -= static_cast<double>(now);
    }
    return wait && *wait > 0 ? wait : std::nullopt;
}

}  // namespace craft
