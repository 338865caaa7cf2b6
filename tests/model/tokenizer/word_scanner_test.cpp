// The scanners of well-known split patterns find the matches that PCRE2 finds.
#include "model/tokenizer/word_scanner.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "model/tokenizer/pattern.h"

namespace craft {
namespace {

const std::string kLetters = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)";
const std::string kRest = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const std::vector<std::string> kPatterns = {
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
    kLetters + R"(\p{N}{1,3})" + kRest,
    kLetters + R"(\p{N})" + kRest,
};

std::string random_pieces(Rng& rng) {
    const std::vector<std::string> bits = {" ",
                                           "  ",
                                           "\n",
                                           "\r",
                                           "\t",
                                           "\x0b",
                                           "a",
                                           "S",
                                           "'",
                                           "'s",
                                           "'LL",
                                           "'ve",
                                           "7",
                                           "123",
                                           ".",
                                           "!",
                                           std::string(1, '\0'),
                                           "\x1c",
                                           "\x7f",
                                           "\xc3\xa9",
                                           "\xc5\xbf",
                                           "\xc2\xa0",
                                           "\xe3\x80\x80",
                                           "\xcc\x81",
                                           "\xd9\xa3",
                                           "\xf0\x9f\x98\x80",
                                           "_",
                                           "\xc2\xbd"};
    std::string text;
    for (uint64_t n = rng.below(24); n > 0; --n) text += rng.pick(bits);
    return text;
}

TEST(WordScanner, FindsWhatThePatternMatches) {
    Rng rng(7, "word scanner");
    for (const std::string& expression : kPatterns) {
        WordScanner* scanner = word_scanner(expression);
        ASSERT_NE(scanner, nullptr) << expression;
        const Pattern slow = Pattern::regular("(?:" + expression + ")", "a test");  // no scanner knows it so
        int decided = 0;
        for (int turn = 0; turn < 20'000; ++turn) {
            const std::string text = random_pieces(rng);
            std::vector<PatternSpan> spans;
            slow.spans(text, spans);
            for (const PatternSpan& span : spans) {
                if (text.empty()) continue;
                ASSERT_TRUE(span.match);
                const size_t end = scanner(text, span.begin);
                decided += end > 0 ? 1 : 0;
                ASSERT_TRUE(end == 0 || end == span.end)
                    << expression << " at " << span.begin << " of '" << text << "': " << end;
            }
        }
        EXPECT_GT(decided, 20'000);
    }
}

}  // namespace
}  // namespace craft
