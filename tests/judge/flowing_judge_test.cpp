// A judge for the items of a flow: the figures are those of each item by itself.
#include "judge/flowing_judge.h"

#include <gtest/gtest.h>

#include <thread>

namespace craft {

namespace {

// What a text gets depends on how many are scored at once, as the last bits of a model's figures may.
struct CrowdScorer : Scorer {
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override {
        EXPECT_EQ(std::this_thread::get_id(), thread);
        return std::vector<double>(pairs.size(), static_cast<double>(pairs.size()));
    }
    std::string name() const override { return "crowd"; }
    std::thread::id thread = std::this_thread::get_id();
};

}  // namespace

TEST(FlowingJudge, AnItemsFiguresDoNotDependOnTheOthers) {
    Flow flow;
    const Judge plain(RewardOptions{}, {{std::make_shared<CrowdScorer>(), [](double value, double) { return value; }}});
    FlowingJudge judge(flow, plain);
    const MeasuredText text("One two. Three.");
    const ParsedCalls calls;
    const auto judged = [&](Judge& by, int64_t count) {
        Instruction instruction;
        instruction.text = text.text();
        const std::vector<Revision> revisions(static_cast<size_t>(count), {&instruction, &calls, &text, &text});
        std::vector<double> figures;
        for (const Judged& one : by.judge(revisions)) figures.push_back(one.s_r.value());
        return figures;
    };
    int64_t given = 1;
    flow.run<int64_t, std::vector<double>>([&] { return given <= 6 ? std::optional(given++) : std::nullopt; },
                                           [&](int64_t& item) { return judged(judge, item); },
                                           [&](int64_t& item, std::vector<double>& figures) {
                                               Judge alone = plain;
                                               EXPECT_EQ(figures, judged(alone, item));
                                               EXPECT_EQ(figures.size(), static_cast<size_t>(item));
                                           });
    EXPECT_EQ(judged(judge, 2).size(), 2u) << "outside of an item";
}

}  // namespace craft
