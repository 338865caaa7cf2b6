// What a model made of an instruction: taken only where it asks for the same.
#include "constraints/rewriting.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/source.h"

namespace craft {
namespace {

WordingTable shipped_replies() {
    return WordingTable::load(test_source() + "/share/prompts/rewriter_replies.json");
}

Instruction made_of(const std::string& text, std::vector<Constraint> constraints, std::vector<std::string> phrases = {}) {
    Instruction out;
    out.instruction = text;
    out.constraints = std::move(constraints);
    out.phrases = std::move(phrases);
    out.wording = "template";
    return out;
}

const Instruction kLimits = made_of("Polish this text, using at most 45 words and keeping 'river':",
                                    {{Shape::words_less, {}, 46, 0, ""}, {Shape::keyword_keep, {}, 0, 0, "river"}},
                                    {"using at most 45 words", "keeping 'river'"});

TEST(Rewriting, ValuesThatAreNewOrGoneAreRefused) {
    const auto problem = [](const std::string& text) { return rewriting_problem(text, kLimits); };
    EXPECT_EQ(problem("Please polish it in no more than forty-five words, and leave \u201criver\u201d in."), "");
    EXPECT_EQ(problem("Please polish it, and leave 'river' in."), "lost value");
    EXPECT_EQ(problem("Please polish it in 45 words at most."), "lost value");
    EXPECT_EQ(problem("Polish it in at most 45 words and 3 sentences, and keep 'river'."), "new number");
    EXPECT_EQ(problem("Polish it in at most 45 words in one sentence, and keep 'river'."), "new number");
    EXPECT_EQ(problem("Polish it in at most 45 words, and keep 'river' and 'mill'."), "new quotation");
    EXPECT_EQ(problem("Polish it in at least 45 words, and keep 'river'."), "turned limit");
    EXPECT_EQ(problem("Polish it in more than 45 words, and keep 'river'."), "turned limit");
}

TEST(Rewriting, ALimitInOtherWordsIsNotTurned) {
    const Instruction odd = made_of("Anything of 120 words or more is too long:", {{Shape::words_less, {}, 120, 0, ""}});
    EXPECT_EQ(rewriting_problem("Use fewer than 120 words.", odd), "");
    const Instruction lower = made_of("Write more than 80 words:", {{Shape::words_more, {}, 80, 0, ""}});
    EXPECT_EQ(rewriting_problem("Write at least 80 words.", lower), "");  // same side; which number is meant is not told
    EXPECT_EQ(rewriting_problem("Write no more than 80 words.", lower), "turned limit");
}

TEST(Rewriting, ASentenceNamedByItsPlaceKeepsIt) {
    const Instruction last = made_of("Improve this. Keep the closing sentence as it is:", {{Shape::keep_one, {7}, 0, 0, ""}},
                                     {"Keep the closing sentence as it is"});
    EXPECT_EQ(rewriting_problem("Improve this, but leave the final sentence alone.", last), "");
    EXPECT_EQ(rewriting_problem("Improve this, but leave that sentence alone.", last), "lost place");
    EXPECT_EQ(rewriting_problem("Improve this, but leave the 7th sentence alone.", last), "lost place");
    const Instruction quoted =
        made_of("Improve this. Keep the sentence that begins with \"Wash short\":", {{Shape::keep_one, {7}, 0, 0, ""}},
                {"Keep the sentence that begins with \"Wash short\""});
    EXPECT_EQ(rewriting_problem("Improve this; the sentence starting with 'Wash short' stays.", quoted), "");
    EXPECT_EQ(rewriting_problem("Improve this; the sentence at the start stays.", quoted), "lost place");
    Instruction unknown = last;
    unknown.phrases.clear();
    EXPECT_EQ(rewriting_problem("Improve this, but leave the final sentence alone.", unknown), "lost place");
}

TEST(Rewriting, TakenOnesLoseTheirPhrasesAndRefusedOnesStay) {
    const WordingTable replies = shipped_replies();
    const std::string good = "In no more than 45 words, and with 'river' in it, please polish this text.";
    const RewrittenInstruction taken = read_rewriting("### Request:\n" + good, kLimits, replies);
    EXPECT_EQ(taken.text, good);
    EXPECT_EQ(taken.refused, "");
    EXPECT_EQ(taken.noted, std::vector<std::string>{"prefaced"});
    const Instruction now = with_wording(kLimits, taken);
    EXPECT_EQ(now.instruction, good);
    EXPECT_EQ(now.wording, "model");
    EXPECT_TRUE(now.phrases.empty());
    EXPECT_EQ(now.constraints.size(), 2u);

    const RewrittenInstruction refused = read_rewriting("Polish it.", kLimits, replies);
    EXPECT_EQ(refused.text, "");
    EXPECT_EQ(refused.refused, "lost value");
    const Instruction before = with_wording(kLimits, refused);
    EXPECT_EQ(before.instruction, kLimits.instruction);
    EXPECT_EQ(before.wording, "template");
    EXPECT_EQ(before.phrases.size(), 2u);
}

TEST(Rewriting, RepliesThatAreNoRequestAreRefused) {
    const WordingTable replies = shipped_replies();
    EXPECT_EQ(read_rewriting(" \n", kLimits, replies).refused, "empty");
    EXPECT_EQ(read_rewriting("<think>hm", kLimits, replies).refused, "empty");
    EXPECT_EQ(read_rewriting(kLimits.instruction, kLimits, replies).refused, "unchanged");
    EXPECT_EQ(
        read_rewriting("Ein Boot lag lange still am alten Ufer, und niemand kam je wieder her.", kLimits, replies).refused,
        "unrelated");
    // The original has 11 words: 2 * 11 + 12 = 34 are taken, 35 are not.
    const std::string eleven = "Polish this text, using at most 45 words and keeping 'river'.";
    std::string more;
    for (int i = 0; i < 23; ++i) more += " text";
    EXPECT_EQ(read_rewriting(eleven + more, kLimits, replies).refused, "");
    EXPECT_EQ(read_rewriting(eleven + more + " text", kLimits, replies).refused, "too long");
    EXPECT_EQ(read_rewriting(eleven + "\n\nI hope this helps.", kLimits, replies).refused, "goes on");
}

}  // namespace
}  // namespace craft
