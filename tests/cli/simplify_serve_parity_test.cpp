// The four steps of policy-driven simplification with a real server, `transformers serve`, as a candidate system and as the
// judge: what it answers is what the same model answers here, and of a judge that gives no verdict no pair is made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/served_models.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/english_model.h"
#include "tests/judge/scorers/installed_encoder.h"

namespace craft {
namespace {

using test::Arguments;
using testing::HasSubstr;

constexpr const char* kTexts =
    R"({"id":"mill","text":"The mill, which had been erected in 1841, was abandoned when the river silted up."})"
    "\n"
    R"({"id":"ferry","text":"Passengers are requested to refrain from smoking, and the crew will remain vigilant."})"
    "\n"
    R"({"id":"bell","text":"Although the bell was cracked, the sexton continued to ring it until the tower collapsed."})"
    "\n";
constexpr const char* kVerdicts =
    "Aspect: Lexical, Best: 0, Worst: 1\nAspect: Structural, Best: 0, Worst: 1\nAspect: Overall, Best: 0, Worst: 1";

class SimplifyServed : public test::ServedModels {
protected:
    // `simplify STEP`, with the profiles where it may ask somebody.
    void step(const std::string& name, const Arguments& more, int code = 0) {
        Arguments all = {"simplify", name, "--dtype", "float32"};
        if (name != "train") {
            const Arguments asks = {"--config", at("config.json"), "--answers", at("answers"), "--policy", "rewriting"};
            all.insert(all.end(), asks.begin(), asks.end());
        }
        all.insert(all.end(), more.begin(), more.end());
        const test::Outcome outcome = test::run_command(all);
        ASSERT_EQ(outcome.code, code) << outcome.err;
        said_ = outcome.err;
    }
    void candidates(const std::string& system, const std::string& output) {
        folder_.file("texts.jsonl", kTexts);
        step("candidates", {"--systems", system + ",rules:copy", "--input", at("texts.jsonl"), "--output", at(output),
                            "--max-new-tokens", "24"});
    }
    void simplified_by(const std::string& system, const std::string& output) {
        step("run", {"--model", system, "--input", at("texts.jsonl"), "--output", at(output), "--max-new-tokens", "24"});
    }
    std::string said_;  // stderr of the last step
};

TEST_F(SimplifyServed, WithoutVerdictsOfTheServedJudgeThoseOfTheRulesTrain) {
    CRAFT_NEEDS_MODEL_SERVER();
    CRAFT_NEEDS_ENGLISH_MODEL();
    CRAFT_NEEDS_ENCODER();
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().scowl);
    make_and_serve("small");
    const std::string here = "local:" + at("small");

    candidates("openai:small", "c.jsonl");
    candidates(here, "ours.jsonl");
    std::vector<Json> theirs = rows("c.jsonl"), ours = rows("ours.jsonl");
    ASSERT_EQ(theirs.size(), 3u);
    for (size_t i = 0; i < theirs.size(); ++i) {
        ASSERT_EQ(theirs[i]["candidates"].size(), 2u);
        EXPECT_EQ(theirs[i]["candidates"][0]["system"], "openai:small");
        ours[i]["candidates"][0]["system"] = "openai:small";
        EXPECT_EQ(theirs[i], ours[i]);
    }

    // Three groups in two orders. No answer ends within eight tokens: none is a verdict, and none is asked for again.
    step("pairs",
         {"--judge", "openai:small", "--orders", "both", "--attempts", "2", "--max-new-tokens", "8", "--input",
          at("c.jsonl"), "--output", at("none.jsonl"), "--judgements", at("said.jsonl")},
         /*code=*/1);
    EXPECT_THAT(said_, HasSubstr("expected a usable answer, got none of 6 (cut 6)"));
    EXPECT_FALSE(std::filesystem::exists(at("none.jsonl")));
    EXPECT_FALSE(std::filesystem::exists(at("said.jsonl")));
    const Json said = manifest("none.jsonl");
    const Json judged = said["judged"]["judges"]["openai:small"];
    EXPECT_EQ(judged["judgements"], 6);
    EXPECT_EQ(judged["answers"], 6);
    EXPECT_EQ(judged["asked_again"], 0);
    EXPECT_EQ(judged["aspects"]["Overall"]["verdicts"], 0);
    EXPECT_EQ(judged["malformed"], Json({{"cut", 6}}));
    EXPECT_EQ(said["pairs"]["groups"], 3);
    EXPECT_EQ(said["pairs"]["pairs"], 0);
    for (const auto& [reason, count] : said["pairs"]["dropped"].items()) EXPECT_THAT(reason, HasSubstr("no verdict: "));
    const std::vector<Json> kept = rows("none.jsonl");
    EXPECT_EQ(kept.size(), 3u);
    for (const Json& group : kept)
        for (const Json& row : group["rows"]) EXPECT_TRUE(row["verdict"].is_null() && row["reason"].is_string()) << row;
    EXPECT_EQ(said["usage"]["systems"]["openai:small"]["requests"], 6);

