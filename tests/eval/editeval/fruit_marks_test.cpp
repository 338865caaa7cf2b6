#include "eval/editeval/fruit_marks.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(FruitMarks, SentencesAndDocumentsByTheirNumbers) {
    const FruitSource source = parse_fruit_source(
        "[0] The mill stands by the river. [1] It grinds corn. [CONTEXT] (0) River_Mill History It closed in 1950. (1) "
        "Old_Town INTRODUCTION A museum opened.",
        "row");
    EXPECT_EQ(source.sentences, (std::vector<std::string>{"The mill stands by the river.", "It grinds corn."}));
    ASSERT_EQ(source.documents.size(), 2u);
    EXPECT_EQ(source.documents[0].title, "River Mill");
    EXPECT_EQ(source.documents[0].text, "History It closed in 1950.");
    EXPECT_EQ(source.documents[1].title, "Old Town");
    EXPECT_EQ(source.documents[1].text, "INTRODUCTION A museum opened.");
}

TEST(FruitMarks, ANumberThatIsNotTheNextOneIsText) {
    const FruitSource source = parse_fruit_source(
        "Before. [0] See [7] and [0] and [01]. [1] Two. [CONTEXT] (0) Page_one In (5) years. (1) ? no page (1) Page_two "
        "Text.",
        "row");
    EXPECT_EQ(source.sentences, (std::vector<std::string>{"See [7] and [0] and [01].", "Two."}));
    ASSERT_EQ(source.documents.size(), 2u);
    EXPECT_EQ(source.documents[0].text, "In (5) years. (1) ? no page");
    EXPECT_EQ(source.documents[1].title, "Page two");
}

TEST(FruitMarks, AContextOfOneWordIsADocumentWithoutATitle) {
    const FruitSource source = parse_fruit_source("[0] A.[CONTEXT](0) Word (1) Page Text", "row");
    ASSERT_EQ(source.documents.size(), 2u);
    EXPECT_EQ(source.documents[0].title, "");
    EXPECT_EQ(source.documents[0].text, "Word");
}

TEST(FruitMarks, WhatIsNoSource) {
    EXPECT_EQ(
        message_of([] { parse_fruit_source("[0] A.", "f:3: field 'inputs'"); }),
        "f:3: field 'inputs': expected numbered sentences, [CONTEXT] and numbered contexts, got a text without [CONTEXT]");
    EXPECT_EQ(message_of([] { parse_fruit_source("A. [CONTEXT] (0) Page Text", "f:3"); }),
              "f:3: expected sentences with marks from [0] on, got a text without [0]");
}

FruitSource mill() {
    return {{"The mill stands by the river.", "It grinds corn."}, {{"River Mill", "It closed."}, {"Old Town", "A museum."}}};
}

TEST(FruitMarks, TargetsAreWrittenOut) {
    // Sentence 0 is kept, a new one has two documents, which move after it; sentence 1 is gone.
    EXPECT_EQ(resolve_fruit_target("[0] (0) (1) It closed in 1950.", mill()),
              "The mill stands by the river. It closed in 1950. (0) (1)");
    EXPECT_EQ(resolve_fruit_target("(1) First. [1] (0) Last. [0]", mill()),
              "First. (1) It grinds corn. Last. (0) The mill stands by the river.");
}

TEST(FruitMarks, MarksThatTheSourceLacksStay) {
    EXPECT_EQ(resolve_fruit_target("In (2) of [9] cases (1999).", mill()), "In (2) of [9] cases (1999).");
    EXPECT_EQ(resolve_fruit_target("", mill()), "");
    EXPECT_EQ(resolve_fruit_target("[0] (0)", mill()), "The mill stands by the river.") << "a citation of nothing";
    EXPECT_EQ(resolve_fruit_target("[99999999999999999999999] A", mill()), "[99999999999999999999999] A");
}

TEST(FruitMarks, CitationsAreTakenOutByTheNumberOfDocuments) {
    EXPECT_EQ(without_citations("A (0) b (1) c (2) (x) (00)", 2), "A  b  c (2) (x) (00)");
    EXPECT_EQ(without_citations("A (0)", 0), "A (0)");
}

TEST(FruitMarks, WikiMarkupIsTakenOut) {
    EXPECT_EQ(without_wiki_markup("''The [[London|city]]'' of '''[[Paris]]'''"), "The city of Paris");
    EXPECT_EQ(without_wiki_markup("A[[Category:Towns]] b[[[REF 12]]] c"), "A b c");
    EXPECT_EQ(without_wiki_markup("One.\n == Heading ==\nTwo."), "One.\nTwo.");
    EXPECT_EQ(without_wiki_markup("== Heading =="), "");
    EXPECT_EQ(without_wiki_markup("[[a|b|c]]"), "b|c");
    EXPECT_EQ(without_wiki_markup("[[|x]] [[x|]] [[Category]]"), "|x x| Category") << "what the patterns do not match";
    EXPECT_EQ(without_wiki_markup("a\n"), "a\n");
}

TEST(FruitMarks, LongTextsTakeLinearTime) {
    std::string brackets(1 << 20, '[');
    EXPECT_EQ(without_wiki_markup(brackets), "");
    EXPECT_EQ(without_citations(std::string(1 << 20, '('), 3).size(), size_t{1} << 20);
    std::string marks = "[0] A [CONTEXT]";
    for (int i = 0; i < 50000; ++i) marks += " (" + std::to_string(i) + ") Page Text";
    EXPECT_EQ(parse_fruit_source(marks, "row").documents.size(), 50000u);
}

}  // namespace
}  // namespace craft
