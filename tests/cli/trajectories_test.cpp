// What measures the revisions of `trajectories`.
#include <gmock/gmock.h>

#include <cmath>

#include "core/json.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/command_inputs.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;
using testing::Not;

class MeasuredTrajectories : public test::CommandInputs {
protected:
    // The scores of the first step, and what was said.
    std::pair<Json, std::string> made(const Arguments& more) {
        Arguments command = {"trajectories",
                             "--instructions",
                             dir() + "/instructions.jsonl",
                             "--out",
                             dir() + "/store",
                             "--overwrite",
                             "--max-steps",
                             "1",
                             "--keep-wrong-calls"};
        command.insert(command.end(), more.begin(), more.end());
        const test::Outcome outcome = run_command(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const auto exported = run_command({"trajectories", "export", "--store", dir() + "/store", "--output", "-"});
        return {parse_json(exported.out, "row").at("steps").at(0).at("scores"), outcome.err};
    }
};

TEST_F(MeasuredTrajectories, HaveAQualityWhereThereIsAModel) {
    const auto [rules, said] = made({});
    EXPECT_TRUE(rules.at("s_r").is_null());
    EXPECT_FALSE(rules.contains("raw_quality"));
    EXPECT_THAT(said, HasSubstr("S_r is absent (--perplexity-model MODEL adds it)"));

    const auto [measured, also_said] = made({"--perplexity-model", tiny_model()});
    EXPECT_THAT(also_said, Not(HasSubstr("S_r is absent")));

    test::make_tiny_planner(dir() + "/planner");  // one whose answers end
    const Arguments local = {"--teacher", "local:" + dir() + "/planner", "--max-new-tokens", "200", "--temperature", "1"};
    const auto of_text = [](const Json& scores) {
        return scores.at("raw_quality").at("perplexity").at("text").get<double>();
    };
    const double by_teacher = of_text(made(local).first);
    EXPECT_NEAR(by_teacher, of_text(made({"--perplexity-model", dir() + "/planner"}).first), 1e-4 * by_teacher)
        << "the teacher's own model";
    EXPECT_GT(std::abs(by_teacher - of_text(measured)), 1e-2 * by_teacher) << "another model says another thing";
    Arguments without = local;
    without.insert(without.end(), {"--scorers", "none"});
    EXPECT_FALSE(made(without).first.contains("raw_quality"));
}

// A local teacher may be asked with another prompt than the planner that the trajectories are for.
TEST_F(MeasuredTrajectories, ALocalTeacherMayHaveAPromptOfItsOwn) {
    test::make_tiny_planner(dir() + "/planner");
    const Arguments local = {"--teacher",        "local:" + dir() + "/planner",
                             "--max-new-tokens", "200",
                             "--temperature",    "1",
                             "--scorers",        "none",
                             "--prompt",         "compact"};
    const auto versions = [&](const Arguments& more) {
        Arguments all = local;
        all.insert(all.end(), more.begin(), more.end());
        made(all);
        return read_json_file(dir() + "/store/manifest.json").at("notes").at("versions");
    };
    EXPECT_FALSE(versions({}).contains("teacher_prompt"));
    const Json full = versions({"--teacher-prompt", "full"});
    EXPECT_TRUE(full.contains("teacher_prompt"));
    EXPECT_NE(full.at("teacher_prompt"), full.at("prompt"));
    EXPECT_NE(versions({"--teacher-prompt", "taught"}).at("teacher_prompt"), full.at("teacher_prompt"));
    const auto exported = run_command({"trajectories", "export", "--store", dir() + "/store", "--output", "-"});
    const std::string asked = parse_json(exported.out, "row").at("messages").at(0).at("content");
    EXPECT_THAT(asked, testing::StartsWith("Plan the revision:")) << "the planner's prompt is kept";
}

// The server checks that there are less than ten words, whatever it is asked for.
TEST_F(MeasuredTrajectories, AreCountedByDomain) {
    const chat_server::ChatServer server(test::revising_server());
    const Json words = Json::array({R"(word_count_check(10, "less than"))"}),
               mill = Json::array({R"(keyword_keep_removal_check("mill", "remove"))"});
    const auto row = [](const std::string& id, const std::string& domain, const Json& constraints) {
        return dump_line({{"id", id},
                          {"domain", domain},
                          {"instruction", "Edit this:"},
                          {"text", "The mill is very old. It is very late."},
                          {"constraints", constraints}}) +
               "\n";
    };
    const TemporaryFolder folder;
    const auto said = [&](const std::string& rows) {
        const test::Outcome outcome =
            run_command({"trajectories", "--instructions", folder.file("rows.jsonl", rows), "--out", dir() + "/store",
                         "--overwrite", "--max-steps", "1", "--teacher", "openai:own", "--record", "none", "--scorers",
                         "none", "--set", "openai.own.model=one", "--set", "openai.own.base_url=" + server.base_url()});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.err;
    };
    const std::string of_both = said(row("a", "c1", Json::array({words})) + row("b", "c2", Json::array({words, mill})) +
                                     row("c", "c1", Json::array({words})));
    EXPECT_THAT(of_both, HasSubstr("domain c2: none of 1 trajectories was kept (dropped: 1 \"missing call\")"));
    EXPECT_THAT(of_both, HasSubstr(R"(kept_by_domain={"c1":2,"c2":0} dropped={"missing call":1})"));
    EXPECT_EQ(read_json_file(dir() + "/store/manifest.json").at("notes").at("kept_by_domain"), Json({{"c1", 2}, {"c2", 0}}));
    EXPECT_THAT(said(row("a", "c1", Json::array({words}))), Not(HasSubstr("none of")));
}

// The answers of two models in one store would be mixed; what they cost may change.
TEST_F(MeasuredTrajectories, ARunIsOfOneModelThatPlans) {
    const chat_server::ChatServer server(test::revising_server());
    const auto asked = [&](const std::string& model, const std::string& price) {
        return Arguments{"trajectories",
                         "--instructions",
                         dir() + "/instructions.jsonl",
                         "--out",
                         dir() + "/store",
                         "--teacher",
                         "openai:own",
                         "--record",
                         "none",
                         "--keep-wrong-calls",
                         "--max-steps",
                         "1",
                         "--set",
                         "openai.own.model=" + model,
                         "--set",
                         "openai.own.prices.input=" + price,
                         "--set",
                         "openai.own.prices.output=1",
                         "--set",
                         "openai.own.base_url=" + server.base_url()};
    };
    const test::Outcome outcome = run_command(asked("one", "1"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(run_command(asked("one", "2")).code, 0);
    EXPECT_THAT(test::failure_of(asked("two", "1")), HasSubstr("models.openai:own \"one\", got \"two\""));
}

}  // namespace
}  // namespace craft
