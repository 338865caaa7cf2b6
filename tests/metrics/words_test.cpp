#include "metrics/words.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/metrics/oracles.h"
#include "text/lists.h"

namespace craft {
namespace {

std::string words13a(const std::string& text) {
    return tokenised(text, WordTokenizer::mteval13a, false);
}

TEST(MetricWords, Mteval13aSetsMarksApart) {
    EXPECT_EQ(words13a("Hello, world!"), "Hello , world !");
    EXPECT_EQ(words13a("It's 1,000.5 in 2009-10, well-known."), "It's 1,000.5 in 2009 - 10 , well-known .");
    EXPECT_EQ(words13a("a &lt;b&gt; &amp;quot; &quot;"), "a < b > & quot ; \"");  // &amp; is unescaped after &quot;
    EXPECT_EQ(words13a("<skipped>one-\ntwo\nthree"), "onetwo three");
    EXPECT_EQ(words13a("..,"), ". . ,");
    EXPECT_EQ(words13a(std::string("a\0b", 3)), std::string("a\0b", 3));
    EXPECT_EQ(words13a(" \u00a0\u3000\t"), "");
    EXPECT_EQ(words13a("\xff.5"), "\xff . 5");  // any bytes
}

// Two stops that touch let a whole line go the long way, one substitution after the other; lines without them are parted at
// once.
TEST(MetricWords, BothWaysOfMteval13aAgree) {
    std::mt19937 random(5);
    const std::vector<std::string> pieces = {"a", "1",  ".", ",",      "-",      " ", "!",
                                             "'", "\t", "é", "\u00a0", "\u3000", "‑", "_"};
    int compared = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string line;
        for (size_t i = 0; i < 1 + random() % 12; ++i) line += pieces[random() % pieces.size()];
        if (line.find_first_of(".,") != std::string::npos) {
            bool touch = false;
            for (size_t i = 1; i < line.size(); ++i)
                touch |= (line[i] == '.' || line[i] == ',') && (line[i - 1] == '.' || line[i - 1] == ',');
            if (touch) continue;
        }
        const std::string words = mteval_words(line);
        ASSERT_EQ(mteval_words(line + " .."), words + (words.empty() ? ". ." : " . .")) << line;
        ++compared;
    }
    EXPECT_GT(compared, 5000);
}

// By hand from sacreBLEU's three substitutions: marks and symbols of Unicode, but not between digits.
TEST(MetricWords, InternationalKnowsAllMarks) {
    const auto words = [](const std::string& text) { return tokenised(text, WordTokenizer::intl, false); };
    EXPECT_EQ(words("It's «so» 1,000.5 — 5€."), "It ' s « so » 1,000.5 — 5 € .");
    EXPECT_EQ(words("in 1999."), "in 1999.");  // a mark at the end after a digit stays
    EXPECT_EQ(words("in 1999. "), "in 1999 .");
    EXPECT_EQ(words("日本。a＋b"), "日本 。 a ＋ b");
}

TEST(MetricWords, OthersSplitAtBlanks) {
    EXPECT_EQ(tokenised(" A\u2028b\r\nC. ", WordTokenizer::whitespace, false), "A b C.");
    EXPECT_EQ(tokenised("ÄÖ ΑΣ", WordTokenizer::whitespace, true), "äö ας");
    EXPECT_EQ(tokenised("Don't \"go\".", WordTokenizer::nltk, false), "Do n't `` go '' .");
}

TEST(MetricWords, Mteval13aOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/tok13a.jsonl");
    for (const Json& oracle : test::oracle_cases(file, "tok13a")) {
        const auto text = oracle.at("inputs").at("text").get<std::string>();
        const auto& expected = oracle.at("expected");
        EXPECT_EQ(words13a(text), join(expected.at("tokens").get<std::vector<std::string>>(), " ")) << oracle.at("id");
        EXPECT_EQ(tokenised(text, WordTokenizer::mteval13a, true),
                  join(expected.at("lower_tokens").get<std::vector<std::string>>(), " "))
            << oracle.at("id");
    }
}

}  // namespace
}  // namespace craft
