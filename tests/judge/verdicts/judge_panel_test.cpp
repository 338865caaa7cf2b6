#include "judge/verdicts/judge_panel.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "judge/verdicts/combined_verdict.h"
#include "systems/system.h"

namespace craft {
namespace {

using Order = std::vector<size_t>;

// Says what a function says.
class OwnJudge : public CandidateJudge {
public:
    using Says = std::function<void(Judgement&)>;
    OwnJudge(std::string name, Says says) : name_(std::move(name)), says_(std::move(says)) {}
    std::string name() const override { return name_; }
    Judgement judge(const CandidateGroup&, const Order& order, uint64_t repeat) const override {
        Judgement judgement{.judge = name_, .order = order, .repeat = repeat};
        says_(judgement);
        return judgement;
    }

private:
    std::string name_;
    Says says_;
};

OwnJudge::Says names(size_t best, size_t worst) {
    return [=](Judgement& judgement) {
        judgement.verdicts["A"] = {best, worst};
        judgement.attempts.push_back({.reply = "x", .shown = judgement.order, .verdicts = judgement.verdicts});
    };
}

void first_and_last(Judgement& judgement) {
    judgement.verdicts["A"] = {judgement.order.front(), judgement.order.back()};
}

void fails(Judgement& judgement) {
    judgement.reasons["A"] = "timed_out";
    judgement.attempts.push_back({.problem = "timed_out", .is_failed = true, .shown = judgement.order});
}

CandidateGroup four(const std::string& id = "g") {
    return {id, "s", "", {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}}};
}

std::vector<std::string> judges_of(const std::vector<Judgement>& judgements) {
    std::vector<std::string> names;
    for (const Judgement& judgement : judgements) names.push_back(judgement.judge);
    return names;
}

using Names = std::vector<std::string>;

TEST(CandidateOrdersDrawn, BySeedGroupAndRepeat) {
    const Order fixed = {0, 1, 2, 3};
    EXPECT_EQ(candidate_orders(CandidateOrders::fixed, 4, 1, "g", 0), std::vector<Order>{fixed});
    const auto one = candidate_orders(CandidateOrders::random, 4, 1, "g", 0);
    EXPECT_EQ(one, candidate_orders(CandidateOrders::random, 4, 1, "g", 0));
    const auto both = candidate_orders(CandidateOrders::both, 4, 1, "g", 0);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0], one[0]);
    EXPECT_EQ(Order(both[0].rbegin(), both[0].rend()), both[1]);
    EXPECT_TRUE(std::is_permutation(one[0].begin(), one[0].end(), fixed.begin()));
    std::set<Order> drawn;
    std::map<size_t, int> first;
    for (uint64_t repeat = 0; repeat < 2400; ++repeat) {
        const Order order = candidate_orders(CandidateOrders::random, 4, 1, "g", repeat)[0];
        drawn.insert(order);
        ++first[order[0]];
    }
    EXPECT_EQ(drawn.size(), 24u);
    for (const auto& [candidate, times] : first) EXPECT_NEAR(times, 600, 5 * 21) << candidate;  // sd 21.2
    EXPECT_NE(candidate_orders(CandidateOrders::random, 9, 2, "g", 0),
              candidate_orders(CandidateOrders::random, 9, 1, "g", 0));
    EXPECT_NE(candidate_orders(CandidateOrders::random, 9, 1, "h", 0),
              candidate_orders(CandidateOrders::random, 9, 1, "g", 0));
}

TEST(JudgePanels, EachMemberJudgesInItsOrdersAndRepeats) {
    const OwnJudge a("a", names(1, 0)), b("b", names(2, 3));
    const JudgePanel panel({&a, &b}, {.orders = CandidateOrders::both, .repeats = 2});
    const auto said = panel.judge(four(), 0);
    EXPECT_EQ(judges_of(said), (Names{"a", "a", "a", "a", "b", "b", "b", "b"}));
    EXPECT_EQ(said[2].repeat, 1u);
    EXPECT_EQ(said[3].order, Order(said[2].order.rbegin(), said[2].order.rend()));
    EXPECT_THROW(JudgePanel({}, {}), Error);
    EXPECT_THROW(JudgePanel({&a}, {.repeats = 0}), Error);
}

TEST(JudgePanels, InRotationTheNextOneStandsIn) {
    const OwnJudge a("a", names(1, 0)), down("down", fails), c("c", names(2, 3));
    const JudgePanel panel({&a, &down, &c}, {.mode = PanelMode::rotate});
    EXPECT_EQ(judges_of(panel.judge(four(), 0)), Names{"a"});
    EXPECT_EQ(judges_of(panel.judge(four(), 1)), (Names{"down", "c"}));
    EXPECT_EQ(judges_of(panel.judge(four(), 5)), Names{"c"});
    EXPECT_EQ(combined_verdict(panel.judge(four(), 1), "A").verdict, (ListwiseVerdict{2, 3}));
}

