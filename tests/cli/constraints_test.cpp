// `constraints` as users run it: the proof, the report, every text once in each domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::run_command;

const std::string kTexts = test_source() + "/share/texts/select.jsonl";

class Constraints : public testing::Test {
protected:
    void SetUp() override {
        const auto made = run_command({"constraints", "--texts", kTexts, "--domain", "c0,c1,c2,c3,c4", "--every-text",
                                       "--output", at("i.jsonl"), "--proof", at("p.jsonl"), "--report", at("report.json")});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    Json adherence(const std::string& outputs) const {
        const auto result = run_command({"eval", "cord", "--items", at("i.jsonl"), "--outputs", outputs});
        EXPECT_EQ(result.code, 0) << result.err;
        return parse_json(result.out, "stdout");
    }
    TemporaryFolder folder_;
};

TEST_F(Constraints, TheProofMeetsEveryConstraint) {
    const Json proof = adherence(at("p.jsonl"));
    EXPECT_EQ(proof["corpus"]["accuracy"], 1.0);
    EXPECT_EQ(proof["missing"], 68) << "the instructions without constraints need no proof";
    EXPECT_EQ(proof["corpus"]["items"], 272);
}

TEST_F(Constraints, EveryTextOnceInEachDomain) {
    std::map<std::string, std::map<std::string, int>> uses;
    JsonLinesReader rows(at("i.jsonl"));
    while (const auto row = rows.next()) ++uses[(*row)["text"].get<std::string>()][(*row)["domain"].get<std::string>()];
    EXPECT_EQ(uses.size(), 68u);
    for (const auto& [text, domains] : uses) {
        EXPECT_EQ(domains.size(), 5u);
        for (const auto& [domain, count] : domains) EXPECT_EQ(count, 1) << domain;
    }
}

TEST_F(Constraints, TheReportSaysWhatTheUnrevisedTextViolates) {
    const Json report = read_json_file(at("report.json")), unrevised = adherence(at("i.jsonl"))["corpus"]["by_shape"];
    EXPECT_EQ(report["instructions"], 340);
    EXPECT_EQ(report["sentences"], "paper");
    EXPECT_EQ(report["constraints"], 680);
    for (const auto& [shape, share] : report["violated_by_shape"].items()) {
        EXPECT_NEAR(share.get<double>(), 1 - unrevised[shape]["accuracy"].get<double>(), 1e-9) << shape;
        EXPECT_EQ(report["shapes"][shape], unrevised[shape]["constraints"]) << shape;
    }
    EXPECT_EQ(report["violated_by_shape"].size(), 15u)
        << "all but the three that keep sentences and the one that keeps a word";
    EXPECT_GE(report["violated_by_unrevised_text"].get<double>(), 0.5);
}

TEST(SealedSets, AreWrittenByNameAndMetByTheirProof) {
    const TemporaryFolder folder;
    const std::string items = (folder.path() / "i.jsonl").string(), proof = (folder.path() / "p.jsonl").string();
    for (const auto& [name, count] : {std::pair{"test", 300}, std::pair{"search", 200}}) {
        const auto first =
            run_command(test::replacing({"constraints", "--sealed", name, "--output", items, "--proof", proof}));
        ASSERT_EQ(first.code, 0) << first.err;
        const std::string bytes = read_file(items);
        EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '\n'), count);
        // The seed is of no account.
        ASSERT_EQ(run_command({"constraints", "--sealed", name, "--seed", "7", "--output", items, "--overwrite"}).code, 0);
        EXPECT_EQ(read_file(items), bytes);
        const auto met = run_command({"eval", "cord", "--items", items, "--outputs", proof});
        EXPECT_EQ(parse_json(met.out, "stdout")["corpus"]["accuracy"], 1.0) << met.err;
    }
}

}  // namespace
}  // namespace craft
