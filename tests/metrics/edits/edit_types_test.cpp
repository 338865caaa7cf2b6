#include "metrics/edits/edit_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "text/utf8.h"

namespace craft {
namespace {

using testing::HasSubstr;

AnnotatedToken token(const std::string& text, const std::string& lemma, const std::string& tag,
                     const std::string& dep = "dep") {
    AnnotatedToken made;
    made.text = text;
    made.lower = lowercase(text);
    made.lemma = lemma;
    made.tag = tag;
    made.dep = dep;
    return made;
}

std::string type(const AnnotatedTokens& source, const AnnotatedTokens& target, bool known = true) {
    const AlignedTokens whole = {AlignmentStep::substitute, 0, static_cast<int64_t>(source.size()), 0,
                                 static_cast<int64_t>(target.size())};
    return edit_type(whole, source, target, [&](const std::string&) { return known; });
}

TEST(EditTypes, OfOneSide) {
    EXPECT_EQ(type({}, {token("the", "the", "DT")}), "M:DET");
    EXPECT_EQ(type({token("of", "of", "IN")}, {}), "U:PREP");
    EXPECT_EQ(type({}, {token("'s", "'s", "POS")}), "M:NOUN:POSS");
    EXPECT_EQ(type({}, {token("'s", "be", "VBZ")}), "M:CONTR");
    EXPECT_EQ(type({token("has", "have", "VBZ", "aux")}, {}), "U:VERB:TENSE");
    EXPECT_EQ(type({token("two", "two", "CD")}, {}), "U:OTHER") << "numbers say little";
    EXPECT_EQ(type({token("two", "two", "CD", "det")}, {}), "U:DET") << "but for the dependency";
}

TEST(EditTypes, OfReplacedWords) {
    EXPECT_EQ(type({token("cat", "cat", "NN")}, {token("Cat", "cat", "NN")}), "R:ORTH");
    EXPECT_EQ(type({token("a", "a", "DT"), token("b", "b", "NN")}, {token("b", "b", "NN"), token("a", "a", "DT")}), "R:WO");
    EXPECT_EQ(type({token("cats", "cat", "NNS")}, {token("cat", "cat", "NN")}), "R:NOUN:NUM");
    EXPECT_EQ(type({token("see", "see", "VBP")}, {token("sees", "see", "VBZ")}), "R:VERB:SVA");
    EXPECT_EQ(type({token("see", "see", "VBP")}, {token("saw", "see", "VBD")}), "R:VERB:TENSE");
    EXPECT_EQ(type({token("see", "see", "VBP")}, {token("seeing", "see", "VBG")}), "R:VERB:FORM");
    EXPECT_EQ(type({token("leter", "leter", "NN")}, {token("letter", "letter", "NN")}, false), "R:SPELL");
    EXPECT_EQ(type({token("sheeps", "sheep", "NNS")}, {token("sheep", "sheep", "NNS")}, false), "R:NOUN:INFL");
    EXPECT_EQ(type({token("beautiful", "beautiful", "JJ")}, {token("beautifully", "beautifully", "RB")}), "R:MORPH");
    EXPECT_EQ(type({token("ca", "ca", "MD")}, {token("can", "can", "MD")}), "R:CONTR");
    EXPECT_EQ(type({token("x", "x", "NN")}, {token("x", "x", "NN")}), "UNK");
}

// "Doctor" to "The doctor" is a missing determiner; what the case of the last word changes is left out.
TEST(EditTypes, CaseOfTheLastWordIsLeftOut) {
    EXPECT_EQ(type({token("Doctor", "doctor", "NN")}, {token("The", "the", "DT"), token("doctor", "doctor", "NN")}),
              "M:DET");
}

// With an auxiliary on both sides a verb's form is wrong, not its tense.
TEST(EditTypes, VerbsBehindAuxiliaries) {
    AnnotatedTokens source = {token("does", "do", "VBZ", "aux"), token("goes", "go", "VBZ", "ROOT")};
    AnnotatedTokens target = {token("does", "do", "VBZ", "aux"), token("go", "go", "VB", "ROOT")};
    const auto second = [&] {
        return edit_type({AlignmentStep::substitute, 1, 2, 1, 2}, source, target, [](const std::string&) { return true; });
    };
    EXPECT_EQ(second(), "R:VERB:SVA");
    source[0].head = source[1].head = target[0].head = target[1].head = 1;
    EXPECT_EQ(second(), "R:VERB:FORM");
}

TEST(EditTypes, UnknownTagsAreErrors) {
    EXPECT_THAT(message_of([] { type({}, {token("a", "a", "ZZ")}); }),
                HasSubstr("expected a tag of the Penn Treebank, got \"ZZ\""));
}

}  // namespace
}  // namespace craft
