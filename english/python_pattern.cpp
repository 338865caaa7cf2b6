#include "english/python_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cctype>

#include "core/error.h"

namespace craft {

namespace {

constexpr size_t kLongestExpression = 100'000;

std::string pcre_error_text(int code) {
    unsigned char text[200] = {};
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

bool all_hexadecimal(std::string_view digits) {
    for (const char c : digits)
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
    return true;
}

// "\u00A6" becomes "\x{00A6}". "(?u)" says that classes are Unicode's, which they are here anyway, and PCRE2 does not know
// it.
std::string python_to_pcre(std::string expression) {
    if (expression.starts_with("(?u)")) expression.erase(0, 4);
    std::string out;
    for (size_t i = 0; i < expression.size(); ++i) {
        out += expression[i];
        if (expression[i] != '\\' || i + 1 == expression.size()) continue;
        const char letter = expression[++i];
        const size_t digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
        const std::string code_point = expression.substr(i + 1, digits);
        if (digits == 0 || code_point.size() < digits || !all_hexadecimal(code_point)) {
            out += letter;
            continue;
        }
        out += "x{" + code_point + "}";
        i += digits;
    }
    return out;
}

// What a search writes to, one a thread.
struct SearchScratch {
    pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(size_t{32} * 1024, size_t{16} * 1024 * 1024, nullptr);
    SearchScratch() {
        pcre2_set_match_limit(context, PythonPattern::kMaxSteps);
        pcre2_jit_stack_assign(context, nullptr, stack);
    }
    ~SearchScratch() {
        pcre2_match_data_free(data);
        pcre2_match_context_free(context);
        pcre2_jit_stack_free(stack);
    }
    SearchScratch(const SearchScratch&) = delete;
    SearchScratch& operator=(const SearchScratch&) = delete;
};

}  // namespace

struct PythonPattern::Compiled {
    std::string where;
    pcre2_code* code = nullptr;
    Compiled() = default;
    ~Compiled() { pcre2_code_free(code); }
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
};

PythonPattern::PythonPattern(const std::string& expression, std::string where) {
    if (expression.size() > kLongestExpression)
        throw Error(where, "a regular expression of at most " + std::to_string(kLongestExpression) + " bytes",
                    std::to_string(expression.size()));
    auto compiled = std::make_shared<Compiled>();
    compiled->where = std::move(where);
    const std::string ours = python_to_pcre(expression);
    const std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
        pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);  // as for Python's ^, $ and the dot
    int error = 0;
    PCRE2_SIZE at = 0;
    compiled->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(ours.data()), ours.size(),
                                   PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &at, context.get());
    if (compiled->code == nullptr)
        throw Error(compiled->where, "a regular expression", "'" + expression.substr(0, 100) + "'",
                    pcre_error_text(error) + " at byte " + std::to_string(at));
    // Without a compiler for this processor PCRE2 interprets the expression, with the same results.
    pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);
    compiled_ = std::move(compiled);
}

std::optional<PatternMatch> PythonPattern::match(std::string_view text, size_t from, unsigned options) const {
    thread_local const SearchScratch scratch;
    // The texts are known to be UTF-8: checking them again at each search would make long ones quadratic.
    const int result = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                                   PCRE2_NO_UTF_CHECK | options, scratch.data, scratch.context);
    if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (result < 0)
        throw Error(compiled_->where, "an expression that is found within " + std::to_string(kMaxSteps) + " steps",
                    "one that is not in '" + std::string(text.substr(0, 100)) + "'", pcre_error_text(result));
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(scratch.data);
    return PatternMatch{range[0], range[1]};
}

std::optional<PatternMatch> PythonPattern::search(std::string_view text, size_t from) const {
    return match(text, from, 0);
}

bool PythonPattern::matches_start(std::string_view text) const {
    return match(text, 0, PCRE2_ANCHORED).has_value();
}

}  // namespace craft
