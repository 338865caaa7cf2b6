// `gec errors`: texts to pairs of sentences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "data/sentence_pair.h"
#include "english/word_list.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

class GecErrors : public testing::Test {
protected:
    void SetUp() override {
        CRAFT_NEEDS_ENGLISH_MODEL();
        CRAFT_NEEDS(EnglishDictionaryPlaces::installed().scowl);
        CRAFT_NEEDS(EnglishDictionaryPlaces::installed().inflections);
        CRAFT_NEEDS(english_word_list_file());
        folder_.file("texts.jsonl",
                     R"({"id":"a","text":"My brother works in a big bank. It depends on the weather. Not this one"})"
                     "\n"
                     R"({"id":"b","text":"My brother works in a big bank. She has two old dogs and a cat."})"
                     "\n");
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    Arguments errors(const Arguments& more) const {
        Arguments all = {"gec", "errors", "--input", at("texts.jsonl"), "--output", at("pairs.jsonl")};
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
    const TemporaryFolder folder_;
};

TEST_F(GecErrors, MakesPairsAndCountsWhatItLeavesOut) {
    const auto outcome = run_command(errors({"--correct", "0"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<SentencePair> pairs = read_sentence_pairs(at("pairs.jsonl"));
    ASSERT_EQ(pairs.size(), 3u);
    for (const SentencePair& pair : pairs) {
        EXPECT_NE(pair.source, pair.target);
        EXPECT_FALSE(pair.error_types.empty());
    }
    const Json made = read_json_file(at("pairs.jsonl.manifest.json"))["made"];
    EXPECT_EQ(made["pairs"], 3);
    EXPECT_EQ(made["dropped"]["occurs twice"], 1);
    EXPECT_EQ(made["dropped"]["no mark at the end"], 1);
    const std::string first = read_file(at("pairs.jsonl"));
    ASSERT_EQ(run_command(errors({"--correct", "0"})).code, 0);
    EXPECT_EQ(read_file(at("pairs.jsonl")), first);
    ASSERT_EQ(run_command(errors({"--correct", "0", "--seed", "5"})).code, 0);
    EXPECT_NE(read_file(at("pairs.jsonl")), first);
}

TEST_F(GecErrors, LeavesSentencesAloneWhereAskedTo) {
    ASSERT_EQ(run_command(errors({"--correct", "1", "--count", "2"})).code, 0);
    const std::vector<SentencePair> pairs = read_sentence_pairs(at("pairs.jsonl"));
    ASSERT_EQ(pairs.size(), 2u);
    for (const SentencePair& pair : pairs) EXPECT_EQ(pair.source, pair.target);
}

TEST_F(GecErrors, ReadsPlainLinesAndChoosesKinds) {
    folder_.file("lines.txt", "My brother works in a big bank.\nHis sisters work there, too.\n");
    const auto outcome = run_command({"gec", "errors", "--input", at("lines.txt"), "--output", at("pairs.jsonl"),
                                      "--correct", "0", "--kinds", "agreement", "--shape", "substituted"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const SentencePair& pair : read_sentence_pairs(at("pairs.jsonl")))
        EXPECT_EQ(pair.error_types, std::vector<std::string>{"agreement"});
}

TEST_F(GecErrors, SaysWhatIsWrong) {
    EXPECT_THAT(failure_of(errors({"--kinds", "agrement"})), HasSubstr("agreement"));
    EXPECT_THAT(failure_of(errors({"--per-sentence", "0,0"})), HasSubstr("--per-sentence"));
    EXPECT_THAT(failure_of(errors({"--english", "none"})), HasSubstr("--english"));
    folder_.file("none.txt", "too short\n");
    EXPECT_THAT(failure_of({"gec", "errors", "--input", at("none.txt"), "--output", at("pairs.jsonl")}),
                HasSubstr("none (dropped: 1 \"no capital at the beginning\")"));
}

}  // namespace
}  // namespace craft
