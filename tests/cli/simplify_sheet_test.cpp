// `simplify sheet` and `simplify ratings`: from systems' outputs to a sheet, and from ratings to figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "core/files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

class SimplifySheets : public testing::Test {
protected:
    void SetUp() override {
        for (const auto& [file, text] : {std::pair("s", "A source"), std::pair("a", "=first"), std::pair("b", "@second")}) {
            std::string rows;
            for (int i = 0; i < 5; ++i)
                rows += Json({{"id", i}, {"text", std::string(text) + " " + std::to_string(i)}}).dump() + "\n";
            folder_.file(std::string(file) + ".jsonl", rows);
        }
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    Arguments sheet(const Arguments& more = {}) const {
        Arguments all = {"simplify",    "sheet",       "--input",
                         at("s.jsonl"), "--outputs",   "own=" + at("a.jsonl") + ",other=" + at("b.jsonl"),
                         "--policy",    "lexical",     "--sample",
                         "3",           "--out",       at("sheet.csv"),
                         "--key",       at("key.json")};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    // Every text of `a` gets a 5 and every one of `b` this mark.
    std::string rated(const std::string& mark) const {
        std::string csv = read_file(at("sheet.csv"));
        csv = std::regex_replace(csv, std::regex("('=first [0-9]),"), "$1,5");
        return std::regex_replace(csv, std::regex("('@second [0-9]),"), "$1," + mark);
    }

    const TemporaryFolder folder_;
};

TEST_F(SimplifySheets, RatingsOfASheetAreTheSystems) {
    const auto outcome = run_command(sheet());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string csv = read_file(at("sheet.csv"));
    EXPECT_EQ(csv.find("own"), std::string::npos);
    EXPECT_EQ(csv.find("other"), std::string::npos);
    const Json key = read_json_file(at("key.json"));
    EXPECT_EQ(key["items"].size(), 6u);
    EXPECT_EQ(key["sentences"]["not_drawn"], 2);
    EXPECT_TRUE(key["files"]["outputs"].contains("own"));
    folder_.file("one.csv", rated("2"));
    folder_.file("two.csv", rated("7"));
    const auto read =
        run_command({"simplify", "ratings", "--sheet", at("one.csv") + "," + at("two.csv"), "--key", at("key.json")});
    ASSERT_EQ(read.code, 0) << read.err;
    const Json told = parse_json(read.out, "figures");
    EXPECT_EQ(told["systems"]["own"]["mean"], 5);
    EXPECT_EQ(told["systems"]["own"]["marks"], 6);
    EXPECT_EQ(told["systems"]["other"]["mean"], 2);
    EXPECT_EQ(told["systems"]["other"]["distribution"]["2"], 3);
    EXPECT_EQ(told["raters"][1]["unusable"]["out of range"]["count"], 3);
    EXPECT_EQ(told["comparisons"][0]["difference"], -3);  // other - own
    EXPECT_THAT(read.err, HasSubstr("rows without a rating that counts: out of range"));
    EXPECT_THAT(read.err, HasSubstr("above 4"));
}

TEST_F(SimplifySheets, WhatIsThereIsNotWrittenOver) {
    ASSERT_EQ(run_command(sheet()).code, 0);
    const std::string before = read_file(at("sheet.csv"));
    EXPECT_THAT(run_command(sheet()).err, HasSubstr("sheet.csv, which exists (--overwrite replaces it)"));
    ASSERT_EQ(run_command(sheet({"--overwrite"})).code, 0);
    EXPECT_EQ(read_file(at("sheet.csv")), before);
    ASSERT_EQ(run_command(sheet({"--overwrite", "--seed", "9"})).code, 0);
    EXPECT_NE(read_file(at("sheet.csv")), before);
}

TEST_F(SimplifySheets, WhatCannotBeDoneIsRefused) {
    const auto refusal = [&](const std::string& outputs, const Arguments& more = {}) {
        Arguments all = {"simplify", "sheet",   "--input", at("s.jsonl"),   "--outputs", outputs,
                         "--policy", "lexical", "--out",   at("sheet.csv"), "--key",     at("key.json")};
        all.insert(all.end(), more.begin(), more.end());
        return failure_of(all);
    };
    const std::string both = "own=" + at("a.jsonl") + ",other=" + at("b.jsonl");
    EXPECT_THAT(refusal(at("a.jsonl")), HasSubstr("--outputs: expected NAME=FILE"));
    EXPECT_THAT(refusal("own=" + at("a.jsonl")), HasSubstr("expected two systems or more"));
    EXPECT_THAT(refusal("own=" + at("a.jsonl") + ",own=" + at("b.jsonl"), {"--sample", "1"}), HasSubstr("got 'own' again"));
    EXPECT_THAT(refusal(both), HasSubstr("expected at least 60, got 5"));
    ASSERT_EQ(run_command(sheet()).code, 0);
    EXPECT_THAT(failure_of({"simplify", "ratings", "--sheet", at("sheet.csv"), "--key", at("key.json")}),
                HasSubstr("ratings: expected a mark from 1 to 5, got none (dropped: 6 \"missing\")"));
    EXPECT_THAT(
        failure_of({"simplify", "ratings", "--sheet", at("sheet.csv") + "," + at("sheet.csv"), "--key", at("key.json")}),
        HasSubstr("--sheet: expected each rater's once"));
    EXPECT_THAT(failure_of({"simplify", "ratings", "--sheet", at("sheet.csv"), "--key", at("a.jsonl")}),
                HasSubstr("a.jsonl"));
}

}  // namespace
}  // namespace craft
