#include "eval/editeval/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "eval/editeval/box_plot.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class EditComparisons : public testing::Test {
protected:
    // A result with means {SARI, GLEU} by data set.
    std::filesystem::path result(const std::string& name,
                                 const std::map<std::string, std::pair<double, double>>& means) const {
        Json datasets = Json::object();
        for (const auto& [dataset, pair] : means)
            datasets[dataset]["mean"] = {{"sari", pair.first}, {"gleu", pair.second}, {"x", nullptr}};
        return folder_.file(name + "/editeval.json", Json({{"datasets", datasets}}).dump());
    }
    const TemporaryFolder folder_;
};

TEST_F(EditComparisons, CorrelationWithoutUpdating) {
    const EditComparison all = compare_editeval(
        {result("a", {{"jfleg", {1, 1}}, {"asset", {2, 3}}, {"fruit", {9, -9}}}), result("b", {{"jfleg", {3, 2}}})});
    EXPECT_THAT(all.systems, ElementsAre("a", "b"));
    EXPECT_THAT(all.datasets, ElementsAre("jfleg", "asset", "fruit"));
    EXPECT_THAT(all.figures, ElementsAre("gleu", "sari"));
    // The pairs (1, 1), (2, 3), (3, 2): 1/2, as derived in the test of pearson().
    EXPECT_NEAR(*figure_correlation(all, "sari", "gleu"), .5, 1e-12);
    EXPECT_NEAR(*figure_correlation(all, "sari", "sari"), 1, 1e-12);
    EXPECT_THAT(comparison_table(all, "sari"), HasSubstr("gleu 0.500"));
}

TEST_F(EditComparisons, FilesOfAComparison) {
    const EditComparison all = compare_editeval({result("a", {{"jfleg", {1, 1}}}), result("b", {{"jfleg", {3, 2}}})});
    write_comparison(all, "sari", folder_.path());
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_dataset.dat"),
                HasSubstr("\n\"jfleg\" 1.000000 1.500000 2.000000 2.500000 3.000000\n"));
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_system.svg"), HasSubstr(">a</text>"));
    const Json object = read_json_file(folder_.path() / "comparison.json");
    EXPECT_EQ(object["datasets"]["jfleg"]["sari"], Json({{"a", 1.0}, {"b", 3.0}}));
    EXPECT_EQ(object["correlation"]["gleu"]["sari"], 1.0);
}

TEST_F(EditComparisons, PromptsOverSystems) {
    const auto with_prompts = [&](const std::string& name, double first, double second) {
        Json result = read_json_file(this->result(name, {{"wnc", {first, .5}}}));
        Json& prompts = result["datasets"]["wnc"]["prompts"];
        prompts.push_back({{"prompt", "Neutral"}, {"metrics", {{"sari", first}, {"gleu", nullptr}}}});
        prompts.push_back({{"prompt", "Less\nbiased"}, {"metrics", {{"sari", second}, {"gleu", .5}}}});
        return folder_.file(name + "/editeval.json", result.dump());
    };
    const EditComparison all = compare_editeval({with_prompts("a", 10, 20), with_prompts("b", 30, 20)});
    write_comparison(all, "sari", folder_.path());
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_prompt.dat"),
                HasSubstr("\n\"WNC: Less biased\" 20.000000 20.000000 20.000000 20.000000 20.000000\n"
                          "\"WNC: Neutral\" 10.000000 15.000000 20.000000 25.000000 30.000000\n"));
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_prompt.svg"), HasSubstr(">SARI of each prompt over systems<"));
    const Json prompts = read_json_file(folder_.path() / "comparison.json")["prompts"]["wnc"];
    EXPECT_EQ(prompts[1], Json({{"prompt", "Neutral"}, {"sari", {{"a", 10.0}, {"b", 30.0}}}}));
    EXPECT_TRUE(all.differences.empty());
}

TEST_F(EditComparisons, OfAnotherFigure) {
    const EditComparison all = compare_editeval({result("a", {{"jfleg", {1, .1}}}), result("b", {{"jfleg", {3, .2}}})});
    write_comparison(all, "gleu", folder_.path());
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_dataset.dat"), HasSubstr("\n\"jfleg\" 0.100000 0.125000 0.150000"));
    EXPECT_THAT(read_file(folder_.path() / "boxes_by_system.svg"), HasSubstr(">GLEU of each system over data sets<"));
    EXPECT_THAT(comparison_table(all, "gleu"), HasSubstr("a                            0.100"));
    EXPECT_EQ(message_of([&] { write_comparison(all, "x", folder_.path()); }),
              "figure 'x': expected one that a result has: gleu, sari, got another one");
}

TEST_F(EditComparisons, WhatIsNotTheSameIsNamed) {
    const auto under = [&](const std::string& name, const Json& more) {
        Json result = read_json_file(this->result(name, {{"jfleg", {1, .1}}}));
        result.merge_patch(more);
        return folder_.file(name + "/editeval.json", result.dump());
    };
    const EditComparison all =
        compare_editeval({under("a", {{"normalize", "treebank"}}), under("b", {{"normalize", "none"}})});
    ASSERT_EQ(all.differences.size(), 1u);
    EXPECT_EQ(all.differences[0].condition, "normalize");
    write_comparison(all, "sari", folder_.path());
    EXPECT_EQ(read_json_file(folder_.path() / "comparison.json")["differences"],
              Json::array({{{"condition", "normalize"}, {"values", {{"a", "treebank"}, {"b", "none"}}}}}));
}

TEST_F(EditComparisons, WhatIsNoResult) {
    const std::string other = folder_.file("c/editeval.json", "{\"datasets\":{\"xyz\":{}}}");
    EXPECT_THAT(message_of([&] { compare_editeval({other}); }),
                HasSubstr("data set 'xyz': expected one of EditEval's data sets"));
    const std::string empty = folder_.file("d/editeval.json", "[]");
    EXPECT_THAT(message_of([&] { compare_editeval({empty}); }), HasSubstr("expected a result of EditEval with 'datasets'"));
    const auto twice = result("a", {{"jfleg", {1, 1}}});
    EXPECT_THAT(message_of([&] { compare_editeval({twice, twice}); }), HasSubstr("each result once"));
}

TEST(BoxPlot, OutliersArePointsOfTheirOwn) {
    const std::vector<Box> boxes = {{"a", {1, 2}}, {"b", {0, 0, 0, 0, 9}}};
    EXPECT_THAT(box_plot_data(boxes, "f.dat"), HasSubstr("\n\n\n# box, from 0, and outlier\n1 9.000000\n"));
    const std::string picture = box_plot_svg("T", "SARI", boxes);
    EXPECT_EQ(picture.find("<circle"), picture.rfind("<circle")) << "one";
    EXPECT_NE(picture.find("<circle"), std::string::npos);
}

TEST(BoxPlot, EscapesLabelsAndTakesEqualValues) {
    const std::string picture = box_plot_svg("T", "SARI", {{"a<b>&\"c\"", {5, 5}}, {"d", {5}}});
    EXPECT_THAT(picture, HasSubstr("a&lt;b&gt;&amp;\"c\""));
    EXPECT_EQ(picture.find("nan"), std::string::npos);
    EXPECT_EQ(picture.find("inf"), std::string::npos);
    EXPECT_THAT(box_plot_data({{"a\"b\n", {1}}}, "f.dat"), HasSubstr("\"a b \" 1.000000"));
}

}  // namespace
}  // namespace craft
