#include "align/sample_judging.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace craft {

namespace {

// Calls the longest candidate best and the shortest worst, and remembers what it was asked.
class LengthJudge : public CandidateJudge {
public:
    std::string name() const override { return "lengths"; }
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t) const override {
        asked = group;
        orders.push_back(order);
        Judgement judgement{name(), order, 0, {}, {}, {}};
        if (gives_none) {
            judgement.reasons["Overall"] = "tie";
            return judgement;
        }
        ListwiseVerdict verdict;
        for (size_t i = 0; i < group.candidates.size(); ++i) {
            const auto length = [&](size_t k) { return group.candidates[k].text.size(); };
            if (length(i) > length(verdict.best)) verdict.best = i;
            if (length(i) < length(verdict.worst)) verdict.worst = i;
        }
        judgement.verdicts["Overall"] = verdict;
        return judgement;
    }
    bool gives_none = false;
    mutable CandidateGroup asked;
    mutable std::vector<std::vector<size_t>> orders;
};

Step judged_sample(const std::string& revision, bool finished = true) {
    Step step;
    step.response = "response of " + revision;
    step.revision = revision;
    step.finished = finished;
    return step;
}

Trajectory history_of(const std::string& id) {
    Trajectory history;
    history.instruction.id = id;
    history.instruction.text = "The text as it was.";
    return history;
}

}  // namespace

TEST(SampleJudging, NumbersAreThoseOfAllSamples) {
    const auto judge = std::make_shared<LengthJudge>();
    // The first one was cut, so that nobody judges it: the candidates are samples 1, 2 and 3.
    const std::vector<Step> samples = {judged_sample("the longest one of all", false), judged_sample("bb"),
                                       judged_sample("dddd"), judged_sample("c")};
    const SampleVerdict verdict = judge_samples({judge, "Overall", 1}, "round-1", history_of("i1"), samples);
    EXPECT_EQ(verdict.best, 2u);
    EXPECT_EQ(verdict.worst, 3u);
    EXPECT_EQ(judge->asked.source, "The text as it was.");
    EXPECT_EQ(judge->asked.candidates.size(), 3u);
    EXPECT_EQ(verdict.origin.at("judge"), "lengths");
    std::vector<size_t> order = verdict.origin.at("order").get<std::vector<size_t>>();
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<size_t>{1, 2, 3}));
}

TEST(SampleJudging, TheSourceIsTheTextBeforeTheSampledStep) {
    const auto judge = std::make_shared<LengthJudge>();
    Trajectory history = history_of("i1");
    history.steps.push_back(judged_sample("The first revision."));
    judge_samples({judge, "Overall", 1}, "round-1", history, {judged_sample("a"), judged_sample("bb")});
    EXPECT_EQ(judge->asked.source, "The first revision.");
}

TEST(SampleJudging, InstructionAndResponsesGoWithTheTexts) {
    const auto judge = std::make_shared<LengthJudge>();
    Trajectory history = history_of("i1");
    history.instruction.instruction = "Be short.";
    judge_samples({judge, "Overall", 1}, "round-1", history, {judged_sample("a"), judged_sample(""), judged_sample("bb")});
    EXPECT_EQ(judge->asked.instruction, "Be short.");
    EXPECT_EQ(judge->asked.candidates.at(2).text, "bb");
    EXPECT_EQ(judge->asked.candidates[2].response, "response of bb");
}

TEST(SampleJudging, SaysWhyThereIsNoVerdict) {
    const auto judge = std::make_shared<LengthJudge>();
    EXPECT_EQ(judge_samples({judge, "Overall", 1}, "round-1", history_of("i"), {judged_sample("a")}).reason,
              "too few samples");
    EXPECT_TRUE(judge->orders.empty());
    const std::vector<Step> two = {judged_sample("a"), judged_sample("bb")};
    EXPECT_EQ(judge_samples({judge, "Lexical", 1}, "round-1", history_of("i"), two).reason, "no verdict");
    judge->gives_none = true;
    const SampleVerdict none = judge_samples({judge, "Overall", 1}, "round-1", history_of("i"), two);
    EXPECT_EQ(none.reason, "tie");
    EXPECT_FALSE(none.best);
}

// 64 histories: both orders of two samples come, and the same seed draws the same.
TEST(SampleJudging, OrdersAreDrawnBySeedRoundAndHistory) {
    const auto orders = [](uint64_t seed, const std::string& round) {
        const auto judge = std::make_shared<LengthJudge>();
        for (int i = 0; i < 64; ++i)
            judge_samples({judge, "Overall", seed}, round, history_of("i" + std::to_string(i)),
                          {judged_sample("a"), judged_sample("bb")});
        return judge->orders;
    };
    const auto drawn = orders(1, "round-1");
    const auto turned = std::count(drawn.begin(), drawn.end(), std::vector<size_t>{1, 0});
    EXPECT_GT(turned, 16);
    EXPECT_LT(turned, 48);
    EXPECT_EQ(drawn, orders(1, "round-1"));
    EXPECT_NE(drawn, orders(2, "round-1"));
    EXPECT_NE(drawn, orders(1, "round-2"));
}

}  // namespace craft
