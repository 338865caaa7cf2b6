#include "gec/learner/preposition_tables.h"

#include <gmock/gmock.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LearnerPrepositions, AreALineEach) {
    const LearnerPrepositions read =
        LearnerPrepositions::parse("# top\nbehind depend on: of from -\nbefore average on: in at\n", "p");
    ASSERT_EQ(read.behind.size(), 1U);
    EXPECT_EQ(read.behind[0].word, "depend");
    EXPECT_EQ(read.behind[0].preposition, "on");
    EXPECT_THAT(read.behind[0].written, ElementsAre("of", "from", "-"));
    ASSERT_EQ(read.before.size(), 1U);
    EXPECT_EQ(read.before[0].word, "average");
    for (const char* line : {"behind depend: of", "above depend on: of", "behind depend on of"})
        EXPECT_THAT(message_of([&] { LearnerPrepositions::parse("#\n" + std::string(line), "p"); }),
                    HasSubstr("p:2: expected"));
    EXPECT_GT(LearnerPrepositions::shipped().behind.size(), 100U);
    EXPECT_GT(LearnerPrepositions::shipped().before.size(), 50U);
}

}  // namespace
}  // namespace craft
