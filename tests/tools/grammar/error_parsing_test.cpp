#include "tools/grammar/error_parsing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/grammar/grammar_setup.h"
#include "tools/grammar/parse_repairs.h"

namespace craft {
namespace {

using test::InstalledGrammar;
using testing::IsEmpty;

ErrorReport report_of(const std::string& sentence, bool repairs = true) {
    InstalledGrammar& grammar = InstalledGrammar::get();
    const ParsedSentence tree = grammar.tree(sentence);
    const ConstituentParse parse = grammar.parser().parse({{parse_text(tree.tokens()).text}}).front();
    return find_errors(tree, grammar.spelling().check(tree.tokens()), parse, grammar.know(), grammar.parser(), repairs);
}

TEST(ErrorParsing, TriesNoRepairsWhereNoneAreWanted) {
    CRAFT_NEEDS_GRAMMAR();
    const std::string sentence = "There is many reason to go.";
    const auto of_parse = [](const ErrorReport& report) {
        return std::ranges::count(report.marks, MarkEvidence::parse, &ErrorMark::evidence);
    };
    EXPECT_EQ(of_parse(report_of(sentence)), 1);
    EXPECT_EQ(of_parse(report_of(sentence, false)), 0);
    EXPECT_EQ(report_of("He go to the univercity by by bus.", false).marks.size(), 3U) << "what rules find stays";
}

TEST(ErrorParsing, SaysWhyThereIsNoParse) {
    CRAFT_NEEDS_GRAMMAR();
    std::string words = "He go to";
    for (int i = 0; i < 2000; ++i) words += " school";
    const ErrorReport long_one = report_of(words + ".");
    EXPECT_EQ(long_one.parse_problem, "too long");
    EXPECT_FALSE(long_one.marks.empty()) << "rules do without it";
    const ErrorReport german = report_of("Ich wei\xC3\x9F nicht, was soll es bedeuten, dass ich so traurig bin.");
    EXPECT_FALSE(german.is_english);
    EXPECT_THAT(german.marks, IsEmpty());
}

}  // namespace
}  // namespace craft
