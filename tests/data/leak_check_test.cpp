#include "data/leak_check.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using Words = std::vector<std::string>;

TEST(LeakCheck, WordsAreLettersAndDigitsInLowerCase) {
    EXPECT_EQ(leak_words("The CAT's (2nd) nap: über-Größe, 3.5 %!"),
              (Words{"the", "cat", "s", "2nd", "nap", "über", "größe", "3", "5"}));
    EXPECT_EQ(leak_words("… -- !"), Words{});
    EXPECT_EQ(leak_words("日本 x"), (Words{"日本", "x"}));
}

TEST(LeakCheck, MeetsSequencesOfThatManyWords) {
    LeakCheck check(3);
    check.add("One two, three four.");
    EXPECT_EQ(check.sequences(), 2u) << "one two three; two three four";
    EXPECT_TRUE(check.meets("and ONE-two three"));
    EXPECT_TRUE(check.meets("so: two three (four) five"));
    EXPECT_FALSE(check.meets("one two four three"));
    EXPECT_FALSE(check.meets("one two")) << "shorter than a sequence";
    EXPECT_FALSE(check.meets("onet wo three four five")) << "the words, not the letters";
    EXPECT_FALSE(check.meets(""));
    check.add("one two three");
    EXPECT_EQ(check.sequences(), 2u) << "known already";
}

TEST(LeakCheck, AShortTextIsOneSequence) {
    LeakCheck check(4);
    check.add("Yes, it is.");
    check.add(" ... ");
    EXPECT_EQ(check.sequences(), 1u);
    EXPECT_TRUE(check.meets("yes it is"));
    EXPECT_FALSE(check.meets("yes it is so"));
    EXPECT_FALSE(check.meets("it is"));
    EXPECT_FALSE(check.meets(""));
}

TEST(LeakCheck, EightWordsUnlessToldOtherwise) {
    LeakCheck check;
    check.add("a b c d e f g h i");
    EXPECT_TRUE(check.meets("x b c d e f g h i x"));
    EXPECT_FALSE(check.meets("x b c d e f g h x"));
    EXPECT_EQ(message_of([] { LeakCheck none(0); }), "leak check: expected sequences of at least one word, got 0");
}

TEST(LeakCheck, FilesOfRowsAndOfLines) {
    const TemporaryFolder folder;
    const std::string rows = folder.file("rows.jsonl",
                                         "\n {\"id\":1,\"source\":\"red green\",\"references\":[\"blue "
                                         "black\",\"\"]}\n{\"text\":\"white grey\",\"references\":"
                                         "\"pink gold\"}\n");
    const std::string lines = folder.file("lines.txt", "\xEF\xBB\xBFone two\r\n\n--\nthree four");
    LeakCheck check(2);
    check.add_file(rows);
    check.add_file(lines);
    for (const char* text : {"red green", "blue black", "white grey", "pink gold", "one two", "three four"})
        EXPECT_TRUE(check.meets(text)) << text;
    EXPECT_FALSE(check.meets("green blue")) << "across texts";
    EXPECT_FALSE(check.meets("two three")) << "across lines";
    EXPECT_EQ(check.to_json(), (Json{{"words", 2},
                                     {"files", Json::array({{{"file", rows}, {"hash", file_hash(rows)}, {"texts", 4}},
                                                            {{"file", lines}, {"hash", file_hash(lines)}, {"texts", 2}}})},
                                     {"sequences", 6}}));
}

TEST(LeakCheck, FilesWithoutTextsAreRefused) {
    const TemporaryFolder folder;
    LeakCheck check(2);
    const auto refusal = [&](const std::string& bytes) {
        const std::string path = folder.file("f", bytes);
        const std::string message = message_of([&] { check.add_file(path); });
        return message.rfind(path, 0) == 0 ? message.substr(path.size()) : message;
    };
    EXPECT_EQ(refusal(""), ": expected texts to check for leaks, got none with a word");
    EXPECT_EQ(refusal("-\n.\n"), ": expected texts to check for leaks, got none with a word");
    EXPECT_EQ(
        refusal("{\"id\":1,\"prompt\":\"x\"}\n"),
        ":1: expected a field 'text', 'source' or 'references', got a row without them (or give plain text, one per line)");
    EXPECT_EQ(refusal("{\"references\":[7]}\n"), ":1: field 'references': expected texts, got number");
    EXPECT_NE(refusal("{\"text\":\n"), "(nothing thrown)");
    EXPECT_EQ(refusal("good\n\xFF\n"), ":2: expected UTF-8, got another byte at column 1");
    EXPECT_NE(message_of([&] { check.add_file(folder.path() / "none"); }).find("none"), std::string::npos);
}

}  // namespace
}  // namespace craft