    step("pairs", {"--judge", "rules", "--orders", "both", "--input", at("c.jsonl"), "--output", at("pairs.jsonl")});
    const std::vector<Json> pairs = rows("pairs.jsonl");
    ASSERT_EQ(pairs.size(), 3u) << said_;
    for (const Json& pair : pairs) EXPECT_EQ(pair["provenance"]["rejected_system"], "openai:small");
    step("train", {"--model", at("small"), "--pairs", at("pairs.jsonl"), "--out", at("trained"), "--set", "train.epochs=6",
                   "--lr", "0.01"});
    const std::vector<Json> steps = rows("trained/metrics.jsonl");
    ASSERT_EQ(steps.size(), 6u);
    EXPECT_LT(steps.back()["loss"], steps.front()["loss"]);

    // What was trained is served, too.
    ASSERT_EQ(test::run_command({"export", "--model", at("small"), "--adapter", at("trained/adapter"), "--merge", "--out",
                                 at("merged"), "--dtype", "float32"})
                  .code,
              0);
    serve("merged");
    simplified_by("openai:small", "before.jsonl");
    simplified_by("openai:merged", "after.jsonl");
    simplified_by(here + "+" + at("trained/adapter"), "after_here.jsonl");
    EXPECT_EQ(rows("after.jsonl").size(), 3u);
    EXPECT_EQ(rows("after.jsonl"), rows("after_here.jsonl"));
    EXPECT_NE(rows("after.jsonl"), rows("before.jsonl"));
}

TEST_F(SimplifyServed, AJudgeThatNamesPlacesIsSeenAndItsPairsAreThoseOfTheOrder) {
    CRAFT_NEEDS_MODEL_SERVER();
    make_and_serve("biased", kVerdicts);
    folder_.file("c.jsonl", R"({"id":"1","source":"It was facile.","policy":"rewriting","candidates":[)"
                            R"({"system":"x","text":"It was easy."},{"system":"y","text":"It was banal."}]})"
                            "\n"
                            R"({"id":"2","source":"He commenced.","policy":"rewriting","candidates":[)"
                            R"({"system":"x","text":"He began."},{"system":"y","text":"He started."}]})"
                            "\n");
    const auto pairs = [&](const std::string& orders) {
        step("pairs",
             {"--judge", "openai:biased", "--orders", orders, "--input", at("c.jsonl"), "--output", at(orders + ".jsonl")});
        return manifest(orders + ".jsonl");
    };
    const Json both = pairs("both");
    EXPECT_EQ(both["pairs"]["dropped"], Json({{"no verdict: flipped", 2}}));
    const Json figures = both["judged"]["judges"]["openai:biased"]["aspects"]["Overall"];
    EXPECT_EQ(figures["verdicts"], 4);
    EXPECT_EQ(figures["places"][0]["best_share"], 1.);
    EXPECT_EQ(figures["places"][1]["worst_share"], 1.);
    EXPECT_EQ(figures["orders"]["reversed"], 2);

    EXPECT_EQ(pairs("fixed")["pairs"]["pairs"], 2);
    for (const Json& pair : rows("fixed.jsonl")) EXPECT_EQ(pair["provenance"]["chosen_system"], "x");
    step("train", {"--model", at("biased"), "--pairs", at("fixed.jsonl"), "--out", at("trained")});
    const std::vector<Json> steps = rows("trained/metrics.jsonl");
    ASSERT_EQ(steps.size(), 1u) << "both pairs in one step of 128";
    EXPECT_TRUE(std::isfinite(steps[0]["loss"].get<double>()));
}

}  // namespace
}  // namespace craft
