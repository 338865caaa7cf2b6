#include "judge/pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace craft {

namespace {

const std::vector<Message> kHistory = {{Role::user, "p"}, {Role::assistant, "first"}, {Role::user, "seen"}};

Step sample(const std::string& response, double s_a) {
    Step step;
    step.response = response;
    step.scores.s_v = 0.5;
    step.scores.s_a = s_a;
    return step;
}

std::string reason(const std::vector<Step>& samples, double min_gap = 5) {
    const PairOutcome outcome = build_pair(kHistory, samples, {min_gap});
    EXPECT_NE(outcome.pair.has_value(), !outcome.dropped.empty());
    return outcome.dropped;
}

}  // namespace

TEST(Pairs, HighestAgainstLowest) {
    const auto outcome =
        build_pair(kHistory, {sample("b", 40), sample("", 1), sample("a", 71.5), sample("c", 30), sample("d", 71.5)}, {},
                   Json{{"instruction", "i7"}, {"step", 2}});
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.empty_responses, 1);
    EXPECT_EQ(
        to_json(*outcome.pair).dump(),
        R"({"prompt":[{"role":"user","content":"p"},{"role":"assistant","content":"first"},{"role":"user","content":"seen"}],)"
        R"("chosen":[{"role":"assistant","content":"a"}],"rejected":[{"role":"assistant","content":"c"}],)"
        R"("provenance":{"instruction":"i7","step":2,"chosen_index":2,"rejected_index":3,)"
        R"("chosen_scores":{"s_v":0.5,"s_c":null,"s_r":null,"s_a":71.5},)"
        R"("rejected_scores":{"s_v":0.5,"s_c":null,"s_r":null,"s_a":30.0},"gap":41.5,"s_a":[40.0,1.0,71.5,30.0,71.5]}})");
    EXPECT_NO_THROW(pair_from_json(to_json(*outcome.pair), "here"));
}

TEST(Pairs, OnlyAResponseWithTheToolF1ThatIsAskedForIsChosen) {
    std::vector<Step> samples = {sample("a", 80), sample("b", 60), sample("c", 70), sample("d", 20)};
    samples[1].scores.s_v = samples[2].scores.s_v = .75;
    samples[3].scores.s_v = .9;
    const auto chosen = [&](double min_tool_f1) {
        const auto outcome = build_pair(kHistory, samples, {.min_tool_f1 = min_tool_f1});
        return outcome.pair ? samples[outcome.pair->provenance.at("chosen_index").get<size_t>()].response : outcome.dropped;
    };
    EXPECT_EQ(chosen(.5), "a");
    EXPECT_EQ(chosen(.75), "c") << "though rounding may leave less";
    EXPECT_EQ(chosen(.8), "tie") << "the best that is left is the worst of all";
    EXPECT_EQ(chosen(1), "wrong calls");
    samples[0].scores.s_v.reset();
    EXPECT_EQ(chosen(.5), "c");
}

TEST(Pairs, OfEqualScoresTheLikeliest) {
    std::vector<Step> samples = {sample("a", 80), sample("b", 80), sample("c", 20), sample("d", 20), sample("e", 20)};
    const auto indices = [&] {
        const auto outcome = build_pair(kHistory, samples);
        return std::pair(outcome.pair->provenance.at("chosen_index").get<int>(),
                         outcome.pair->provenance.at("rejected_index").get<int>());
    };
    EXPECT_EQ(indices(), std::pair(0, 2)) << "nothing tells them apart";
    const double logprobs[] = {-0.4, -0.1, -0.3, -0.2, -0.2};
    for (size_t i = 0; i < samples.size(); ++i) samples[i].mean_logprob = logprobs[i];
    EXPECT_EQ(indices(), std::pair(1, 3));
    samples[0].scores.s_a = 80.1;
    EXPECT_EQ(indices(), std::pair(0, 3)) << "a better score counts first";
}

TEST(Pairs, RecordWhatTheScorersSaid) {
    std::vector<Step> samples = {sample("a", 90), sample("b", 60)};
    samples[0].scores.quality = {{"perplexity", 31.5, 40}};
    samples[1].scores.quality = {
        {"perplexity", std::numeric_limits<double>::infinity(), 40}};  // of a revision without words
    const auto outcome = build_pair(kHistory, samples);
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.pair->provenance.at("chosen_scores").at("raw_quality").dump(),
              R"({"perplexity":{"revision":31.5,"text":40.0}})");
    EXPECT_TRUE(outcome.pair->provenance.at("rejected_scores").at("raw_quality").at("perplexity").at("revision").is_null());
}

