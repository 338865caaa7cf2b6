#include "metrics/edits/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/temporary_folder.h"
#include "text/words.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::string steps(const std::string& source, const std::string& target) {
    std::string text;
    for (const AlignedTokens& step :
         align_tokens(plain_tokens(whitespace_words(source)), plain_tokens(whitespace_words(target)))) {
        const int64_t size = step.source_end - step.source_start;
        text += "MSIDT"[static_cast<size_t>(step.step)];
        if (step.step == AlignmentStep::transpose) text += std::to_string(size);
    }
    return text;
}

TEST(Alignment, TakesTheCheapestSteps) {
    EXPECT_EQ(steps("a b c", "a b c"), "MMM");
    EXPECT_EQ(steps("a c", "a b c"), "MIM");
    EXPECT_EQ(steps("a b c", "a c"), "MDM");
    EXPECT_EQ(steps("likes", "liked"), "S");  // .499 + 2/10, below 1 and below 2
    EXPECT_EQ(steps("", "a b"), "II");
    EXPECT_EQ(steps("a", ""), "D");
    EXPECT_EQ(steps("", ""), "");
    EXPECT_EQ(steps("Cat", "cat"), "S") << "for nothing: only case differs";
}

// Two tokens in another order cost 1, three 2, where the letters alone would make substitutions of 1.499 each.
TEST(Alignment, SeesTokensInAnotherOrder) {
    EXPECT_EQ(steps("x only Can y", "x can Only y"), "MT2M");
    EXPECT_EQ(steps("p q r", "r p q"), "T3");
    EXPECT_EQ(steps("p q r s", "q p s r"), "T2T2");
    EXPECT_EQ(steps("p p q", "q p p"), "IMMD") << "at 2, too, and a match is taken before all else";
}

// "goes" beside "went": another lemma without a model, the same with one. Noun and verb are open classes (.25), a determiner
// is none
// (.5): .499 + .5 + 1 is more than a deletion at 1 and less than both at 2.
TEST(Alignment, LemmaAndPartOfSpeechMakeTokensAlike) {
    AnnotatedTokens source = plain_tokens({"goes", "home"}), target = plain_tokens({"went"});
    source[0].lemma = target[0].lemma = "go";
    source[0].pos = target[0].pos = "VERB";
    source[1].pos = "NOUN";
    const auto aligned = align_tokens(source, target);
    ASSERT_EQ(aligned.size(), 2u);
    EXPECT_EQ(aligned[0].step, AlignmentStep::substitute);
    EXPECT_EQ(aligned[1].step, AlignmentStep::remove);
}

// 20,000 tokens of which one in 1,000 is another: a band of the table is enough.
TEST(Alignment, LongSentencesThatAreAlike) {
    std::vector<std::string> source, target;
    for (int i = 0; i < 20000; ++i) {
        source.push_back("t" + std::to_string(i % 977));
        target.push_back(i % 1000 == 500 ? "other" : source.back());
    }
    target.insert(target.begin() + 700, "more");
    const auto aligned = align_tokens(plain_tokens(source), plain_tokens(target));
    const auto count = [&](AlignmentStep step) {
        return std::count_if(aligned.begin(), aligned.end(), [&](const AlignedTokens& a) { return a.step == step; });
    };
    EXPECT_EQ(count(AlignmentStep::insert), 1);
    EXPECT_EQ(count(AlignmentStep::substitute), 20);
    EXPECT_EQ(count(AlignmentStep::match), 20000 - 20);
}

TEST(Alignment, SentencesThatAreTooLongAreRefused) {
    AnnotatedTokens many = plain_tokens(std::vector<std::string>(5001, "a")),
                    others = plain_tokens(std::vector<std::string>(5001, "b"));
    EXPECT_EQ(
        message_of([&] { align_tokens(many, others); }),
        "alignment: expected sentences that differ less, or are shorter: a table of at most 25010001 cells, got 5001 and "
        "5001 tokens, which take 25020004 or more (any two of 5,000 tokens fit; the longer they are, the fewer changes "
        "do)");
    EXPECT_EQ(align_tokens(many, many).size(), many.size());
    many.pop_back();
    others.pop_back();
    EXPECT_EQ(align_tokens(many, others).size(), 5000u) << "any two of 5,000 tokens";
}

// Of 150,000 tokens, 20 that have nothing in common with what stands in their places are within the band, and 40 are not.
TEST(Alignment, LongSentencesMayDifferInFewTokens) {
    std::vector<std::string> source;
    for (int i = 0; i < 150'000; ++i) source.push_back("t" + std::to_string(i % 977));
    const auto aligned = [&](int changes) {
        std::vector<std::string> target = source;
        for (int i = 0; i < changes; ++i) target[static_cast<size_t>(i) * 3000 + 77] = "xyz";
        return align_tokens(plain_tokens(source), plain_tokens(target)).size();
    };
    EXPECT_EQ(aligned(20), source.size());
    EXPECT_THAT(message_of([&] { aligned(40); }), HasSubstr("got 150000 and 150000 tokens, which take "));
}

}  // namespace
}  // namespace craft
