#include "judge/scorers/whole_text.h"

#include <gtest/gtest.h>

#include "tests/judge/scorers/letter_tokenizer.h"

namespace craft {
namespace {

using Ids = std::vector<int64_t>;
const test::LetterTokenizer kLetters;

TEST(WholeTexts, StandBetweenTheTokenizersTokens) {
    const WholeText text = read_whole(kLetters, "ab", 4);
    EXPECT_EQ(text.ids, (Ids{0, 6, 7, 2}));
    EXPECT_TRUE(text.types.empty());
    EXPECT_FALSE(text.cut || text.empty);
    const WholeText cut = read_whole(kLetters, "abc", 4);
    EXPECT_EQ(cut.ids, (Ids{0, 6, 7, 2}));
    EXPECT_TRUE(cut.cut);
    const WholeText nothing = read_whole(kLetters, "", 4);
    EXPECT_EQ(nothing.ids, (Ids{0, 2}));
    EXPECT_TRUE(nothing.empty && !nothing.cut);
}

TEST(WholeTexts, APairHasTypes) {
    const WholeText pair = read_pair(kLetters, "ab", "c", 10);
    EXPECT_EQ(pair.ids, (Ids{0, 6, 7, 2, 8, 2}));
    EXPECT_EQ(pair.types, (Ids{0, 0, 0, 0, 1, 1}));
    EXPECT_FALSE(pair.cut);
    EXPECT_TRUE(read_pair(kLetters, "", "", 10).empty);
    EXPECT_FALSE(read_pair(kLetters, "", "a", 10).empty);
}

// As transformers' longest_first: one token after the other from the longer text, of equally long ones from the second.
TEST(WholeTexts, TheLongerOfAPairLosesTokens) {
    for (size_t a = 0; a <= 9; ++a)
        for (size_t b = 0; b <= 9; ++b)
            for (int64_t room = 0; room <= 12; ++room) {
                size_t first = a, second = b;
                while (first + second > static_cast<size_t>(room)) --(first > second ? first : second);
                const WholeText pair = read_pair(kLetters, std::string(a, 'a'), std::string(b, 'b'), room + 3);
                EXPECT_EQ(std::count(pair.ids.begin(), pair.ids.end(), 6), static_cast<std::ptrdiff_t>(first))
                    << a << b << room;
                EXPECT_EQ(std::count(pair.ids.begin(), pair.ids.end(), 7), static_cast<std::ptrdiff_t>(second))
                    << a << b << room;
                EXPECT_EQ(pair.cut, a + b > static_cast<size_t>(room));
            }
}

TEST(WholeTexts, GoSentenceBySentenceWhereTheyHaveEquallyMany) {
    const auto texts = [](const std::string& a, const std::string& b) {
        std::string all;
        for (const MeasuredPair& pair : measured_pairs(a, b, SentenceRule::paper))
            all += pair.first + "/" + pair.second + ";";
        return all;
    };
    EXPECT_EQ(texts("A b. C d.", "E. F g!"), "A b./E.;C d./F g!;");
    EXPECT_EQ(texts("A b. C d.", "E."), "A b. C d./E.;");
    EXPECT_EQ(texts("", " "), "/ ;");
}

}  // namespace
}  // namespace craft