TEST(JudgePanels, AMemberThatThrowsIsDownUnlessAllAre) {
    const OwnJudge a("a", names(1, 0)), gone("gone", [](Judgement&) { throw Error("no server"); });
    const auto said = JudgePanel({&gone, &a}, {.repeats = 3}).judge(four(), 0);
    EXPECT_EQ(judges_of(said), (Names{"gone", "a", "a", "a"}));
    ASSERT_EQ(said[0].attempts.size(), 1u);
    EXPECT_EQ(said[0].attempts[0].problem, "down");
    EXPECT_EQ(said[0].attempts[0].reply, "no server");
    EXPECT_TRUE(is_down({said[0]}));
    EXPECT_EQ(combined_verdict(said, "A").verdict, (ListwiseVerdict{1, 0}));
    EXPECT_THROW(JudgePanel({&gone, &gone}, {}).judge(four(), 0), Error);
    // Failed answers of all are no end: the group has none.
    const OwnJudge down("down", fails);
    EXPECT_EQ(combined_verdict(JudgePanel({&down}, {}).judge(four(), 0), "A").reason, "timed_out");
}

TEST(JudgePanels, EverybodyIsAskedBeforeAnswersAreWaitedFor) {
    int asked = 0;
    const auto awaits = [&](Judgement&) {
        ++asked;
        throw AwaitedAnswer();
    };
    const OwnJudge a("a", awaits), b("b", awaits);
    EXPECT_THROW(JudgePanel({&a, &b}, {.orders = CandidateOrders::both, .repeats = 2}).judge(four(), 0), AwaitedAnswer);
    EXPECT_EQ(asked, 8);
}

std::optional<ListwiseVerdict> of(const std::vector<OwnJudge::Says>& voices, std::string* reason = nullptr) {
    std::vector<Judgement> all;
    for (size_t i = 0; i < voices.size(); ++i) {
        all.push_back({.judge = std::to_string(i)});
        voices[i](all.back());
    }
    const CombinedVerdict combined = combined_verdict(all, "A");
    if (reason) *reason = combined.reason;
    return combined.verdict;
}

TEST(CombinedVerdicts, AFlipIsATie) {
    const OwnJudge steady("steady", names(1, 0)), biased("biased", first_and_last);
    const JudgingPlan both = {.orders = CandidateOrders::both};
    EXPECT_EQ(combined_verdict(JudgePanel({&steady}, both).judge(four(), 0), "A").verdict, (ListwiseVerdict{1, 0}));
    const CombinedVerdict flipped = combined_verdict(JudgePanel({&biased}, both).judge(four(), 0), "A");
    EXPECT_EQ(flipped.verdict, std::nullopt);
    EXPECT_EQ(flipped.reason, "flipped");
    EXPECT_EQ(combined_verdict(JudgePanel({&steady, &biased}, both).judge(four(), 0), "A").verdict, (ListwiseVerdict{1, 0}));
}

// Three candidates in two orders: verdicts on 0 and 1, 0 and 2, 1 and 2.
std::vector<Judgement> two_orders(const std::vector<std::optional<PairVerdict>>& first,
                                  const std::vector<std::optional<PairVerdict>>& second) {
    std::vector<Judgement> both(2);
    for (size_t order = 0; order < 2; ++order) {
        const auto& said = order == 0 ? first : second;
        both[order].judge = "two";
        both[order].order = order == 0 ? std::vector<size_t>{0, 1, 2} : std::vector<size_t>{2, 1, 0};
        both[order].duels["A"] = {{0, 1, said[0]}, {0, 2, said[1]}, {1, 2, said[2]}};
        both[order].reasons["A"] = "of order " + std::to_string(order);
    }
    return both;
}

TEST(CombinedVerdicts, DuelsOfBothOrdersAreOneTournament) {
    constexpr auto win = PairVerdict::win, loss = PairVerdict::loss;
    // 0 and 1 flip, 0 beats 2 and 2 beats 1 in both: 1.5, .5, 1. Neither order by itself has this verdict: 2, 0, 1, and 1,
    // 1, 1.
    const CombinedVerdict flip = combined_verdict(two_orders({win, win, loss}, {loss, win, loss}), "A");
    EXPECT_EQ(flip.verdict, (ListwiseVerdict{0, 1}));
    EXPECT_EQ(flip.reason, "");
    // All three flip.
    EXPECT_EQ(combined_verdict(two_orders({win, win, win}, {loss, loss, loss}), "A").reason, "tie");
    // Whether 1 or 2 is worse was not read in one order.
    const CombinedVerdict unread = combined_verdict(two_orders({win, win, win}, {win, win, std::nullopt}), "A");
    EXPECT_EQ(unread.verdict, std::nullopt);
    EXPECT_EQ(unread.reason, "of order 0");
}

TEST(CombinedVerdicts, MoreThanHalfMustAgree) {
    std::string reason;
    EXPECT_EQ(of({names(1, 0), names(1, 0), names(2, 0)}), (ListwiseVerdict{1, 0}));
    EXPECT_EQ(of({names(1, 0), names(1, 3), names(2, 3)}), (ListwiseVerdict{1, 3}));  // best and worst by themselves
    EXPECT_EQ(of({names(1, 0), names(2, 0)}, &reason), std::nullopt);
    EXPECT_EQ(reason, "no majority");
    EXPECT_EQ(of({fails, names(2, 0)}), (ListwiseVerdict{2, 0}));
    EXPECT_EQ(of({fails}, &reason), std::nullopt);
    EXPECT_EQ(reason, "timed_out");
    EXPECT_EQ(of({[](Judgement&) {}}, &reason), std::nullopt);
    EXPECT_EQ(reason, "no verdict");
    EXPECT_EQ(of({}, &reason), std::nullopt);
    EXPECT_EQ(reason, "no verdict");
}

}  // namespace
}  // namespace craft
