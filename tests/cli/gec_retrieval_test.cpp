// `gec index` and `gec search`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::failure_of;
using test::kShare;
using test::run_command;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

class GecRetrievalTest : public ::testing::Test {
protected:
    std::string database() const { return (folder_.path() / "examples.sqlite").string(); }
    test::Outcome index(const std::vector<std::string>& more = {}) const {
        test::Arguments arguments = {"gec",   "index",   "--pairs", kShare + "/examples/sentence_pairs.jsonl",
                                     "--out", database()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_command(arguments);
    }
    Json search(const std::vector<std::string>& more) const {
        test::Arguments arguments = {"gec", "search", "--retrieval", database(), "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const test::Outcome outcome = run_command(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return Json::parse(outcome.out);
    }
    Json manifest() const { return read_json_file(database() + ".manifest.json"); }
    const TemporaryFolder folder_;
};

TEST_F(GecRetrievalTest, TheShippedPairsAreIndexedAndFound) {
    const test::Outcome first = index();
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(manifest().at("indexed").at("indexed"), 12);
    EXPECT_EQ(manifest().at("indexed").at("correct"), 1);
    EXPECT_EQ(manifest().at("encoder"), nullptr);
    const Json found =
        search({"--sentence", "Everything depends of the weather.", "--concept", "preposition", "--top", "2"});
    EXPECT_EQ(found.at("by_vectors"), false);
    EXPECT_EQ(found.at("has_concept"), true);
    EXPECT_EQ(found.at("examples").size(), 2u);
    const test::Outcome second = index();
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(manifest().at("indexed").at("there_already"), 12);
    EXPECT_EQ(manifest().at("indexed").at("indexed"), 0);
}

TEST_F(GecRetrievalTest, AnEncoderMakesVectorsAndAnotherOneIsRefused) {
    const std::string encoder = kShare + "/examples/encoder";
    const test::Outcome made = index({"--encoder", encoder, "--dtype", "float32"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(manifest().at("encoder").get<std::string>(), StartsWith("encoder xxh64:"));
    const Json found =
        search({"--sentence", "She depend of her older brother.", "--encoder", encoder, "--top", "1", "--dtype", "float32"});
    EXPECT_EQ(found.at("by_vectors"), true);
    EXPECT_EQ(found.at("examples").at(0).at("id"), "p1");
    EXPECT_THAT(found.at("examples").at(0).at("found_by").get<std::vector<std::string>>(), Contains("vectors"));
    EXPECT_EQ(search({"--sentence", "She depend of her older brother."}).at("by_vectors"), false) << "by words only";
    EXPECT_THAT(index().err, HasSubstr("expected the encoder of its vectors, encoder xxh64:"));
}

TEST_F(GecRetrievalTest, WhatIsNotThereIsToldInALine) {
    EXPECT_THAT(failure_of({"gec", "search", "--retrieval", database(), "--sentence", "a"}),
                HasSubstr("expected a retrieval database, got no file"));
    EXPECT_THAT(failure_of({"gec", "index", "--pairs", folder_.file("none.jsonl", ""), "--out", database()}),
                HasSubstr("none.jsonl"));
    EXPECT_FALSE(std::filesystem::exists(database()));
    EXPECT_THAT(index({"--model", "rules"}).err, HasSubstr("--model: expected a model, got 'rules'"));
    const std::string pairs = folder_.file("pairs.jsonl", "{\"id\":1,\"source\":\"a\",\"target\":\"b\"}\n");
    EXPECT_THAT(failure_of({"gec", "index", "--pairs", pairs, "--out", pairs}), HasSubstr("--out"));
}

}  // namespace
}  // namespace craft
