#include "judge/verdicts/guideline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead = "version: 2\naspects: Words (alignment), Shape (parses), All (alignment, parses)\n---\n";
const std::string kExample =
    "=== example\nsource: It was utilised.\ncandidate: It was used.\ncandidate: It was employed.\n\n0 is easier.\n"
    "Aspect: Words, Best: 0, Worst: 1\nAspect: Shape, Best: 0, Worst: 1\nAspect: All, Best: 0, Worst: 1\n";

std::string failure(const std::string& text) {
    try {
        parse_guideline(text, "g.txt");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Guidelines, WhatAFileSays) {
    const Guideline read = parse_guideline(kHead + "Judge it.\n\nBy words.\n" + kExample + "\n" + kExample, "g.txt");
    EXPECT_EQ(read.version, "2");
    EXPECT_THAT(read.aspect_names(), ElementsAre("Words", "Shape", "All"));
    EXPECT_TRUE(read.aspects[0].sees_alignment);
    EXPECT_FALSE(read.aspects[0].sees_parses);
    EXPECT_TRUE(read.aspects[2].sees_alignment && read.aspects[2].sees_parses);
    EXPECT_EQ(read.text, "Judge it.\n\nBy words.");
    ASSERT_EQ(read.examples.size(), 2u);
    EXPECT_EQ(read.examples[1].source, "It was utilised.");
    EXPECT_THAT(read.examples[1].candidates, ElementsAre("It was used.", "It was employed."));
    EXPECT_THAT(read.examples[0].reply, testing::StartsWith("0 is easier.\nAspect: Words"));
}

TEST(Guidelines, WithoutAspectsOrExamples) {
    const Guideline read =
        parse_guideline("---\nJudge it.\n=== example\nsource: a\ncandidate: b\ncandidate: c\n\nBest: 0, Worst: 1", "g");
    EXPECT_TRUE(read.aspects.empty());
    EXPECT_EQ(read.examples.size(), 1u);
    EXPECT_TRUE(parse_guideline("---\nJudge it.", "g").examples.empty());
    EXPECT_NE(read.hash, parse_guideline("---\nJudge it.", "g").hash);
}

TEST(Guidelines, ReportsStandAmongExamples) {
    const Guideline read =
        parse_guideline(kHead + "Judge it.\n=== report Shape\nsource: A b.\ncandidate: A c.\n\n1st.\n\n2nd.\n" + kExample +
                            "=== report Words\nsource: d\ncandidate: e\n\nGood.",
                        "g.txt");
    EXPECT_EQ(read.text, "Judge it.");
    EXPECT_EQ(read.examples.size(), 1u);
    ASSERT_EQ(read.reports.size(), 2u);
    EXPECT_EQ(read.reports[0].aspect, "Shape");
    EXPECT_EQ(read.reports[0].source, "A b.");
    EXPECT_EQ(read.reports[0].candidate, "A c.");
    EXPECT_EQ(read.reports[0].text, "1st.\n\n2nd.");
    EXPECT_EQ(read.reports[1].aspect, "Words");
    EXPECT_EQ(parse_guideline("---\nx\n=== report\nsource: a\ncandidate: b\n\ny", "g").reports.at(0).aspect, "");
    EXPECT_THAT(failure("---\nx\n=== report Words\nsource: a\ncandidate: b\n\ny"),
                HasSubstr("g.txt:3: expected a report on one of the guideline's aspects, or on none where it has none, got "
                          "\"Words\""));
    EXPECT_THAT(failure(kHead + "x\n=== report\nsource: a\ncandidate: b\n\ny"), HasSubstr("got \"\""));
    EXPECT_THAT(failure(kHead + "x\n=== report All\nsource: a\ncandidate: b\ncandidate: c\n\ny"),
                HasSubstr("g.txt:5: expected a report on a source and one candidate, got 2 candidates"));
    EXPECT_THAT(failure(kHead + "x\n=== report All\nsource: a\ncandidate: b\n\n"),
                HasSubstr("a report after the blank line"));
    EXPECT_THAT(failure(kHead + "x\n=== report All\ncandidate: b\n\nx"), HasSubstr("a report on a source"));
}

const std::string kPlannersExample =
    "=== example\ninstruction: Be short.\nsource: A b.\ncandidate: A.\nresponse: One:\n| two\n|  three()\ncandidate: "
    "B.\nresponse: None\n\nBest: 0, Worst: 1";

TEST(Guidelines, ShowInstructionsAndResponses) {
    const Guideline read = parse_guideline("shows: instruction, responses\n---\nJudge it.\n" + kPlannersExample, "g");
    EXPECT_TRUE(read.sees_instruction && read.sees_responses);
    EXPECT_EQ(read.examples.at(0).instruction, "Be short.");
    EXPECT_THAT(read.examples[0].candidates, ElementsAre("A.", "B."));
    EXPECT_THAT(read.examples[0].responses, ElementsAre("One:\ntwo\nthree()", "None"));
    EXPECT_FALSE(parse_guideline("shows: instruction\n---\nx", "g").sees_responses);
    EXPECT_FALSE(parse_guideline("---\nx", "g").sees_more_than_texts());
    EXPECT_THAT(failure("shows: answers\n---\nx"),
                HasSubstr("g.txt:1: expected \"instruction\" or \"responses\", got \"answers\""));
    EXPECT_THAT(failure("---\nx\n" + kPlannersExample), HasSubstr("g.txt:4: expected \"source: ...\" once"));
    EXPECT_THAT(failure("shows: responses\n---\nx\n=== example\nsource: a\ncandidate: b\ncandidate: c\n\nBest: 0, Worst: 1"),
                HasSubstr("g.txt:4: expected an example with a response behind each candidate"));
    EXPECT_THAT(failure("shows: responses\n---\nx\n=== example\nsource: a\nresponse: b\n\nx"),
                HasSubstr("g.txt:6: expected"));
    EXPECT_THAT(failure("shows: responses\n---\nx\n=== example\nsource: a\ncandidate: b\n| c\n\nx"),
                HasSubstr("g.txt:7: expected"));
    EXPECT_THAT(
        failure("shows: instruction\n---\nx\n=== example\nsource: a\ncandidate: b\ncandidate: c\n\nBest: 0, Worst: 1"),
        HasSubstr("g.txt:4: expected an example with an instruction"));
    EXPECT_THAT(failure("shows: responses\n---\nx\n=== report\nsource: a\ncandidate: b\n\nx"),
                HasSubstr("g.txt:4: expected reports in a guideline that shows texts alone"));
}

TEST(Guidelines, WhatIsWrongIsSaidWithItsLine) {
    EXPECT_THAT(failure("Judge it."), HasSubstr("g.txt:1: expected \"version: ...\""));
    EXPECT_THAT(failure("version: 1\n"), HasSubstr("a line \"---\""));
    EXPECT_THAT(failure("---\n\n"), HasSubstr("the guideline's text"));
    EXPECT_THAT(failure("aspects: A, a\n---\nx"), HasSubstr("g.txt:1: expected each aspect once, got \"a\" again"));
    EXPECT_THAT(failure("aspects: A (parse)\n---\nx"), HasSubstr("got \"parse\""));
    EXPECT_THAT(failure("aspects: A (parses\n---\nx"), HasSubstr("a bracket that closes"));
    EXPECT_THAT(failure("aspects: A, , B\n---\nx"), HasSubstr("an aspect's name"));
    EXPECT_THAT(failure(kHead + "x\n=== example\nsource: a\ncandidate: b\n\nx"), HasSubstr("g.txt:5: expected an example"));
    EXPECT_THAT(failure(kHead + "x\n=== example\nsource: a\nanswer: b\n\nx"),
                HasSubstr("g.txt:7: expected \"source: ...\""));
    std::string partly = kExample;
    partly.erase(partly.find("Aspect: Shape"), std::string("Aspect: Shape, Best: 0, Worst: 1\n").size());
    EXPECT_THAT(failure(kHead + "x\n" + partly),
                HasSubstr("g.txt:5: expected a verdict of Shape in its reply, got no verdict"));
}

TEST(Guidelines, ThoseThatShip) {
    for (const char* name : {"sentence", "document", "brief", "planner"}) {
        const Guideline read = read_guideline(std::string(test_source("/share/guidelines/")) + name + ".txt");
        EXPECT_EQ(read.examples.size(), 3u) << name;
        EXPECT_EQ(read.sees_more_than_texts(), name == std::string("planner"));
        EXPECT_FALSE(read.version.empty());
    }
    EXPECT_THAT(read_guideline(test_source("/share/guidelines/sentence.txt")).aspect_names(),
                ElementsAre("Lexical", "Structural", "Overall"));
}

}  // namespace
}  // namespace craft
