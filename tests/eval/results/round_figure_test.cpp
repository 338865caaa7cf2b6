#include "eval/results/round_figure.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TableInput rounds(const std::string& written, const std::string& figure, const std::vector<std::string>& values) {
    Json by_round = Json::object();
    for (size_t i = 0; i < values.size(); ++i) by_round[std::to_string(i + 1)] = {{figure, Json::parse(values[i])}};
    return {table_source(written), {{"metric", figure}, {"corpus", {{figure, 1}, {"by_round", by_round}}}}};
}

// Runs are averaged, SOME and accuracy are in percent, and of a round that no file has there is no figure.
TEST(RoundFigure, IsATableOfRounds) {
    const RoundFigures figures = round_figures(
        {rounds("Iter=a", "perplexity", {"40", "36", "null"}), rounds("Iter=b", "perplexity", {"38", "34"}),
         rounds("Iter=c", "accuracy", {"0.5", "0.625", "0.75"}), rounds("Iter=d", "some", {"0.9", "0.8", "0.7"})});
    const Table table = round_table(figures);
    EXPECT_EQ(print_table(table, TableFormat::csv),
              "Round,PPL,SOME,BARTScore,Acc.\r\n"
              "R1,39.00,90.00,-,50.00\r\n"
              "R2,35.00,80.00,-,62.50\r\n"
              "R3,-,70.00,-,75.00\r\n");
    EXPECT_EQ(table.notes[0], "4 of 12 cells have no figure in these files");
    EXPECT_EQ(
        table.notes[1],
        "craft-train eval metric bartscore --model MODEL --rounds --items ITEMS --outputs OUTPUTS makes BARTScore of R1, "
        "BARTScore of R2, BARTScore of R3");
    EXPECT_EQ(make_table(TableLayout::f3, {rounds("A=a", "some", {"0.5"}), rounds("B=b", "some", {"0.5"})}).rows[1].name,
              "B R1");
}

// Two panels: of 40, 30 and 35 the axis goes from 30 to 40, so that the first round is at the top, 34, and the second at the
// bottom, 170 below it; rounds stand in the middles of thirds of 190.
TEST(RoundFigure, IsDrawnByPanels) {
    const std::string svg = round_figure_svg(round_figures(
        {rounds("A & B=a", "perplexity", {"40", "30", "35"}), rounds("A & B=b", "accuracy", {"0.5", "null", "0.75"})}));
    EXPECT_EQ(svg.substr(0, 4), "<svg");
    EXPECT_NE(
        svg.find(
            "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"#1f77b4\" points=\"87.7,34.0 151.0,204.0 214.3,119.0\"/>"),
        std::string::npos)
        << svg;
    EXPECT_NE(svg.find(">A &amp; B<"), std::string::npos);
    EXPECT_NE(svg.find(">PPL \u2193<"), std::string::npos);
    EXPECT_NE(svg.find(">Acc. \u2191<"), std::string::npos);
    EXPECT_EQ(svg.find("BARTScore"), std::string::npos) << "a panel without figures";
    size_t lines = 0;
    for (size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++lines;
    EXPECT_EQ(lines, 3u) << "a round without a figure parts a line in two";
}

TEST(RoundFigure, RefusesFilesWithoutRounds) {
    EXPECT_EQ(
        message_of([] {
            round_figures({{table_source("A=a"), Json::parse(R"({"corpus":{"accuracy":1}})")}});
        }),
        "a: expected figures by round, got none (eval cord --rounds and eval metric --rounds make them of what `revise "
        "--method iter` writes)");
    EXPECT_NE(message_of([] {
                  round_figures({{table_source("A=a"), Json::parse(R"({"corpus":{"by_round":{"x":{"accuracy":1}}}})")}});
              }).find("expected the number of a round, got x"),
              std::string::npos);
    EXPECT_NE(message_of([] { round_figure_svg({}); }).find("figures of a round"), std::string::npos);
    TableInput other = rounds("B=b", "some", {"0.5"});
    other.document["signature"] = "some|other";
    EXPECT_NE(message_of([&] {
                  round_figures({rounds("A=a", "some", {"0.5"}), other});
              }).find("panel SOME: expected figures"),
              std::string::npos);
}

}  // namespace
}  // namespace craft
