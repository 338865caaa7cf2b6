#include "judge/verdicts/choice_reply.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Kinds = std::vector<std::string>;

ChoiceReply letter(const std::string& reply) {
    return read_choice(reply, {"A", "B"});
}

std::string problem(const std::string& reply) {
    const ChoiceReply read = letter(reply);
    return read.choice ? "read as " + std::to_string(*read.choice) : read.problem;
}

TEST(ChoiceReplies, TheWordAlone) {
    EXPECT_EQ(letter("A").choice, 0u);
    EXPECT_EQ(letter(" B\n").choice, 1u);
    EXPECT_EQ(letter("B").let_pass, Leniency());
    EXPECT_EQ(letter("B").problem, "");
    EXPECT_EQ(read_choice("no", {"yes", "no"}).choice, 1u);
}

TEST(ChoiceReplies, WhatIsLetPassIsNamed) {
    const auto passes = [](const std::string& reply, size_t choice) {
        const ChoiceReply read = letter(reply);
        EXPECT_EQ(read.choice, choice) << reply << " " << read.problem;
        return leniency_kinds(read.let_pass);
    };
    EXPECT_EQ(passes("**B**", 1), Kinds{"marks"});
    EXPECT_EQ(passes("\u201cA\u201d.", 0), Kinds{"marks"});
    EXPECT_EQ(passes("(A)", 0), Kinds{"marks"});
    EXPECT_EQ(passes("a", 0), Kinds{"case"});
    EXPECT_EQ(passes("Answer: B", 1), Kinds{"label"});
    EXPECT_EQ(passes("**Answer:** Candidate B.", 1), (Kinds{"label", "marks"}));
    EXPECT_EQ(passes("The candidate that reads better is Candidate B.", 1), (Kinds{"label", "marks"}));
    EXPECT_EQ(passes("<think>A is long, B it is.</think>\nA", 0), Kinds{"thinking"});
    EXPECT_EQ(leniency_kinds(read_choice("Yes.", {"yes", "no"}).let_pass), (Kinds{"case", "marks"}));
}

// A sentence may say the contrary of the word in it, so it is not read.
TEST(ChoiceReplies, WhatCannotBeReadHasAKind) {
    EXPECT_EQ(problem(""), "empty");
    EXPECT_EQ(problem(" \n\t"), "empty");
    EXPECT_EQ(problem("**"), "empty");
    EXPECT_EQ(problem("<think>Hm"), "empty");
    EXPECT_EQ(problem("Tie."), "tie");
    EXPECT_EQ(problem("Both"), "tie");
    EXPECT_EQ(problem("A or B"), "tie");
    EXPECT_EQ(problem("A is better"), "more than the choice");
    EXPECT_EQ(problem("B, because it flows."), "more than the choice");
    EXPECT_EQ(problem("A is not what I would"), "more than the choice");
    EXPECT_EQ(problem("C"), "no choice");
    EXPECT_EQ(problem("The candidate that reads better is not B."), "no choice");
    EXPECT_EQ(problem("AB"), "no choice");
    EXPECT_EQ(problem("not A"), "no choice");
    EXPECT_EQ(problem("Candidate"), "no choice");
    EXPECT_EQ(problem("\u0410"), "no choice");  // a Cyrillic letter that looks like A
    EXPECT_EQ(problem(std::string("A\0", 2)), "more than the choice");
    EXPECT_EQ(letter("A is better").let_pass, Leniency());
    EXPECT_EQ(letter("<think>A?</think> Well").let_pass, Leniency()) << "nothing was taken of it";
}

TEST(ChoiceReplies, LongOnesAreReadAtOnce) {
    EXPECT_EQ(problem(std::string(1 << 20, '"')), "empty");
    EXPECT_EQ(problem(std::string(1 << 20, 'A')), "no choice");
    std::string labels;
    while (labels.size() < (1 << 20)) labels += "answer: ";
    EXPECT_EQ(problem(labels + "B"), "read as 1");
}

}  // namespace
}  // namespace craft
