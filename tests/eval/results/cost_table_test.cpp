#include "eval/results/cost_table.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

Json manifest(int rows, int iterations, double seconds, int in, int out) {
    return {{"wall_seconds", seconds},
            {"revised",
             {{"rows", rows},
              {"iterations", iterations},
              {"cost", {{"calls", 1}, {"input_tokens", in}, {"output_tokens", out}, {"seconds", 0}}}}}};
}

// Means of a text over means of a text: the baseline revised half as many.
TEST(CostTable, IsRelativeToTheBaseline) {
    const std::vector<TableInput> inputs = {{table_source("Iter:c0=a"), manifest(5, 10, 10, 100, 50)},
                                            {table_source("CRAFT:c0=b"), manifest(10, 16, 24, 300, 0)},
                                            {table_source("CRAFT:c1=c"), manifest(10, 16, 24, 300, 100)}};
    EXPECT_EQ(print_table(make_table(TableLayout::t11, inputs), TableFormat::csv),
              "Relative to Iter,C0,C1,C2,C3,C4\r\n"
              "Iter Cnt.,0.8,-,-,-,-\r\n"
              "Inf.,1.2,-,-,-,-\r\n"
              "# Input.,1.5,-,-,-,-\r\n"
              "# Output.,0.0,-,-,-,-\r\n");
    EXPECT_EQ(message_of([&] { make_cost_table(inputs, "Direct"); }),
              "systems: expected the baseline 'Direct' among them, got none of this name");
}

// A run over several domains tells their tokens apart, and no seconds; of one domain they are the run's.
TEST(CostTable, DomainsAreToldApart) {
    Json one = manifest(5, 10, 20, 100, 50), two = manifest(15, 30, 99, 300, 150);
    const auto part = [](int rows, int iterations, int in, int out) {
        return Json({{"rows", rows}, {"iterations", iterations}, {"cost", {{"input_tokens", in}, {"output_tokens", out}}}});
    };
    one["by_domain"] = {{"c1", part(5, 10, 100, 50)}};
    two["by_domain"] = {{"c1", part(5, 15, 200, 100)}, {"c2", part(10, 15, 100, 50)}};
    const Table table = make_cost_table({{table_source("Iter=a"), one}, {table_source("CRAFT=b"), two}}, "Iter");
    EXPECT_EQ(print_table(table, TableFormat::csv),
              "Relative to Iter,C0,C1,C2,C3,C4\r\n"
              "Iter Cnt.,-,1.5,-,-,-\r\n"
              "Inf.,-,-,-,-,-\r\n"
              "# Input.,-,2.0,-,-,-\r\n"
              "# Output.,-,2.0,-,-,-\r\n");
    EXPECT_EQ(table.notes.at(0), "17 of 20 cells have no figure in these files");
}

// Seconds in which an earlier run's answers were read say nothing of what asking takes.
TEST(CostTable, RecordedAnswersTakeNoTime) {
    Json asked = manifest(5, 10, 10, 100, 50), recorded = manifest(5, 10, 1, 100, 50);
    asked["usage"]["roles"]["reviser"]["gpt"] = {{"requests", 10}, {"hits", 1}};
    recorded["usage"]["roles"]["reviser"]["gpt"] = {{"requests", 10}, {"hits", 10}};
    const auto seconds = [&](const Json& other) {
        return make_cost_table({{table_source("Iter:c0=a"), asked}, {table_source("CRAFT:c0=b"), other}}, "Iter").rows.at(1);
    };
    EXPECT_EQ(seconds(asked).cells.at(0), 1.0);
    EXPECT_EQ(seconds(recorded).cells.at(0), std::nullopt);
}

TEST(CostTable, RefusesWhatIsNoManifest) {
    const auto problem = [](const std::string& source, const Json& document) {
        return message_of([&] { make_cost_table({{table_source(source), document}}, "Iter"); });
    };
    EXPECT_EQ(problem("Iter=a", manifest(1, 1, 1, 1, 1)),
              "a: expected the domain of what it revised, got none (write Iter:c1=a)");
    EXPECT_EQ(problem("Iter:c0=a", Json::array()),
              "a: expected a manifest of `revise`, which says what it revised, got none");
    EXPECT_EQ(problem("Iter:c0=a", {{"revised", {{"rows", 0}}}}),
              "a: field 'revised.rows': expected at least one text, got none");
    EXPECT_EQ(problem("Iter:c0=a", {{"revised", {{"rows", 1}}}}),
              "a: field 'iterations' of a manifest, its 'revised' or 'revised.cost': expected a number, got none (is it a "
              "manifest of "
              "`revise`?)");
}

}  // namespace
}  // namespace craft
