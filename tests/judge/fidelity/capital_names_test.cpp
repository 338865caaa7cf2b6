#include "judge/fidelity/capital_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CapitalNames, AreRunsOfCapitals) {
    EXPECT_THAT(capital_names("The mayor of New York met Ann's friend, Bo Li, at the Bank of England. It rained."),
                ElementsAre("New York", "Ann", "Bo Li", "Bank of England"));
    EXPECT_THAT(capital_names("We met in Paris, London (Ontario) and “São Paulo”."),
                ElementsAre("Paris", "London", "Ontario", "São Paulo"));
}

TEST(CapitalNames, AreToldFromFirstWordsOfSentences) {
    EXPECT_THAT(capital_names("Rain fell. Ann slept. I saw Ann and I'm sure."), ElementsAre("Ann"));
    EXPECT_THAT(capital_names("He ran.\n\nThe dog barked.\r\nSome cats saw Ann\nBo"), ElementsAre("Ann"))
        << "each line begins anew, and no name goes over its end";
    EXPECT_THAT(capital_names("Barack Obama spoke."), ElementsAre("Barack Obama"));
    EXPECT_THAT(capital_names("Nothing here. No names. 1945 was late."), IsEmpty());
    EXPECT_THAT(capital_names(""), IsEmpty());
    EXPECT_THAT(capital_names("\xFF\xFE ' - ,"), IsEmpty());
    EXPECT_THAT(capital_names("He saw " + std::string(5000, 'A')), IsEmpty());
}

}  // namespace
}  // namespace craft
