#include "model/tokenizer/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/word_scanner.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr uint32_t kMaxSteps = 10'000'000;     // backtracking points of one match
constexpr uint32_t kMaxMatchKiB = 256 * 1024;  // memory of one match that is not compiled to machine code
constexpr size_t kStackStart = size_t{32} << 10, kStackMax = size_t{64} << 20;  // bytes, of one that is

struct MatchContext {
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(kStackStart, kStackMax, nullptr);
    MatchContext() {
        pcre2_set_match_limit(context, kMaxSteps);
        pcre2_set_heap_limit(context, kMaxMatchKiB);
        pcre2_jit_stack_assign(context, nullptr, stack);
    }
    ~MatchContext() {
        pcre2_jit_stack_free(stack);
        pcre2_match_context_free(context);
    }
    MatchContext(const MatchContext&) = delete;
    MatchContext& operator=(const MatchContext&) = delete;
};

std::string pcre_message(int code) {
    unsigned char text[200] = {};
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

}  // namespace

struct Pattern::Compiled {
    std::string expression;
    std::string where;
    pcre2_code* code = nullptr;
    WordScanner* scanner = nullptr;  // finds most matches of a well-known expression; nullptr: none
    Compiled() = default;
    ~Compiled() { pcre2_code_free(code); }
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
};

Pattern Pattern::regular(const std::string& expression, const std::string& where) {
    auto compiled = std::make_shared<Compiled>();
    compiled->expression = expression;
    compiled->where = where;
    compiled->scanner = word_scanner(expression);
    const std::string ours = pcre_expression(expression, where);
    const std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
        pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE at = 0;
    // In Oniguruma ^ and $ stand at line ends.
    compiled->code =
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(ours.data()), ours.size(),
                      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &at, context.get());
    if (compiled->code == nullptr)
        throw Error(where, "a regular expression", "'" + shortened(expression, 200) + "'", pcre_message(error));
    pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);  // where there is none, matching is only slower
    Pattern pattern;
    pattern.compiled_ = std::move(compiled);
    return pattern;
}

Pattern Pattern::literal(const std::string& text) {
    if (text.empty()) return regular("", "an empty text");
    Pattern pattern;
    pattern.text_ = text;
    return pattern;
}

void Pattern::spans(std::string_view text, std::vector<PatternSpan>& out) const {
    if (text.empty()) {
        out.push_back({});
        return;
    }
    size_t done = 0;
    const auto found = [&](size_t begin, size_t end) {
        if (done != begin) out.push_back({done, begin, false});
        out.push_back({begin, end, true});
        done = end;
    };
    if (compiled_ == nullptr) {
        for (size_t at = text.find(text_); at != text.npos; at = text.find(text_, done)) found(at, at + text_.size());
        if (done != text.size()) out.push_back({done, text.size(), false});
        return;
    }
    thread_local MatchContext limits;
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(
        pcre2_match_data_create_from_pattern(compiled_->code, nullptr), pcre2_match_data_free);
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    bool any = false;  // a match stands before `done`
    for (size_t at = 0; at <= text.size();) {
        if (compiled_->scanner != nullptr && done == at) {
            if (const size_t end = compiled_->scanner(text, at); end > at) {
                out.push_back({at, end, true});
                done = at = end;
                any = true;
                continue;
            }
        }
        const int result =
            pcre2_match(compiled_->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK, data.get(), limits.context);
        if (result == PCRE2_ERROR_NOMATCH) break;
        if (result < 0)
            throw Error(
                compiled_->where, "a pattern that matches within its limits",
                "'" + shortened(compiled_->expression, 200) + "' on a text of " + std::to_string(text.size()) + " bytes",
                pcre_message(result));
        const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data.get());
        if (range[1] == range[0] && any && range[1] == done) {
            if (at >= text.size()) break;
            at += code_point_at(text, at).bytes;
            continue;
        }
        if (range[1] < range[0])
            throw Error(compiled_->where, "a pattern whose matches end after their beginning", compiled_->expression);
        found(range[0], range[1]);
        any = true;
        at = done;
    }
    if (done != text.size()) out.push_back({done, text.size(), false});
}

}  // namespace craft
