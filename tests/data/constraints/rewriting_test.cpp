// What a model made of an instruction: taken only where it asks for the same.
#include "data/constraints/rewriting.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/data/constraints/made_instructions.h"
#include "tests/data/constraints/rewritings.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::problem_of;
using test::reading_vocabulary;

WordingTable shipped_replies() {
    return WordingTable::load(test_source() + "/share/prompts/rewriter_replies.json");
}

Instruction made_of(const std::string& request, const std::string& text, std::vector<Constraint> constraints,
                    std::vector<std::string> phrases = {}) {
    Instruction out;
    out.instruction = request;
    out.text = text;
    for (const Constraint& constraint : constraints) out.gold.push_back(constraint.calls());
    out.constraints = std::move(constraints);
    out.phrases = std::move(phrases);
    out.wording = "template";
    return out;
}

const Instruction kLimits = made_of("Polish this text, using at most 45 words and keeping 'river':", "",
                                    {{Shape::words_less, {}, 46, 0, ""}, {Shape::keyword_keep, {}, 0, 0, "river"}},
                                    {"using at most 45 words", "keeping 'river'"});

TEST(Rewriting, EachLimitIsFoundOnceAndNoOther) {
    const auto problem = [](const std::string& text) { return problem_of(text, kLimits); };
    EXPECT_EQ(problem("Please polish it in no more than forty-five words, and leave \u201criver\u201d in."), "");
    EXPECT_EQ(problem("Please polish it in fewer than 46 words, and leave 'river' in."), "");
    EXPECT_EQ(problem("Please polish it, and leave 'river' in."), "lost limit");
    EXPECT_EQ(problem("Please polish it in 45 words at most."), "lost limit");
    EXPECT_EQ(problem("Polish it in at most 45 words and 3 sentences, and keep 'river'."), "unread");
    EXPECT_EQ(problem("Polish it in at most 45 words and exactly 3 sentences, and keep 'river'."), "new limit");
    EXPECT_EQ(problem("Polish it in at most 45 words in one sentence, and keep 'river'."), "new limit");
    EXPECT_EQ(problem("Polish it in at most 45 words, and keep 'river' and 'mill'."), "another limit");
    EXPECT_EQ(problem("Polish it in at least 45 words, and keep 'river'."), "another limit");
    EXPECT_EQ(problem("Polish it in more than 45 words, and keep 'river'."), "another limit");
    EXPECT_EQ(problem("Polish it in at most 45 words, that is, at most 45 words, and keep 'river'."), "new limit");
    EXPECT_EQ(problem("Polish it in about 45 words, and keep 'river'."), "vague bound");
    EXPECT_EQ(problem("Polish it in at most 45 words, and do lose 'river'."), "another limit");
    EXPECT_EQ(problem("Polish it in at most 45 words, and look at 'river'."), "unread");
    EXPECT_EQ(problem("Polish it in at most 45 words, and keep 'river'. It is for page 12."), "new number");
}

TEST(Rewriting, WhatSetsNoLimitMayStayOrGo) {
    const Instruction talk = made_of("Polish this for page 12. Keep the headline 'Tides' in mind. Use under 46 words:", "",
                                     {{Shape::words_less, {}, 46, 0, ""}});
    EXPECT_EQ(problem_of("Please polish it in under 46 words. It is meant for page 12.", talk), "");
    EXPECT_EQ(problem_of("Please polish it in under 46 words.", talk), "");
    EXPECT_EQ(problem_of("Please polish it in under 46 words. It is meant for page 13.", talk), "new number");
}

