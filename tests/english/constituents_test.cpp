#include "english/constituents.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <clocale>
#include <ctime>
#include <thread>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

#define CRAFT_NEEDS_LINK_GRAMMAR()                                \
    if (!std::filesystem::exists(link_grammar_dictionary_file())) \
    GTEST_SKIP() << "not installed: " << link_grammar_dictionary_file() << " (run scripts/setup.sh --english)"

// The brackets are paired and words outside them none.
void expect_tree(const std::string& bracketed, const std::string& of) {
    int depth = 0;
    for (const char c : bracketed) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        ASSERT_GE(depth, 0) << of;
    }
    EXPECT_EQ(depth, 0) << of;
    EXPECT_EQ(bracketed.empty() ? '(' : bracketed[0], '(') << of;
}

TEST(ConstituentParser, BracketsASentence) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser;
    const ConstituentParse parse = parser.parse("The cat sat on the mat.");
    EXPECT_EQ(parse.bracketed, "(S (NP The cat) (VP sat (PP on (NP the mat))) .)");
    EXPECT_EQ(parse.words, 7);
    EXPECT_EQ(parse.left_out, 0);
    EXPECT_FALSE(parse.timed_out);
    EXPECT_EQ(parse.problem, "");
    EXPECT_THAT(parser.parse("Zo\xC3\xAB can't see the naive farmer who owns the old caf\xC3\xA9.").bracketed,
                AllOf(HasSubstr("Zo\xC3\xAB"), HasSubstr("old caf\xC3\xA9"), HasSubstr("(SBAR")));
}

TEST(ConstituentParser, CountsWhatItLeavesOut) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser;
    const ConstituentParse parse = parser.parse("The cat the sat of on the mat.");
    EXPECT_EQ(parse.words, 9);
    EXPECT_GE(parse.left_out, 1);
    EXPECT_LE(parse.left_out, 3);
    expect_tree(parse.bracketed, "left out");
    for (const char* word : {"cat", "sat", "mat", "of"})
        EXPECT_THAT(parse.bracketed, HasSubstr(word)) << "it stands in the tree";
}

TEST(ConstituentParser, BearsWithAnything) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser;
    for (const char* nothing : {"", "   ", "\n\t", "\x01\x02"}) {
        const ConstituentParse parse = parser.parse(nothing);
        EXPECT_EQ(parse.bracketed, "");
        EXPECT_EQ(parse.words, 0);
        EXPECT_EQ(parse.problem, "empty");
    }
    for (const std::string& odd :
         {std::string(")))((("), std::string("( [ { < a"),
          std::string("Das ist kein englischer Satz, sondern ein deutscher."),
          std::string("a\x01"
                      "b\x7F c\nd"),
          std::string("LEFT-WALL the cat RIGHT-WALL"), std::string("RIGHT-WALL"),
          std::string("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x80\x82"),
          std::string("\xF0\x9F\x99\x82 smile \xF0\x9F\x99\x82"), std::string("."), std::string("\"'`"),
          std::string(3000, 'a'), std::string("a\0b", 3), std::string("%s %n %d"), std::string("[cat] {dog} (bird)"),
          std::string("###LEFT-WALL### x.n y.v-d")}) {
        const ConstituentParse parse = parser.parse(odd);
        expect_tree(parse.bracketed, odd);
        EXPECT_GT(parse.words, 0) << odd;
        EXPECT_LE(parse.left_out, parse.words) << odd;
        EXPECT_EQ(parse.bracketed.empty(), !parse.problem.empty()) << odd << ": " << parse.problem;
    }
    EXPECT_THAT(message_of([&] { parser.parse("a \xFF"); }),
                HasSubstr("sentence to parse: expected UTF-8, got other bytes at byte 2"));
    EXPECT_EQ(parser.parse("It works.").left_out, 0) << "still";
}

TEST(ConstituentParser, DoesNotTryWhatIsTooLong) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser;
    std::string words;
    for (int i = 0; i < 2000; ++i) words += "word ";
    const ConstituentParse parse = parser.parse(words);
    EXPECT_EQ(parse.bracketed, "");
    EXPECT_EQ(parse.words, 2000);
    EXPECT_EQ(parse.left_out, 2000);
    EXPECT_EQ(parse.problem, "too long");
    EXPECT_EQ(parser.parse(std::string(5001, 'a')).problem, "too long");
    EXPECT_NE(parser.parse(words.substr(0, 5 * 150)).problem, "too long");
    EXPECT_EQ(parser.parse(words.substr(0, 5 * 151)).problem, "too long");
}

// Pieces that can be linked in very many ways.
TEST(ConstituentParser, KeepsToItsTime) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser(0.5);  // counts as one second
    std::string sentence;
    for (int i = 0; i < 24; ++i) sentence += "time flies like an arrow and ";
    const std::clock_t begin = std::clock();
    const ConstituentParse parse = parser.parse(sentence);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10) << "two tries of a second each";
    expect_tree(parse.bracketed, "long");
    if (parse.bracketed.empty()) {
        EXPECT_EQ(parse.left_out, parse.words);
        EXPECT_NE(parse.problem, "");
    }
}

TEST(ConstituentParser, LeavesTheLocaleAndStderrAlone) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    std::setlocale(LC_ALL, "C");  // as programs start; with a locale in UTF-8 the library has nothing to change
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    {
        ConstituentParser parser;
        parser.parse("The na\xC3\xAFve cat sat.");
        parser.parse(std::string(4000, '-') + " x");
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
}

TEST(ConstituentParser, AnswersThreadsAlike) {
    CRAFT_NEEDS_LINK_GRAMMAR();
    ConstituentParser parser;
    const std::string sentence = "Although it rained, the farmers who had sown early gathered their wheat.";
    const std::string expected = parser.parse(sentence).bracketed;
    EXPECT_THAT(expected, HasSubstr("farmers"));
    std::vector<int> same(3);
    std::vector<std::thread> threads;
    for (int& count : same)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 10; ++turn) count += parser.parse(sentence).bracketed == expected ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, std::vector<int>(3, 10));
}

TEST(ConstituentParser, RefusesLimitsThatAreNone) {
    EXPECT_THAT(message_of([] { ConstituentParser parser(0); }),
                HasSubstr("seconds per sentence: expected a number above 0"));
    EXPECT_THAT(message_of([] { ConstituentParser parser(1, 0); }),
                HasSubstr("bytes of memory: expected a number above 0, got 0"));
}

}  // namespace
}  // namespace craft
