#include "tools/grammar/analysis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::HasSubstr;

// "Go  on": two words with white space between them.
EnglishDocument two_words() {
    EnglishDocument document(3);
    document[0].text = "Go";
    document[0].tag = "VB";
    document[0].dep = "ROOT";
    document[1].text = " ";
    document[1].is_space = true;
    document[2].text = "on";
    document[2].tag = "RP";
    document[2].dep = "prt";
    document[2].code_point = 4;
    return document;
}

TEST(AnalysisText, WritesTagsAndHeads) {
    EXPECT_EQ(tagging_text(two_words()), "Go/VB on/RP");
    EXPECT_EQ(tagging_text({}), "The sentence is empty.");
    EXPECT_EQ(tagging_json(two_words())[1]["start"], 4);
    ConstituentParse parse;
    parse.bracketed = "(S Go on)";
    EXPECT_EQ(dependency_text(two_words(), parse), "1 Go: ROOT\n2 on: prt of Go (1)\nconstituents: (S Go on)");
    parse.problem = "worker";
    EXPECT_THAT(dependency_text(two_words(), parse), HasSubstr("constituents: none, the parser took too long"));
    EXPECT_EQ(dependency_json(two_words(), parse)["words"][1],
              Json::parse(R"({"text":"on","start":4,"head":0,"relation":"prt"})"));
}

TEST(AnalysisText, WritesErrors) {
    ErrorReport report;
    EXPECT_EQ(error_text(report, two_words()), "No error found.");
    EXPECT_EQ(error_text(report, {}), "The sentence is empty.");
    report.marks.push_back({MarkKind::substituted, 2, 1, "why", {"off"}});
    report.left_out = {"on"};
    report.parse_problem = "time";
    EXPECT_EQ(error_text(report, two_words()),
              "substituted \"on\" (word 2): why; suggestions: off\nThe parse leaves out: on\nThere is no parse: the parser "
              "took too long. "
              "What is said here comes from rules and spelling alone.");
    EXPECT_EQ(error_json(report, two_words())["marks"][0]["start"], 4);
    report.is_english = false;
    EXPECT_THAT(error_text(report, two_words()), HasSubstr("not look like English"));
}

TEST(AnalysisText, WritesSpelling) {
    SpellingReport report;
    EXPECT_EQ(spelling_text(report, two_words()), "No spelling error found.");
    report.errors = {{0, {"Goo", "God"}}, {2, {}}};
    EXPECT_EQ(spelling_text(report, two_words()),
              "\"Go\" is in no dictionary; suggestions: Goo, God\n\"on\" is in no dictionary; no suggestion");
    EXPECT_EQ(spelling_json(report, two_words())["errors"][1]["word"], "on");
}

}  // namespace
}  // namespace craft
