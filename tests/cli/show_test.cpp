// `show` and `watch` on files and runs; what a record's page holds is tests/view's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Show : public testing::Test {
protected:
    Show() {
        folder_.file("run/round-1/pairs.jsonl",
                     "{\"id\":\"a\",\"prompt\":\"p\",\"chosen\":\"c\",\"rejected\":\"r\"}\n"
                     "{\"id\":\"b\",\"prompt\":\"q\",\"chosen\":\"d\",\"rejected\":\"s\"}\n");
        folder_.file("run/round-1/texts.jsonl", "{\"id\":\"a\",\"text\":\"t\"}\n");
        folder_.file("run/metrics.jsonl", "{\"step\":1,\"loss\":0.5}\n");
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    static std::string failure(Arguments arguments) {
        const Outcome outcome = run_command(arguments);
        return std::to_string(outcome.code) + ": " + outcome.err;
    }
    TemporaryFolder folder_;
};

TEST_F(Show, ARunsFilesUnderTheirNames) {
    const Outcome all = run_command({"show", at("run")});
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("== round-1/pairs.jsonl"));
    EXPECT_THAT(all.out, HasSubstr("pair b"));
    EXPECT_THAT(all.out, HasSubstr("== round-1/texts.jsonl"));
    EXPECT_THAT(all.out, Not(HasSubstr("\x1b["))) << "no terminal, no colour";
    const std::string pairs = run_command({"show", at("run"), "--kind", "pair", "--rows", "1"}).out;
    EXPECT_THAT(pairs, HasSubstr("pair a"));
    EXPECT_THAT(pairs, Not(HasSubstr("pair b")));
    EXPECT_THAT(pairs, Not(HasSubstr("texts.jsonl")));
}

TEST_F(Show, RecordsThemselvesByTheirIds) {
    EXPECT_EQ(run_command({"show", at("run"), "--id", "b", "--format", "json"}).out,
              "{\"id\":\"b\",\"prompt\":\"q\",\"chosen\":\"d\",\"rejected\":\"s\"}\n");
}

TEST_F(Show, SaysWhatThereIsNot) {
    EXPECT_THAT(failure({"show", at("run"), "--kind", "tree"}), HasSubstr("expected a tree, got none"));
    EXPECT_THAT(failure({"show", at("run"), "--id", "z"}), HasSubstr("expected a record with the id 'z', got none"));
    EXPECT_THAT(failure({"show", at("none")}), StartsWith("1: "));
    EXPECT_THAT(failure({"show", at("run"), "--kind", "pairs"}), StartsWith("2: "));
    folder_.file("bad.jsonl", "{\"id\":1}\n{\n");
    EXPECT_THAT(failure({"show", at("bad.jsonl")}), HasSubstr("bad.jsonl:2"));
    EXPECT_EQ(run_command({"show", at("bad.jsonl"), "--skip-bad-lines"}).code, 0);
}

TEST_F(Show, WatchPrintsOneLookWhereNobodyWatches) {
    const Outcome outcome = run_command({"watch", at("run")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("last sign of life"));
    EXPECT_THAT(outcome.out, HasSubstr("loss: 0.5"));
    EXPECT_THAT(failure({"watch", at("run/metrics.jsonl")}), HasSubstr("expected the folder of a run, got a file"));
}

}  // namespace
}  // namespace craft::test
