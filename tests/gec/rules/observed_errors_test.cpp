#include "gec/rules/observed_errors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

TEST(ObservedErrors, AreReadFromTheToolsLines) {
    const auto errors = read_observed_errors(
        "substituted \"see\" (word 2): 'see' does not agree with 'She'; suggestions: sees, saw\n"
        "redundant \"the the\" (word 12): it stands twice\n"
        "missing before \"book\" (word 3): a count noun has an article; suggestions: a\n"
        "The parse leaves out: She, every");
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].kind, "substituted");
    EXPECT_EQ(errors[0].word, 2U);
    EXPECT_EQ(errors[0].words, "see");
    EXPECT_EQ(errors[0].why, "'see' does not agree with 'She'");
    EXPECT_EQ(errors[0].suggestions, (std::vector<std::string>{"sees", "saw"}));
    EXPECT_EQ(errors[1].word, 12U);
    EXPECT_EQ(errors[1].words, "the the");
    EXPECT_TRUE(errors[1].suggestions.empty());
    EXPECT_EQ(errors[2].kind, "missing");
}

TEST(ObservedErrors, AreNoneInOtherLines) {
    for (const std::string text :
         {"", "No error found.", "substituted", "substituted \"a", "substituted \"a\" (word x): b",
          "missing at the end: why", "substituted \"a\" (word 0): b", "missing", "deleted \"a\" (word 1): b",
          "substituted \"many\" (word 3): with another word the sentence can be parsed; suggestions: much"})
        EXPECT_TRUE(read_observed_errors(text).empty()) << text;
}

std::vector<std::string> proposed(const std::string& text, const std::string& observation) {
    const WrittenSentence sentence(text, test::rules_english()->get().annotate(text));
    std::vector<CorrectionProposal> all;
    propose_observed(sentence, read_observed_errors(observation), all);
    std::vector<std::string> made;
    for (const CorrectionProposal& one : all) made.push_back(with_replacement(text, one.change));
    return made;
}

TEST(ObservedErrors, BecomeProposals) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    using Made = std::vector<std::string>;
    EXPECT_EQ(proposed("She see it .", "substituted \"see\" (word 2): why; suggestions: sees, saw"),
              (Made{"She sees it .", "She saw it ."}));
    EXPECT_EQ(proposed("He do n't go .", "substituted \"do n't\" (word 2): why; suggestions: doesn't"),
              (Made{"He doesn't go ."}));
    EXPECT_EQ(proposed("I am agree .", "redundant \"am\" (word 2): why"), (Made{"I agree ."}));
    EXPECT_EQ(proposed("I read book .", "missing before \"book\" (word 3): why; suggestions: a"), (Made{"I read a book ."}));
    // Words that stand elsewhere, half a word, and a name that no dictionary has.
    EXPECT_TRUE(proposed("She see it .", "substituted \"see\" (word 3): why; suggestions: sees").empty());
    EXPECT_TRUE(proposed("She see it .", "substituted \"see\" (word 9): why; suggestions: sees").empty());
    EXPECT_TRUE(proposed("She see it .", "substituted \"se\" (word 2): why; suggestions: sees").empty());
    EXPECT_TRUE(
        proposed("We saw Ooty .", "substituted \"Ooty\" (word 3): 'Ooty' is in no dictionary; suggestions: Booty").empty());
}

}  // namespace
}  // namespace craft
