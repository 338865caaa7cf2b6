// Scorers and recognisers of names that are commands, as a user names them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/cli/command_inputs.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::Arguments;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;

const std::string kScorerExample = "python3 " + test_source("/scripts/external_scorer_example.py");

struct NamedScorers : test::CommandInputs {
    Json printed(const Arguments& arguments) {
        const Outcome outcome = run_command(test::filled(arguments, "{dir}", dir()));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? parse_json(outcome.out, "stdout") : Json();
    }
};

TEST_F(NamedScorers, ACommandFindsNames) {
    folder_.file("i.jsonl", "{\"id\":\"a\",\"text\":\"We met Ann and Bo.\"}\n");
    folder_.file("o.jsonl", "{\"id\":\"a\",\"text\":\"We met Bo and Cy.\"}\n");
    const Arguments files = {"--items",       "{dir}/i.jsonl", "--outputs",
                             "{dir}/o.jsonl", "--recogniser",  kScorerExample + " --entities"};
    Arguments preserve = {"eval", "preserve"}, factuality = {"eval", "factuality"};
    preserve.insert(preserve.end(), files.begin(), files.end());
    factuality.insert(factuality.end(), files.begin(), files.end());
    const Json kept = printed(preserve);
    EXPECT_EQ(kept.at("corpus").at("preserved"), 0.5);  // of Ann and Bo
    EXPECT_THAT(kept.at("signature").get<std::string>(), testing::StartsWith("preserve|names:command:xxh64:"));
    EXPECT_EQ(printed(factuality).at("corpus").at("ne_er"), 0.5);  // of Bo and Cy
    preserve.insert(preserve.end(), {"--english", "none"});
    EXPECT_EQ(failure(preserve), "2: --recogniser: expected without --english, got with it");
    EXPECT_EQ(failure({"eval", "preserve", "--kind", "latex", "--items", "{dir}/i.jsonl", "--outputs", "{dir}/o.jsonl",
                       "--recogniser", "cat"}),
              "2: --recogniser: expected with --kind entities, got --kind latex");
    EXPECT_THAT(
        failure({"eval", "preserve", "--items", "{dir}/i.jsonl", "--outputs", "{dir}/o.jsonl", "--recogniser", "cat"}),
        HasSubstr("command 'cat': answer 1: field 'entities': expected a list of texts, got none"));
}

// S_r of the teacher's steps is what the command says, on its own scale.
TEST_F(NamedScorers, ACommandIsRewarded) {
    const Arguments command = {"trajectories",
                               "--instructions",
                               "{dir}/instructions.jsonl",
                               "--out",
                               "{dir}/out",
                               "--quiet",
                               "--jsonl",
                               "--keep-wrong-calls",
                               "--scorers",
                               R"(["external:sed -u 's/}$/,\"score\":3,\"scale\":[0,4]}/'"])"};
    const Outcome outcome = run_command(test::filled(command, "{dir}", dir()));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    JsonLinesReader rows(dir() + "/out/trajectories.jsonl");
    size_t steps = 0;
    while (const auto row = rows.next())
        for (const Json& step : row->at("steps")) {
            EXPECT_EQ(step.at("scores").at("s_r"), 75.0);
            ++steps;
        }
    EXPECT_GT(steps, 0u);
    Arguments without_scale = command;
    without_scale.back() = R"(["external:sed -u 's/}$/,\"score\":3}/'"])";
    without_scale.push_back("--overwrite");
    EXPECT_THAT(failure(without_scale), HasSubstr("S_r: scorer external: expected answers with a \"scale\""));
}

}  // namespace
}  // namespace craft
