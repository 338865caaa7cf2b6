#include "core/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cctype>

#include "core/error.h"

namespace craft {

namespace {

constexpr uint32_t kMaxSteps = 1'000'000;  // backtracking points of one match
constexpr uint32_t kMaxKiB = 64 * 1024;    // memory of one match
constexpr size_t kLongest = 100'000;       // bytes of an expression

using MatchData = std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)>;

std::string pcre_message(int code) {
    unsigned char text[200] = {};
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

// Python's {,n} is {0,n}; PCRE2 10.42 takes it for text.
std::string in_pcre(const std::string& expression) {
    std::string out;
    bool in_class = false;
    for (size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        out += c;
        if (c == '\\' && i + 1 < expression.size()) {
            out += expression[++i];
        } else if (c == '[' && !in_class) {
            in_class = true;
            if (i + 1 < expression.size() && expression[i + 1] == '^') out += expression[++i];
            if (i + 1 < expression.size() && expression[i + 1] == ']') out += expression[++i];
        } else if (c == ']') {
            in_class = false;
        } else if (c == '{' && !in_class && i + 2 < expression.size() && expression[i + 1] == ',' &&
                   std::isdigit(static_cast<unsigned char>(expression[i + 2])) != 0) {
            out += '0';
        }
    }
    return out;
}

}  // namespace

struct RegularExpression::Compiled {
    std::string where;
    pcre2_code* code = nullptr;
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    Compiled() {
        pcre2_set_match_limit(context, kMaxSteps);
        pcre2_set_heap_limit(context, kMaxKiB);
    }
    ~Compiled() {
        pcre2_code_free(code);
        pcre2_match_context_free(context);
    }
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
};

RegularExpression::RegularExpression(const std::string& expression, std::string where) {
    if (expression.size() > kLongest)
        throw Error(where, "a regular expression of at most " + std::to_string(kLongest) + " bytes",
                    std::to_string(expression.size()));
    auto compiled = std::make_shared<Compiled>();
    compiled->where = std::move(where);
    const std::string ours = in_pcre(expression);
    int error = 0;
    PCRE2_SIZE at = 0;
    compiled->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(ours.data()), ours.size(),
                                   PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr);
    if (compiled->code == nullptr)
        throw Error(compiled->where, "a regular expression", "'" + expression.substr(0, 200) + "'", pcre_message(error));
    compiled_ = std::move(compiled);
}

bool RegularExpression::match(std::string_view text, unsigned options, void* data) const {
    const int result = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                                   PCRE2_ANCHORED | options, static_cast<pcre2_match_data*>(data), compiled_->context);
    if (result == PCRE2_ERROR_NOMATCH) return false;
    if (result < 0)
        throw Error(compiled_->where, "an expression that matches within its limits",
                    "one that does not on '" + std::string(text.substr(0, 200)) + "'", pcre_message(result));
    return true;
}

bool RegularExpression::matches_whole(std::string_view text) const {
    const MatchData data(pcre2_match_data_create_from_pattern(compiled_->code, nullptr), pcre2_match_data_free);
    return match(text, PCRE2_ENDANCHORED, data.get());
}

bool RegularExpression::matches_start(std::string_view text) const {
    const MatchData data(pcre2_match_data_create_from_pattern(compiled_->code, nullptr), pcre2_match_data_free);
    return match(text, 0, data.get());
}

std::optional<std::string> RegularExpression::group(std::string_view text, const std::string& name) const {
    const MatchData data(pcre2_match_data_create_from_pattern(compiled_->code, nullptr), pcre2_match_data_free);
    if (!match(text, 0, data.get())) return std::nullopt;
    PCRE2_UCHAR* found = nullptr;
    PCRE2_SIZE length = 0;
    if (pcre2_substring_get_byname(data.get(), reinterpret_cast<PCRE2_SPTR>(name.c_str()), &found, &length) != 0)
        return std::nullopt;
    std::string group(reinterpret_cast<const char*>(found), length);
    pcre2_substring_free(found);
    return group;
}

}  // namespace craft
