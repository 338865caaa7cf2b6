// Rounds whose samples another judge ranks.
#include <gtest/gtest.h>

#include <mutex>

#include "align/align.h"
#include "tests/align/align_fixture.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Align;

// Whoever stands first is best, whoever stands last worst.
class PlaceJudge : public CandidateJudge {
public:
    std::string name() const override { return "places"; }
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t) const override {
        const std::lock_guard lock(mutex_);
        ++asked;
        EXPECT_FALSE(group.source.empty());
        Judgement judgement;
        judgement.judge = name();
        judgement.order = order;
        judgement.verdicts[""] = {order.front(), order.back()};
        return judgement;
    }
    mutable int asked = 0;

private:
    mutable std::mutex mutex_;
};

std::vector<Json> rows(const fs::path& file) {
    std::vector<Json> all;
    JsonLinesReader reader(file.string());
    while (const auto row = reader.next()) all.push_back(*row);
    return all;
}

class JudgedRounds : public Align {
protected:
    static AlignOptions options_with(const std::shared_ptr<PlaceJudge>& judge, Flow* flow = nullptr) {
        AlignOptions options = test::tiny_options();
        options.rounds = 1;
        options.judge = RoundJudge{judge, "", 3};
        options.pairs.rank_by = RankBy::judge;
        options.flow = flow;
        return options;
    }
};

TEST_F(JudgedRounds, PairsAreTheJudgesVerdicts) {
    const auto judge = std::make_shared<PlaceJudge>();
    run(options_with(judge), folder_.path());
    EXPECT_GT(judge->asked, 0);
    const auto responses = rows(folder_.path() / "round-1/pairs/responses.jsonl");
    const auto pairs = rows(folder_.path() / "round-1/pairs/pairs.jsonl");
    ASSERT_FALSE(pairs.empty());
    int64_t verdicts = 0;
    for (const Json& row : responses) verdicts += row.contains("verdict") && row.at("verdict").contains("best") ? 1 : 0;
    EXPECT_EQ(verdicts, judge->asked);
    for (const Json& pair : pairs) {
        const Json& origin = pair.at("provenance");
        EXPECT_EQ(origin.at("judge"), "places");
        EXPECT_EQ(origin.at("chosen_index"), origin.at("order").front());
        EXPECT_EQ(origin.at("rejected_index"), origin.at("order").back());
    }
}

TEST_F(JudgedRounds, AFlowMakesTheSamePairs) {
    Flow flow({.items_at_once = 4, .items_ahead = 8});
    const auto judge = std::make_shared<PlaceJudge>();
    run(options_with(judge), folder_.path() / "together");
    run(options_with(judge, &flow), folder_.path() / "flow");
    const auto pairs = [&](const char* which) { return read_file(folder_.path() / which / "round-1/pairs/pairs.jsonl"); };
    EXPECT_EQ(pairs("together"), pairs("flow"));
}

}  // namespace
}  // namespace craft
