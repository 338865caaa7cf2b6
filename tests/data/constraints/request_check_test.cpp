// Sentences that say the words of a request and do not ask for it.
#include "data/constraints/request_check.h"

#include <gtest/gtest.h>

#include "data/constraints/instruction_reading.h"
#include "tests/data/constraints/rewritings.h"

namespace craft {
namespace {

using test::problem_of;

Instruction asking_for(const std::string& words, std::vector<Constraint> constraints) {
    Instruction out;
    out.instruction = words;
    for (const Constraint& constraint : constraints) out.gold.push_back(constraint.calls());
    out.constraints = std::move(constraints);
    return out;
}

const Instruction kTwo = asking_for("Polish this letter to my aunt, using at most 45 words and keeping 'river':",
                                    {{Shape::words_less, {}, 46, 0, ""}, {Shape::keyword_keep, {}, 0, 0, "river"}});
const Instruction kKept = asking_for("Keep sentences 4 and 6:", {{Shape::keep_two, {4, 6}, 0, 0, ""}});

TEST(RequestCheck, AWordThatNobodyKnowsRefusesUnlessTheOriginalSaysIt) {
    EXPECT_EQ(problem_of("Please polish this letter, using at most 45 words and keeping 'river'.", kTwo), "");
    EXPECT_EQ(problem_of("My aunt told you to use at most 45 words and keep 'river'.", kTwo), "unknown word");
    EXPECT_EQ(problem_of("Kindly use at most 45 words and keep 'river' away.", kTwo), "another limit");
    EXPECT_EQ(problem_of("Until May you had to use at most 45 words and keep 'river'.", kTwo), "unknown word");
    EXPECT_EQ(problem_of("I use at most 45 words and keep 'river' myself.", kTwo), "unknown word");
    EXPECT_EQ(problem_of("Keep an eye on sentences 4 and 6.", kKept), "unknown word");
    EXPECT_EQ(problem_of("Keep sentences 4 and 6 short.", kKept), "unknown word");
}

TEST(RequestCheck, TheOriginalsTalkMayBePutIntoOtherWords) {
    EXPECT_EQ(problem_of("Use at most 45 words and keep 'river'. It is for my dear aunt, who reads letters.", kTwo),
              "unknown word");
    EXPECT_EQ(problem_of("Use at most 45 words and keep 'river'. This letter goes to my aunt.", kTwo), "");
    EXPECT_EQ(problem_of("Use at most 45 words and keep 'river'. Then forget about my aunt's letter.", kTwo), "unread");
}

TEST(RequestCheck, WhatIsSoIsNotAskedFor) {
    EXPECT_EQ(problem_of("The text has at most 45 words. Keep 'river'.", kTwo), "unread");
    EXPECT_EQ(problem_of("The text must have at most 45 words. Keep 'river'.", kTwo), "");
    EXPECT_EQ(problem_of("Polish it so that it has at most 45 words. Keep 'river'.", kTwo), "");
    EXPECT_EQ(problem_of("Requirements:\n- The text has at most 45 words.\n- It keeps 'river'.", kTwo), "");
    EXPECT_EQ(problem_of("Polish this:\n- The text has at most 45 words.\n- It keeps 'river'.", kTwo), "unread");
}

TEST(RequestCheck, WhatSomebodyDoesIsNotAskedFor) {
    EXPECT_EQ(problem_of("My aunt keeps 'river' and uses at most 45 words.", kTwo), "unread");
    EXPECT_EQ(problem_of("The letter below uses at most 45 words and keeps 'river'.", kTwo), "unread");
    EXPECT_EQ(problem_of("Should 'river' be kept, use at most 45 words.", kTwo), "unread");
}

TEST(RequestCheck, AnOrLeavesAChoiceUnlessItIsForbidden) {
    EXPECT_EQ(problem_of("Leave sentences 4 or 6 unchanged.", kKept), "unread");
    EXPECT_EQ(problem_of("Do not change sentences 4 or 6.", kKept), "");
    EXPECT_EQ(problem_of("Do not change any of sentences 4 and 6.", kKept), "");
    EXPECT_EQ(problem_of("Leave any of sentences 4 and 6 unchanged.", kKept), "unread");
    EXPECT_EQ(problem_of("Use at most 45 words or keep 'river'.", kTwo), "unread");
}

TEST(RequestCheck, NotWhollyIsPartly) {
    EXPECT_EQ(problem_of("Use at most 45 words, and do not remove 'river'.", kTwo), "");
    EXPECT_EQ(problem_of("Use at most 45 words, and do not remove 'river' completely.", kTwo), "unread");
    EXPECT_EQ(problem_of("Keep sentences 4 and 6 completely unchanged.", kKept), "");
}

TEST(RequestCheck, APartOfTheTextIsNotTheText) {
    const Instruction most = asking_for("Use at most 45 words:", {{Shape::words_less, {}, 46, 0, ""}});
    EXPECT_EQ(problem_of("Use at most 45 words.", most), "");
    EXPECT_EQ(problem_of("Polish at most 45 words of it.", most), "lost limit");
    EXPECT_EQ(problem_of("At most 45 words should remain.", most), "unread");
    const Instruction each = asking_for("Use at most 45 words in each sentence:", {{Shape::length_less, {}, 46, 0, ""}});
    EXPECT_EQ(problem_of("The sentences should have at most 45 words.", each), "");
    EXPECT_EQ(problem_of("The sentences should have at most 45 words in total.", each), "unread");
    EXPECT_EQ(problem_of("Polish every sentence that has at most 45 words.", each), "unread");
}

TEST(RequestCheck, WhatASentenceHasIsNotTheSentence) {
    EXPECT_EQ(problem_of("Keep the tone of sentences 4 and 6.", kKept), "unread");
    EXPECT_EQ(problem_of("Keep the length of sentences 4 and 6.", kKept), "unread");
    EXPECT_EQ(problem_of("Keep the exact wording of sentences 4 and 6.", kKept), "");
}

}  // namespace
}  // namespace craft
