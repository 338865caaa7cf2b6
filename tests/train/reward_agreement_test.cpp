#include "train/reward_agreement.h"

#include <gtest/gtest.h>

#include <utility>

namespace craft {
namespace {

// Margins 1, -1, 3 and gaps 10, 20, 30: two of three have the same sign. Around the means 1 and 20 they lie at 0, -2, 2 and
// -10, 0, 10: a covariance of 20 over the root of 8 times 200.
TEST(RewardAgreement, IsTheShareOfSignsAndPearsonsCorrelation) {
    RewardAgreement agreement;
    EXPECT_FALSE(agreement.share() || agreement.correlation()) << "no pair";
    agreement.add(1, 10);
    EXPECT_EQ(agreement.share(), 1);
    EXPECT_FALSE(agreement.correlation()) << "one pair";
    agreement.add(-1, 20);
    agreement.add(3, 30);
    EXPECT_DOUBLE_EQ(agreement.share().value(), 2.0 / 3);
    EXPECT_DOUBLE_EQ(agreement.correlation().value(), 0.5);
}

// Where another judge ranks, the chosen response may be the one with the lower reward.
TEST(RewardAgreement, NegativeGapsAgreeWithNegativeMargins) {
    RewardAgreement agreement;
    agreement.add(-0.5, -10);
    agreement.add(0.5, -20);
    agreement.add(-1, -5);
    agreement.add(0, 5);
    EXPECT_DOUBLE_EQ(agreement.share().value(), 1.0 / 2) << "a margin of 0 agrees with nothing";
}

TEST(RewardAgreement, EqualValuesCorrelateWithNothing) {
    RewardAgreement gaps, margins;
    for (const double value : {0.1, 0.3, 0.7}) {
        gaps.add(value, 12.3);
        margins.add(-0.1, value);
    }
    EXPECT_FALSE(gaps.correlation());
    EXPECT_FALSE(margins.correlation());
}

TEST(RewardAgreement, SumsOfSharesAreThoseOfTheWhole) {
    RewardAgreement whole, first, second;
    for (const auto& [margin, gap] : {std::pair(1.0, 10.0), std::pair(-1.0, 20.0)}) {
        whole.add(margin, gap);
        first.add(margin, gap);
    }
    whole.add(3, 30);
    second.add(3, 30);
    for (const auto member : kAgreementSums) {
        first.*member += second.*member;
        EXPECT_DOUBLE_EQ(first.*member, whole.*member);
    }
    EXPECT_DOUBLE_EQ(first.correlation().value(), 0.5);
}

}  // namespace
}  // namespace craft
