#include "cli/word_alignment_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kAlignerEncoder = test_source("/share/examples/encoder");
const std::vector<std::pair<std::string, std::string>> kAlignedPair = {{"The old river rose", "the river rose"}};

struct WordAlignmentOptions : testing::Test {
    WordAlignmentSettings settings;
    CommonOptions common;
    OptionTable table;
    void SetUp() override {
        bind_word_alignment(table, settings);
        common.device = "cpu";
        common.threads = 1;
    }
    std::vector<std::string> problems() {
        try {
            table.finish();
            return {};
        } catch (const UsageError& error) {
            return error.problems();
        }
    }
};

TEST_F(WordAlignmentOptions, NothingIsAlignedWithoutAnEncoder) {
    EXPECT_THAT(problems(), testing::IsEmpty());
    EXPECT_EQ(open_word_alignment(settings, common), nullptr);
    EXPECT_TRUE(word_alignment_record(settings).is_null());
    table.apply_set("aligner.tau=0.5");
    EXPECT_THAT(problems(), ElementsAre("--set aligner.tau: expected with --aligner, got without"));
}

TEST_F(WordAlignmentOptions, AnEncoderAligns) {
    table.apply_flag("aligner.encoder", kAlignerEncoder);
    table.apply_set("aligner.layer=-1");
    table.apply_set("aligner.threshold=0.9");
    EXPECT_THAT(problems(), testing::IsEmpty());
    const auto strict = open_word_alignment(settings, common)->align(kAlignedPair).at(0);
    EXPECT_EQ(strict.source.at(1), "old");
    settings.options.threshold = 0;
    EXPECT_GT(open_word_alignment(settings, common)->align(kAlignedPair).at(0).links.size(), strict.links.size());
    const Json record = word_alignment_record(settings);
    EXPECT_EQ(record.at("layer"), -1);
    EXPECT_EQ(record.at("centre"), "pairs");
    EXPECT_THAT(record.at("encoder").get<std::string>(), testing::StartsWith("xxh64:"));
}

TEST_F(WordAlignmentOptions, AFileGivesTheMean) {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "c.jsonl",
        R"({"id":"a","source":"It was late","candidates":[{"system":"s","text":"late"},{"system":"t","text":"a"}]})"
        "\n");
    table.apply_flag("aligner.encoder", kAlignerEncoder);
    table.apply_set("aligner.centre_from=" + file);
    EXPECT_THAT(problems(), testing::IsEmpty());
    EXPECT_FALSE(open_word_alignment(settings, common)->align(kAlignedPair).at(0).links.empty());
    EXPECT_THAT(word_alignment_record(settings).at("centre").get<std::string>(), testing::StartsWith("xxh64:"));
    folder.file("c.jsonl", R"({"id":"a"})");
    EXPECT_THAT(message_of([&] { open_word_alignment(settings, common); }), HasSubstr("c.jsonl:1: field 'source'"));
    table.apply_set("aligner.centred=false");
    EXPECT_THAT(problems(), ElementsAre("--set aligner.centre_from: expected with --set aligner.centred=true, got without"));
}

TEST_F(WordAlignmentOptions, ValuesOutOfRangeAreSaid) {
    table.apply_flag("aligner.encoder", kAlignerEncoder);
    for (const char* wrong : {"aligner.threshold=1.5", "aligner.tau=0", "aligner.epsilon=0", "aligner.distortion=-1"}) {
        table.apply_set(wrong);
        EXPECT_THAT(message_of([&] { table.finish(); }), HasSubstr("expected at ")) << wrong;
    }
}

}  // namespace
}  // namespace craft