TEST(Pairs, DroppedWithAReason) {
    EXPECT_EQ(reason({sample("a", 50), sample("b", 45)}), "");
    EXPECT_EQ(reason({sample("a", 50), sample("b", 45.01)}), "gap");
    EXPECT_EQ(reason({sample("a", 50), sample("b", 50)}), "tie");
    EXPECT_EQ(reason({sample("a", 50), sample("b", 50)}, 0), "tie");
    EXPECT_EQ(reason({sample("a", 50), sample("b", 49.99)}, 0), "");
    // What rounding leaves is neither a difference nor too near.
    EXPECT_EQ(reason({sample("a", 0.1 + 0.2), sample("b", 0.3)}, 0), "tie");
    EXPECT_EQ(reason({sample("a", 10.2), sample("b", 5.2)}), "");  // 4.999999999999999 apart
    EXPECT_EQ(reason({sample("a", 50), sample("a", 50)}), "identical");
    EXPECT_EQ(reason({sample("a", 90), sample("b", 60), sample("a", 10)}), "identical");
    EXPECT_EQ(reason({sample("a", 90), sample(" \n", 10)}), "empty");
    EXPECT_EQ(reason({sample("a", 90)}), "empty");
    EXPECT_EQ(reason({}), "empty");
}

// 0.1 + 0.2 is more than 0.3 by rounding alone.
TEST(Pairs, TheFirstOfEqualsIsTaken) {
    const double above = 60 + (0.1 + 0.2), equal = 60 + 0.3;
    const auto outcome = build_pair(kHistory, {sample("a", equal), sample("b", equal + 1e-12), sample("c", 0.1 + 0.2),
                                               sample("d", 0.3), sample("e", above)});
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.pair->provenance.at("chosen_index"), 0);
    EXPECT_EQ(outcome.pair->provenance.at("rejected_index"), 2);
    EXPECT_EQ(reason({sample("a", 10), sample("b", 90)}), "") << "the best does not come first";
}

TEST(Pairs, ResponsesThatWereCutAreOnNeitherSide) {
    std::vector<Step> samples = {sample("a", 90), sample("b", 60), sample("c", 40), sample("d", 10)};
    samples[0].finished = samples[3].finished = false;
    const PairOutcome outcome = build_pair(kHistory, samples);
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.cut_responses, 2);
    EXPECT_EQ(outcome.pair->provenance.at("chosen_index"), 1);
    EXPECT_EQ(outcome.pair->provenance.at("rejected_index"), 2);
    samples[1].finished = false;
    EXPECT_EQ(reason(samples), "cut");
    EXPECT_EQ(reason({samples[0], sample("", 5)}), "empty");
}

TEST(Pairs, ResponsesWithoutARevisionAreOnNeitherSide) {
    std::vector<Step> samples = {sample("a", 90), sample("b", 60), sample("c", 40), sample("d", 10)};
    samples[0].unusable = "echo";
    samples[3].unusable = "timed_out";
    const PairOutcome outcome = build_pair(kHistory, samples);
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.unusable_responses, 2);
    EXPECT_EQ(outcome.pair->provenance.at("chosen_index"), 1);
    EXPECT_EQ(outcome.pair->provenance.at("rejected_index"), 2);
    samples[1].unusable = "echo";
    EXPECT_EQ(reason(samples), "unusable");
    samples[2].finished = false;
    EXPECT_EQ(reason(samples), "unusable");
    samples[1].finished = samples[0].finished = false;
    EXPECT_EQ(reason(samples), "cut");
}

TEST(Pairs, ScoresMustBeFinite) {
    EXPECT_THROW(build_pair(kHistory, {sample("a", std::nan("")), sample("b", 1)}), Error);
}

// Another judge's verdict takes the place of the reward, whatever that says.
TEST(Pairs, AVerdictRanksInsteadOfTheReward) {
    const std::vector<Step> samples = {sample("a", 90), sample("b", 50), sample("c", 10)};
    SampleVerdict verdict{1, 0, "", {{"judge", "j"}}};
    const PairOutcome outcome = build_pair(kHistory, samples, {.min_gap = 5, .rank_by = RankBy::judge}, {}, verdict);
    ASSERT_TRUE(outcome.pair);
    EXPECT_EQ(outcome.pair->provenance.at("chosen_index"), 1);
    EXPECT_EQ(outcome.pair->provenance.at("rejected_index"), 0);
    EXPECT_EQ(outcome.pair->provenance.at("gap"), -40);
    EXPECT_EQ(outcome.pair->provenance.at("judge"), "j");
    EXPECT_EQ(build_pair(kHistory, samples, {.rank_by = RankBy::judge}, {}, {{}, {}, "out of range", {}}).dropped,
              "verdict: out of range");
}

TEST(Pairs, VerdictAndRewardTogether) {
    const std::vector<Step> samples = {sample("a", 90), sample("b", 50), sample("c", 48), sample("d", 50)};
    const auto dropped_of = [&](size_t best, size_t worst) {
        return build_pair(kHistory, samples, {.min_gap = 5, .rank_by = RankBy::both}, {}, {best, worst, "", {}}).dropped;
    };
    EXPECT_EQ(dropped_of(0, 1), "");
    EXPECT_EQ(dropped_of(1, 0), "disagreement");
    EXPECT_EQ(dropped_of(1, 2), "gap");
    EXPECT_EQ(dropped_of(1, 3), "tie");
}

TEST(Pairs, UsableSamplesHaveTextAndAnEnd) {
    std::vector<Step> samples = {sample("a", 1), sample(" ", 1), sample("c", 1), sample("d", 1)};
    samples[2].finished = false;
    EXPECT_EQ(usable_samples(samples), (std::vector<size_t>{0, 3}));
}

}  // namespace craft
