#include "english/pipeline.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/english/comparison.h"
#include "tests/english/english_model.h"
#include "tests/english/error_text.h"
#include "tests/source.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

const EnglishPipeline& installed_pipeline() {
    static const EnglishPipeline pipeline = EnglishPipeline::load(test::installed_english_model());
    return pipeline;
}

// What spaCy 3.8.18 says of texts of ours, which tests/parity/make_english.py wrote: every field of every token.
TEST(EnglishPipeline, IsSpacysOnStoredTexts) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const test::EnglishComparison result =
        test::compare_english_file(installed_pipeline(), test_source("/tests/english/stored/texts.jsonl"));
    EXPECT_GT(result.tokens, 1000);
    EXPECT_EQ(result.all_different(), 0);
    for (const std::string& difference : result.first) ADD_FAILURE() << difference;
}

TEST(EnglishPipeline, SaysWhereTokensStand) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string text = "Zoë  can't\nsee Łódź.";
    size_t code_points = 0;
    std::string joined;
    for (const EnglishToken& token : installed_pipeline().annotate(text)) {
        EXPECT_EQ(text.substr(token.byte, token.text.size()), token.text);
        EXPECT_EQ(token.byte, joined.size());
        code_points = token.code_point;
        joined += token.text + (token.space_after ? " " : "");
    }
    EXPECT_EQ(joined, text);
    EXPECT_EQ(code_points, 19U);  // of the full stop: two-byte letters count once
}

TEST(EnglishPipeline, TakesTextsAsTheyCome) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_TRUE(installed_pipeline().annotate("").empty());
    EXPECT_TRUE(installed_pipeline().annotate_words({}).empty());
    EXPECT_EQ(installed_pipeline().annotate(std::string("a\0b", 3)).size(), 1U);
    EXPECT_EQ(installed_pipeline().annotate(std::string(100'000, 'a')).size(), 1U);
    EXPECT_EQ(installed_pipeline().annotate("\r\n")[0].pos, "SPACE");
    const EnglishDocument words = installed_pipeline().annotate_words({"can't", "go", "."});
    ASSERT_EQ(words.size(), 3U);
    EXPECT_EQ(words[0].text, "can't");  // given words are not cut
    EXPECT_TRUE(words[2].space_after);
}

TEST(EnglishPipeline, RefusesWhatIsNoText) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_THAT(test::error_text([] { installed_pipeline().annotate("ab\xFF"); }),
                HasSubstr("English text: expected UTF-8, got other bytes at byte 2"));
    EXPECT_THAT(test::error_text([] {
                    installed_pipeline().annotate_words({"a", ""});
                }),
                HasSubstr("word 2: expected a word, got an empty one"));
    EXPECT_THAT(test::error_text([] { installed_pipeline().annotate_words({"\xED\xA0\x80"}); }),
                HasSubstr("word 1: expected UTF-8"));
}

TEST(EnglishPipeline, GivesThreadsTheSame) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string text = "The old men who lived near Paris weren't seen by anyone on Monday, but their dogs barked.";
    const auto rows = [&] {
        Json all = Json::array();
        for (const EnglishToken& token : installed_pipeline().annotate(text)) all.push_back(test::english_row(token));
        return all.dump();
    };
    const std::string expected = rows();
    std::vector<std::string> got(4);
    std::vector<std::thread> threads;
    for (std::string& one : got) threads.emplace_back([&] { one = rows(); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : got) EXPECT_EQ(one, expected);
}

}  // namespace
}  // namespace craft