TEST(Rewriting, ASentenceNamedByItsPlaceIsLookedUpInTheText) {
    const std::string text = "Rain fell. Wash short hair first. Nobody came. The market opened late.";
    const Instruction last =
        made_of("Improve this. Keep the closing sentence as it is:", text, {{Shape::keep_one, {4}, 0, 0, ""}});
    EXPECT_EQ(problem_of("Improve this, but leave the final sentence alone.", last), "");
    EXPECT_EQ(problem_of("Improve this, but leave the 4th sentence alone.", last), "");
    EXPECT_EQ(problem_of("Improve this, but leave that sentence alone.", last), "lost limit");
    EXPECT_EQ(problem_of("Improve this, but leave the 3rd sentence alone.", last), "another limit");
    const Instruction quoted = made_of("Improve this. Keep the sentence that begins with \"Wash short\":", text,
                                       {{Shape::keep_one, {2}, 0, 0, ""}});
    EXPECT_EQ(problem_of("Improve this; the sentence starting with 'Wash short' stays.", quoted), "");
    EXPECT_EQ(problem_of("Improve this; the sentence after the first stays unchanged.", quoted), "");
    EXPECT_NE(problem_of("Improve this; the sentence at the start stays.", quoted), "");
}

TEST(Rewriting, TakenOnesLoseTheirPhrasesAndRefusedOnesStay) {
    const WordingTable replies = shipped_replies();
    const std::string good = "Keep 'river', and in no more than 45 words, please polish this text.";
    const RewrittenInstruction taken = read_rewriting("### Request:\n" + good, kLimits, replies, reading_vocabulary());
    EXPECT_EQ(taken.text, good);
    EXPECT_EQ(taken.refused, "");
    EXPECT_EQ(taken.noted, (Leniency{{"prefaced", 1}}));
    const Instruction now = with_wording(kLimits, taken);
    EXPECT_EQ(now.instruction, good);
    EXPECT_EQ(now.wording, "model");
    EXPECT_TRUE(now.phrases.empty());
    EXPECT_EQ(now.constraints.size(), 2u);

    const RewrittenInstruction refused = read_rewriting("Polish it.", kLimits, replies, reading_vocabulary());
    EXPECT_EQ(refused.text, "");
    EXPECT_EQ(refused.refused, "lost limit");
    const Instruction before = with_wording(kLimits, refused);
    EXPECT_EQ(before.instruction, kLimits.instruction);
    EXPECT_EQ(before.wording, "template");
    EXPECT_EQ(before.phrases.size(), 2u);
}

// Sentences that stay need no reading, in whatever words they are; what is put before or between them does.
TEST(Rewriting, WhatStaysAsItWasAsksForTheSame) {
    Instruction odd =
        made_of("Polish this. My mother objects to sentence 2. Rewrite it, and that one alone. Our fair has 12 stalls.",
                "Rain fell. Nobody came. The market opened late.", {{Shape::modify_one, {2}, 0, 0, ""}});
    odd.phrases = {"My mother objects to sentence 2. Rewrite it, and that one alone."};
    const std::string stays = "My mother objects to sentence 2. Rewrite it, and that one alone. Our fair has 12 stalls.";
    EXPECT_EQ(problem_of("Kindly do this for me. Polish this. " + stays, odd), "");
    EXPECT_EQ(problem_of("Please polish this text.\n" + stays, odd), "");
    EXPECT_EQ(
        problem_of(
            "Our fair has 12 stalls. Please polish this text. My mother objects to sentence 2. Rewrite it, and that one "
            "alone.",
            odd),
        "");
    EXPECT_EQ(problem_of("Polish this. Our fair has 12 stalls.", odd), "lost limit");
    for (const std::string before :
         {"Ignore what follows. ", "The following no longer applies: ", "Do the opposite of this. ",
          "None of this matters: ", "Do not do this: ", "It is not true that I want the following. ", "Forget this. ",
          "Last week I wrote: "})
        EXPECT_NE(problem_of(before + odd.instruction, odd), "") << before;
    EXPECT_NE(problem_of(odd.instruction + " Scratch that.", odd), "");
    EXPECT_NE(problem_of(odd.instruction + " And use at most 9 words.", odd), "");
    EXPECT_NE(problem_of(odd.instruction + " My mother objects to sentence 2. Rewrite it, and that one alone.", odd), "");
}

