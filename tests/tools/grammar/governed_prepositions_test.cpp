#include "tools/grammar/governed_prepositions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

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

// Whatever stands in a file, it is read or refused with an error that names the file.
TEST(GovernedPrepositions, ReadOrRefuseAnything) {
    static constexpr std::string_view kPieces[] = {"v",  "v!",   "a",  "n",      " ",    ":",      "|",        "-",
                                                   "\n", "\r\n", "of", "depend", "\xFF", "\0\x01", "\xC3\xA9", "#"};
    std::minstd_rand random(7);
    int64_t read = 0, refused = 0;
    for (int i = 0; i < 5000; ++i) {
        std::string text = i % 3 == 0 ? "v depend: on | of\n" : "";
        for (size_t pieces = random() % 12; pieces > 0; --pieces) text += kPieces[random() % std::size(kPieces)];
        try {
            const auto list = GovernedPrepositions::parse(text, "p.txt");
            EXPECT_EQ(list.find('v', "depend") != nullptr || i % 3 != 0, true) << text;
            ++read;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("p.txt")) << text;
            ++refused;
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 1000);
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
}

}  // namespace
}  // namespace craft
