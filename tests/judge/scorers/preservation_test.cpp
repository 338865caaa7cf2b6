#include "judge/scorers/preservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/scorers/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Preservation, IsTheShareOfOccurrencesThatAreKept) {
    int asked = 0;
    PreservationScorer scorer(
        "entities", keywords_one_by_one([&](const std::string& text) {
            ++asked;
            return text == "none" ? std::vector<std::string>{} : std::vector<std::string>{"Lowe", "Oslo"};
        }));
    // Lowe twice and Oslo once; kept are one and one.
    EXPECT_THAT(scorer.score({{"Lowe met Lowe in Oslo.", "Lowe met her in Oslo."}, {"none", "Lowe"}}),
                ElementsAre(DoubleEq(2.0 / 3), 1));
    EXPECT_THAT(scorer.score({{"Lowe met Lowe in Oslo.", "Nobody."}}), ElementsAre(0));
    EXPECT_EQ(asked, 2) << "a text's keywords are looked for once";
    EXPECT_EQ(scorer.name(), "entities");
}

TEST(Preservation, OfLatex) {
    const auto scorer = open_scorers({"latex"}, {}).front();
    EXPECT_THAT(scorer->score({{R"(We use $x^2$ and \cite{a}.)", R"(We use \cite{a}.)"}, {"plain", "text"}}),
                ElementsAre(DoubleEq(0.5), 1));
}

JsonCommandOptions finder(const std::string& script) {
    return {.command = script, .timeout_seconds = 20, .restarts = 0};
}

TEST(Preservation, NamesByACommand) {
    const auto find = keywords_by_command(
        persistent_command(finder("python3 '" + test_source("/scripts/external_scorer_example.py' --entities"))));
    EXPECT_THAT(find({"On Monday Dr Lowe left Oslo.", "nobody", "It was Lowe, and Lowe alone."}),
                ElementsAre(ElementsAre("Monday Dr Lowe", "Oslo"), testing::IsEmpty(), ElementsAre("Lowe")));
    PreservationScorer scorer("entities", find);
    EXPECT_THAT(scorer.score({{"So Lowe left Oslo.", "Lowe left."}}), ElementsAre(DoubleEq(0.5)));
}

TEST(Preservation, AnswersThatAreNone) {
    const auto failure = [](const std::string& keys) {
        return message_of(
            [&] { keywords_by_command(started_for_each(finder("sed -u 's/}$/," + keys + "}/'")))({"Lowe left."}); });
    };
    EXPECT_THAT(failure(R"("x":1)"), HasSubstr("answer 1: field 'entities': expected a list of texts, got none"));
    EXPECT_THAT(failure(R"("entities":"Lowe")"), HasSubstr("expected a list of texts, got string"));
    EXPECT_THAT(failure(R"("entities":[""])"), HasSubstr("expected texts that are not empty, got \"\""));
    EXPECT_THAT(failure(R"("entities":["Oslo"])"), HasSubstr("expected a name that occurs in the text, got 'Oslo'"));
}

}  // namespace
}  // namespace craft