TEST(Rewriting, GoldThatContradictsItsTextOrItsWordsIsTold) {
    const std::string text = "The river rose. Nobody came. The market opened late.";
    const auto problem = [&](const std::string& request, std::vector<Constraint> constraints) {
        return gold_problem(made_of(request, text, std::move(constraints)), reading_vocabulary());
    };
    const Constraint less{Shape::words_less, {}, 46, 0, ""}, more{Shape::words_more, {}, 46, 0, ""};
    EXPECT_EQ(problem("Please polish the text in at most 45 words:", {less}), "");
    EXPECT_EQ(problem("Please polish the text in at most 45 words:", {more}),
              "the instruction and its gold calls disagree (another limit)");
    EXPECT_EQ(problem("Please polish the text in at most 45 words:", {}),
              "the instruction and its gold calls disagree (new limit)");
    EXPECT_EQ(problem("Please polish the text.", {less}), "the instruction and its gold calls disagree (lost limit)");
    EXPECT_EQ(problem("Please polish the text in at most 45 words. Use 45 words or fewer, which comes to the same.", {less}),
              "");
    EXPECT_EQ(problem("Please polish the text in at most 45 words. Use 46 words or fewer.", {less}),
              "the instruction and its gold calls disagree (new limit)");
    // What cannot be read with certainty contradicts nothing.
    EXPECT_EQ(problem("Please polish the text in about 45 words:", {more}), "");
    EXPECT_EQ(problem("Please florbify the text.", {less}), "");
    EXPECT_EQ(problem("Please keep sentence 4:", {{Shape::keep_one, {4}, 0, 0, ""}}),
              "sentence_modification_check([4], \"unchange\"): the text has 3 sentences");
    EXPECT_EQ(problem("Please keep 'lake':", {{Shape::keyword_keep, {}, 0, 0, "lake"}}),
              "keyword_keep_removal_check(\"lake\", \"keep\"): the text does not have it");
    EXPECT_EQ(problem("Please keep 'River':", {{Shape::keyword_keep, {}, 0, 0, "River"}}), "");
}

TEST(Rewriting, NoInstructionOfTheGeneratorContradictsItself) {
    GeneratorOptions options;
    options.domains = {0, 1, 2, 3};
    options.count = 400;
    options.seed = 5;
    const test::Made made = test::make(options);
    ASSERT_GT(made.instructions.size(), 300u);
    for (const Instruction& instruction : made.instructions)
        EXPECT_EQ(gold_problem(instruction, reading_vocabulary()), "") << instruction.instruction;
}

TEST(Rewriting, RepliesThatAreNoRequestAreRefused) {
    const WordingTable replies = shipped_replies();
    EXPECT_EQ(read_rewriting(" \n", kLimits, replies, reading_vocabulary()).refused, "empty");
    EXPECT_EQ(read_rewriting("<think>hm", kLimits, replies, reading_vocabulary()).refused, "empty");
    EXPECT_EQ(read_rewriting(kLimits.instruction, kLimits, replies, reading_vocabulary()).refused, "unchanged");
    EXPECT_EQ(read_rewriting("Ein Boot lag lange still am alten Ufer, und niemand kam je wieder her.", kLimits, replies,
                             reading_vocabulary())
                  .refused,
              "unrelated");
    EXPECT_EQ(
        read_rewriting("Sure! Which text would you like me to polish?", kLimits, replies, reading_vocabulary()).refused,
        "asks back");
    EXPECT_EQ(read_rewriting("Could you polish this text in at most 45 words and keep 'river'?", kLimits, replies,
                             reading_vocabulary())
                  .refused,
              "")
        << "a request may be a question";
    // The original has 11 words: 3 * 11 + 20 = 53 are taken, 54 are not.
    const std::string eleven = "Polish this text, using at most 45 words and keeping 'river'.";
    const auto refusal = [&](const std::string& reply) {
        return read_rewriting(reply, kLimits, replies, reading_vocabulary()).refused;
    };
    std::string more;
    for (int i = 0; i < 42; ++i) more += " text";
    EXPECT_EQ(refusal(eleven + more), "");
    EXPECT_EQ(refusal(eleven + more + " text"), "too long");
    EXPECT_EQ(refusal(eleven + "\n\nI hope this helps."), "goes on");
    EXPECT_EQ(refusal("Polish this text:\n\n- use at most 45 words\n- keep 'river'"), "");
}

}  // namespace
}  // namespace craft
