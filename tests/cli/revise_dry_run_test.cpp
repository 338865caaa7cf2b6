// `revise --dry-run`: requests, tokens and prices, counted by hand; nothing asked, opened or written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;

class DryRun : public test::ReviseCase {
protected:
    // No server is there, no key, no cache.
    DryRun() { config("http://127.0.0.1:9/v1", {{"key_env", "CRAFT_DRY_RUN_KEY_THAT_IS_NOT_SET"}}); }
    Json estimate(const Arguments& more) const {
        Arguments all = revise({"--dry-run"});
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = run_command(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? parse_json(outcome.out, "stdout") : Json();
    }
    static std::string requests(const Json& estimate, const char* role) {
        if (!estimate["roles"].contains(role)) return "none";
        const Json& asked = estimate["roles"][role]["requests"];
        return asked["least"].dump() + " " + asked["most"].dump();
    }
};

// Two texts of two sentences, each revision asked for twice at most.
TEST_F(DryRun, CountsRequestsByMethod) {
    const std::string input = texts(2);
    const auto counted = [&](Arguments method) {
        method.insert(method.end(), {"--input", input});
        const Json made = estimate(method);
        EXPECT_EQ(made["texts"], 2);
        return requests(made, "planner") + " " + requests(made, "reviser");
    };
    const std::string own = "openai:own";
    EXPECT_EQ(counted({"--method", "direct", "--reviser", own}), "none 2 4");
    EXPECT_EQ(counted({"--method", "cot", "--unit", "sentence", "--reviser", own}), "none 4 8");
    EXPECT_EQ(counted({"--planner", own}), "2 2 none") << "the rules ask nobody";
    EXPECT_EQ(counted({"--planner", own, "--reviser", own}), "2 2 2 4");
    EXPECT_EQ(counted({"--method", "iter", "--rounds", "4", "--planner", own, "--reviser", own}), "8 8 8 16");
    // The conditions, and 3 responses in each of 1 to 5 iterations: 4 and 16 a text.
    EXPECT_EQ(counted({"--method", "search", "--iterations", "5", "--planner", own}), "8 32 none");
    // Above depth 2 there are the root and its 3 children: 4 leaves are expanded at most, 1 + 3 * 4 = 13.
    EXPECT_EQ(counted({"--method", "search", "--depth", "2", "--planner", own}), "8 26 none");
    EXPECT_EQ(
        counted({"--method", "search", "--iterations", "2", "--without", "plan", "--preserve", "latex", "--reviser", own}),
        "none 6 24");
}

// max_new_tokens is 100: two requests bring 200 tokens of 2 USD a million; those of the prompts cost 1 USD a million.
TEST_F(DryRun, ShowsTokensPriceAndAPrompt) {
    const Arguments direct = {"--method", "direct", "--reviser", "openai:own",
                              "--input",  texts(2), "--set",     "reviser_sampling.max_new_tokens=100"};
    const Json made = estimate(direct), role = made["roles"]["reviser"];
    EXPECT_EQ(role["system"], "openai:own");
    EXPECT_EQ(role["new_tokens"], Json({{"least_requests", 200}, {"most_requests", 400}}));
    const std::string prompt = role["prompt"];
    EXPECT_THAT(prompt,
                HasSubstr("### Request:\nUse less than 9 words:\n\n### Text:\nRoad 0 is very long. It was very late."));
    const int64_t tokens = role["prompt_tokens"];
    EXPECT_GT(tokens, 2 * static_cast<int64_t>(prompt.size()) / 3) << "three bytes a token, and what stands around it";
    EXPECT_LT(tokens, 2 * static_cast<int64_t>(prompt.size()) / 2);
    EXPECT_NEAR(role["usd"].get<double>(), static_cast<double>(tokens + 2 * 200) / 1e6, 1e-12);
    EXPECT_EQ(made["usd"], role["usd"]);
    EXPECT_EQ(folder_.count(), 2u) << "configuration and texts: neither a cache nor an output";
    config("http://127.0.0.1:9/v1", {{"prices", nullptr}});
    EXPECT_TRUE(estimate(direct)["usd"].is_null());
}

// A local model's tokenizer and template count: its weights are not there.
TEST_F(DryRun, CountsALocalModelsTokensWithoutItsWeights) {
    fs::create_directory(folder_.path() / "model");
    for (const auto& entry : fs::directory_iterator(test::tiny_model()))
        if (entry.path().extension() != ".safetensors")
            fs::copy(entry.path(), folder_.path() / "model" / entry.path().filename());
    const Arguments direct = {"--method", "direct", "--reviser", "local:" + at("model"), "--input", texts(1)};
    const Json role = estimate(direct)["roles"]["reviser"];
    EXPECT_GT(role["prompt_tokens"], 20);
    EXPECT_TRUE(role["usd"].is_null());
    EXPECT_EQ(estimate(direct)["usd"], 0) << "what is computed here costs nothing";
}

TEST_F(DryRun, ReadsPlansAndSaysWhatIsWrongWithTexts) {
    const std::string plans =
        folder_.file("p.jsonl", Json({{"id", 0}, {"response", test::planned("Road 0 is very long.")}}).dump());
    const Json made = estimate({"--plans", plans, "--reviser", "openai:own", "--input", texts(1)});
    EXPECT_EQ(requests(made, "planner"), "none");
    EXPECT_THAT(made["roles"]["reviser"]["prompt"].get<std::string>(), HasSubstr("Improvement Plan: \"Tighten it.\""));
    EXPECT_THAT(test::failure_of(revise({"--dry-run", "--plans", plans, "--reviser", "openai:own", "--input", texts(2)})),
                HasSubstr("has a plan of, got '1'"));
    folder_.file("bad.jsonl",
                 "{\"id\":1,\"instruction\":\"\",\"text\":\"\"}\n{\"id\":2,\"instruction\":\"i\",\"text\":\"A.\"}\n");
    const Json rest =
        estimate({"--method", "direct", "--reviser", "openai:own", "--input", at("bad.jsonl"), "--skip-bad-lines"});
    EXPECT_EQ(rest["texts"], 1);
    EXPECT_EQ(rest["bad_lines"], 1);
}

}  // namespace
}  // namespace craft
