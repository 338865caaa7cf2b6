#include "eval/editeval/prediction_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const std::string kGood = R"({"id":"a","prompt":"p","prediction":"x","status":"finished"})";
const std::string kFailed = R"({"id":"b","prompt":"p","prediction":null,"status":"failed","failure":"timed_out"})";

TEST(PredictionLog, AsksAgainForWhatFailedAndWhatWasCut) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "predictions.jsonl";
    {
        PredictionLog log(file);
        log.add(parse_json(kGood, "row"));
        log.add(parse_json(kFailed, "row"));
        log.sync();
        EXPECT_THAT(log.counted(), testing::ElementsAre(testing::Pair("finished", 1), testing::Pair("timed_out", 1)));
        EXPECT_TRUE(log.all().has_row("b", "p"));
    }
    EXPECT_EQ(read_file(file), kGood + "\n" + kFailed + "\n");
    write_file_atomic(file, read_file(file) + kGood.substr(0, 30));
    PredictionLog again(file);
    EXPECT_EQ(*again.all().find("a", "p"), "x");
    EXPECT_FALSE(again.all().has_row("b", "p"));
    EXPECT_THAT(again.counted(), testing::ElementsAre(testing::Pair("finished", 1)));
    EXPECT_EQ(read_file(file), kGood + "\n");
    again.add(parse_json(kFailed, "row"));
    again.sync();
    EXPECT_EQ(read_file(file), kGood + "\n" + kFailed + "\n");
}

TEST(PredictionLog, OtherThings) {
    const TemporaryFolder folder;
    const std::string file = folder.file("predictions.jsonl", kGood + "\n[]\n");
    const auto problem = [&] { return message_of([&] { PredictionLog log(file); }); };
    EXPECT_THAT(problem(), testing::StartsWith(file + ":2: "));
    folder.file("predictions.jsonl", kGood + "\n" + kFailed + "\n{\"id\":\n");
    EXPECT_THAT(problem(), testing::AllOf(testing::StartsWith(file + ":3: not JSON"),
                                          testing::EndsWith("(remove the line to have it asked again)")));
    EXPECT_EQ(read_file(file), kGood + "\n" + kFailed + "\n{\"id\":\n") << "nothing is lost";
    folder.file("predictions.jsonl", kGood + "\n" + kGood + "\n");
    EXPECT_THAT(problem(), testing::StartsWith(file + ":2: expected one row per id and prompt, got another one of id 'a'"));
}

}  // namespace
}  // namespace craft
