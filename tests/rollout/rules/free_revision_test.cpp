// Free revisions: how much they change, in which directions, and that they can be repeated.
#include "rollout/rules/free_revision.h"

#include <gtest/gtest.h>

#include "rollout/rules/sentence.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "text/words.h"

namespace craft {
namespace {

TEST(FreeRevision, ChangesAFifthOfTheSentencesOfEveryShippedText) {
    const auto rules = shipped_rules();
    int64_t shorter = 0, longer = 0, restructured = 0, untouched = 0, n = 0;
    for (size_t i = 0; i < shipped_texts().size(); ++i) {
        const std::string& text = shipped_texts()[i];
        Rng rng(3, "free", stable_hash(text));  // the same whatever texts stand before it
        const std::string revision = free_revision(*rules, text, rng);
        ASSERT_FALSE(revision.empty()) << text;
        const auto sentences = split_sentences(text);
        const int64_t changed = changed_sentences(text, revision);
        EXPECT_GE(5 * changed, static_cast<int64_t>(sentences.size())) << text << "\n" << revision;
        const double ratio =
            static_cast<double>(count_whitespace_words(revision)) / static_cast<double>(count_whitespace_words(text));
        EXPECT_GT(ratio, 0.5) << revision;
        EXPECT_LT(ratio, 1.7) << revision;
        shorter += ratio < 0.96 ? 1 : 0;
        longer += ratio > 1.04 ? 1 : 0;
        restructured += split_sentences(revision).size() != sentences.size() ? 1 : 0;
        untouched += static_cast<int64_t>(sentences.size()) - changed;
        ++n;
    }
    EXPECT_GT(shorter, n * 3 / 10);
    EXPECT_GT(longer, n * 3 / 10);
    EXPECT_GT(restructured, n / 2);
    EXPECT_GT(untouched, n);  // on average more than one sentence a text stays
}

TEST(FreeRevision, IsAFunctionOfTextAndRng) {
    const std::string& text = shipped_texts()[0];
    Rng a(1, "x", 4), b(1, "x", 4), c(1, "x", 5);
    const std::string first = free_revision(*shipped_rules(), text, a);
    EXPECT_EQ(first, free_revision(*shipped_rules(), text, b));
    EXPECT_NE(first, free_revision(*shipped_rules(), text, c));
}

TEST(FreeRevision, OddTexts) {
    const auto revise = [](const std::string& text) {
        Rng rng(1, "odd");
        return free_revision(*shipped_rules(), text, rng);
    };
    EXPECT_EQ(revise(""), "");
    EXPECT_EQ(revise("   "), "");
    EXPECT_EQ(revise("Zyx."), "");  // one unknown word: nothing that rules could change
    for (const std::string text : {"Agnes sleeps.", "Xylo grubs flamp.", "He went on.", "Go home. Go home. Go home.",
                                   "No mark at the end", "\"Quoted.\" \"Twice.\" She left us."}) {
        const std::string revision = revise(text);
        ASSERT_FALSE(revision.empty()) << text;
        EXPECT_GE(5 * changed_sentences(text, revision), static_cast<int64_t>(split_sentences(text).size())) << revision;
    }
}

TEST(FreeRevision, ChangedSentencesAreThoseThatNoLongerOccur) {
    EXPECT_EQ(changed_sentences("One is. Two are. Three be.", "One is, and two are. Three be."), 1);
    EXPECT_EQ(changed_sentences("One is.", "Two are."), 1);
    EXPECT_EQ(changed_sentences("One is. Two are.", "One is. Two are."), 0);
}

}  // namespace
}  // namespace craft
