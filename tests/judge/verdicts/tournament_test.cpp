#include "judge/verdicts/tournament.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/rng.h"

namespace craft {
namespace {

using CopelandScores = std::vector<double>;
constexpr auto win = PairVerdict::win, tie = PairVerdict::tie, loss = PairVerdict::loss;

// "2>0", or why there is no verdict.
std::string end_of(const TournamentResult& result) {
    if (!result.verdict) return result.reason;
    return std::to_string(result.verdict->best) + ">" + std::to_string(result.verdict->worst);
}

TEST(Tournament, CountsWhomEachBeats) {
    // 1 beats 0 and 2, 0 beats 2.
    const TournamentResult result = run_tournament(3, {{0, 1, loss}, {1, 2, win}, {0, 2, win}});
    EXPECT_EQ(result.scores, (CopelandScores{1, 2, 0}));
    EXPECT_EQ(end_of(result), "1>2");
    EXPECT_EQ(result.reason, "");
    EXPECT_EQ(result.ties, 0);
    EXPECT_EQ(result.unjudged, 0);
}

TEST(Tournament, NothingBreaksTies) {
    const TournamentResult cycle = run_tournament(3, {{0, 1, win}, {1, 2, win}, {2, 0, win}});
    EXPECT_EQ(cycle.scores, (CopelandScores{1, 1, 1}));
    EXPECT_EQ(end_of(cycle), "tie");
    EXPECT_EQ(cycle.ties, 0);
    // 0 is alone at the top, but 1 and 2 share the bottom.
    const TournamentResult bottom = run_tournament(3, {{0, 1, win}, {0, 2, win}, {1, 2, tie}});
    EXPECT_EQ(bottom.scores, (CopelandScores{2, 0.5, 0.5}));
    EXPECT_EQ(end_of(bottom), "tie");
    EXPECT_EQ(bottom.ties, 1);
    EXPECT_EQ(end_of(run_tournament(3, {{0, 1, loss}, {0, 2, loss}, {1, 2, tie}})), "tie") << "at the top";
    EXPECT_EQ(end_of(run_tournament(2, {{1, 0, tie}})), "tie");
    // A draw does not hide who is best: 1.5, 1, .5.
    EXPECT_EQ(end_of(run_tournament(3, {{0, 1, tie}, {0, 2, win}, {1, 2, tie}})), "0>2");
}

TEST(Tournament, SeveralMeetingsOfTwoAreOne) {
    // Both orders agree; a flip is a draw; two to one; a tie is half a win for either.
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, win}, {1, 0, loss}})), "0>1");
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, win}, {1, 0, win}})), "tie");
    EXPECT_EQ(run_tournament(2, {{0, 1, win}, {1, 0, win}}).ties, 1);
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, loss}, {1, 0, win}, {0, 1, win}})), "1>0");
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, win}, {0, 1, tie}})), "0>1");
    EXPECT_EQ(run_tournament(2, {{0, 1, win}, {0, 1, win}}).scores, (CopelandScores{1, 0}))
        << "a win more often is no second win";
    // What was not judged in one of two orders could have been a flip.
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, win}, {0, 1, std::nullopt}})), "unjudged");
}

TEST(Tournament, WhatIsUnjudgedMustNotMatter) {
    EXPECT_EQ(end_of(run_tournament(2, {})), "unjudged");
    EXPECT_EQ(end_of(run_tournament(2, {{0, 1, std::nullopt}})), "unjudged");
    // 3 beats all, 0 loses to all: whether 1 or 2 is better changes neither.
    const TournamentResult middle =
        run_tournament(4, {{3, 0, win}, {3, 1, win}, {3, 2, win}, {1, 0, win}, {2, 0, win}, {1, 2, std::nullopt}});
    EXPECT_EQ(end_of(middle), "3>0");
    EXPECT_EQ(middle.unjudged, 1);
    // 0 has beaten 2, and 1 was not held against either: it could be the best.
    EXPECT_EQ(end_of(run_tournament(3, {{0, 2, win}})), "unjudged");
    // 0 beats both; 1 and 2 have not met: the worst is not known.
    EXPECT_EQ(end_of(run_tournament(3, {{0, 1, win}, {0, 2, win}})), "unjudged");
}

TEST(Tournament, FewerThanTwoAndWrongDuels) {
    EXPECT_EQ(end_of(run_tournament(0, {})), "too few candidates");
    EXPECT_EQ(end_of(run_tournament(1, {})), "too few candidates");
    EXPECT_THROW(run_tournament(2, {{0, 2, win}}), Error);
    EXPECT_THROW(run_tournament(2, {{1, 1, win}}), Error);
}

TEST(Tournament, OfSomeCandidatesByTheirNumbers) {
    const std::vector<size_t> order = {5, 2, 7};
    const TournamentResult result = run_tournament(order, {{5, 2, loss}, {2, 7, win}, {5, 7, win}});
    EXPECT_EQ(result.scores, (CopelandScores{1, 2, 0}));
    EXPECT_EQ(end_of(result), "2>7");
    EXPECT_THROW(run_tournament(order, {{5, 0, win}}), Error);
}

// A verdict with meetings left open is that of every way in which they could have ended.
TEST(Tournament, AVerdictStandsHoweverOpenMeetingsEnd) {
    int verdicts_with_open = 0;
    for (uint64_t draw = 0; draw < 2000; ++draw) {
        Rng rng(5, "tournament", draw);
        std::vector<Duel> duels;
        std::vector<std::pair<size_t, size_t>> open;
        for (size_t a = 0; a < 4; ++a) {
            for (size_t b = a + 1; b < 4; ++b) {
                if (rng.below(4) == 0)
                    open.emplace_back(a, b);
                else
                    duels.push_back({a, b, static_cast<PairVerdict>(rng.below(3))});
            }
        }
        const TournamentResult result = run_tournament(4, duels);
        EXPECT_EQ(result.unjudged, static_cast<int64_t>(open.size()));
        std::set<std::string> endings;
        size_t ways = 1;
        for (size_t i = 0; i < open.size(); ++i) ways *= 3;
        for (size_t way = 0; way < ways; ++way) {
            std::vector<Duel> all = duels;
            size_t rest = way;
            for (const auto& [a, b] : open) {
                all.push_back({a, b, static_cast<PairVerdict>(rest % 3)});
                rest /= 3;
            }
            endings.insert(end_of(run_tournament(4, all)));
        }
        const std::string said = end_of(result);
        EXPECT_TRUE(!result.verdict || endings == std::set<std::string>{said}) << draw << " " << said;
        EXPECT_TRUE(result.verdict || said == (open.empty() ? "tie" : "unjudged")) << draw << " " << said;
        if (result.verdict && !open.empty()) ++verdicts_with_open;
    }
    EXPECT_GT(verdicts_with_open, 10);
}

}  // namespace
}  // namespace craft
