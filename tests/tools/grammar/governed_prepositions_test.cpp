#include "tools/grammar/governed_prepositions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GovernedPrepositions, AreReadLineByLine) {
    const auto list = GovernedPrepositions::parse(
        "# words\n\nv depend: on upon | of from\nv! depend: on | -\nv discuss: - | about\r\n", "p.txt");
    ASSERT_NE(list.find('v', "depend"), nullptr);
    EXPECT_THAT(list.find('v', "depend")->right, ElementsAre("on", "upon"));
    EXPECT_THAT(list.find('v', "depend")->wrong, ElementsAre("of", "from"));
    EXPECT_TRUE(list.find('v', "depend")->needs_one);
    EXPECT_THAT(list.find('v', "discuss")->right, ElementsAre());
    EXPECT_FALSE(list.find('v', "discuss")->needs_one);
    EXPECT_EQ(list.find('a', "depend"), nullptr);
    EXPECT_EQ(list.size(), 2u);
}

TEST(GovernedPrepositions, RefuseOtherLines) {
    for (const char* line :
         {"depend: on | of", "v depend on of", "v depend: on", "x depend: on | of", "v a b: on | of", "v depend | on: of"})
        EXPECT_THAT(message_of([&] { GovernedPrepositions::parse("# one\n" + std::string(line), "p.txt"); }),
                    HasSubstr("p.txt:2: expected 'KIND WORD"))
            << line;
    EXPECT_THAT(message_of([] { GovernedPrepositions::parse("v \xFF: on | of", "p.txt"); }), HasSubstr("UTF-8"));
}

TEST(GovernedPrepositions, OfTheListThatShipsAreNotRightAndWrongAtOnce) {
    const auto list = GovernedPrepositions::shipped();
    EXPECT_GT(list.size(), 80u);
    for (const auto& [kind, word] : {std::pair('v', "listen"), {'a', "interested"}, {'n', "reason"}, {'v', "discuss"}}) {
        const GovernedWord* found = list.find(kind, word);
        ASSERT_NE(found, nullptr) << word;
        for (const std::string& wrong : found->wrong)
            EXPECT_THAT(found->right, testing::Not(testing::Contains(wrong))) << word;
    }
    EXPECT_GT(shipped_count_nouns().size(), 400u);
}

}  // namespace
}  // namespace craft
