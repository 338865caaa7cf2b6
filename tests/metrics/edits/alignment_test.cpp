#include "metrics/edits/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Alignment, SentencesThatAreTooLongAreRefused) {
    const AnnotatedTokens many = plain_tokens(std::vector<std::string>(5001, "a"));
    EXPECT_THAT(message_of([&] { align_tokens(many, many); }), HasSubstr("got 5001 and 5001 tokens"));
}

}  // namespace
}  // namespace craft
