// Where PCRE2 must mean what Oniguruma does; the values are those of the `tokenizers` library (0.23).
#include "model/tokenizer/pattern.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

// The text with each match in brackets.
std::string marked(const std::string& expression, const std::string& text) {
    std::vector<PatternSpan> spans;
    Pattern::regular(expression, "test").spans(text, spans);
    std::string out;
    for (const PatternSpan& span : spans) {
        const std::string part = text.substr(span.begin, span.end - span.begin);
        out += span.match ? "[" + part + "]" : part;
    }
    return out;
}

TEST(Pattern, PunctuationHoldsSymbols) {
    EXPECT_EQ(marked("[[:punct:]]+",
                     "a.$b\xe2\x82\xac\xc2\xa9"
                     "c\xe2\x80\x8d"
                     "d"),
              "a[.$]b[\xe2\x82\xac\xc2\xa9]c\xe2\x80\x8d"
              "d");
    EXPECT_EQ(marked("[[:^punct:]x]+", "a.$b"), "[a].$[b]");
}

TEST(Pattern, LettersAreAlphabeticMarksAreOfWords) {
    const std::string text = "e\xcc\x81 9\xe2\x85\xa7";  // e, acute, blank, 9, roman eight
    EXPECT_EQ(marked("[[:alpha:]]", text), "[e]\xcc\x81 9[\xe2\x85\xa7]");
    EXPECT_EQ(marked("[[:alnum:]]+", text), "[e]\xcc\x81 [9\xe2\x85\xa7]");
    EXPECT_EQ(marked("[[:word:]]+", text), "[e\xcc\x81] [9\xe2\x85\xa7]");
    EXPECT_EQ(marked("[[:cntrl:]]", "a\x01\xc2\xad"), "a[\x01]\xc2\xad");
}

TEST(Pattern, BoundariesOfWordsWithMarksAndRaisedDigits) {
    EXPECT_EQ(marked("\\b",
                     "a\xcc\x81"
                     "b c\xc2\xb2"),
              "[]a\xcc\x81"
              "b[] []c\xc2\xb2[]");
    EXPECT_EQ(marked("\\w\\B", "a\xcc\x81."), "[a]\xcc\x81.");
    EXPECT_EQ(marked("[\\b]", "a\b"), "a[\b]");
}

TEST(Pattern, ClassesThatCannotBeSaidAreRefused) {
    for (const char* expression : {"[[:nothing:]]", "[[:^space:]]", "[[:alpha]"})
        EXPECT_THROW(Pattern::regular(expression, "test"), Error) << expression;
}

}  // namespace
}  // namespace craft
