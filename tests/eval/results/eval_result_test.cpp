#include "eval/results/eval_result.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

EvalResult parsed(const std::string& text) {
    return eval_result_from_json(Json::parse(text), "r.json");
}

TEST(EvalResults, HoldItemsById) {
    const EvalResult result = parsed(
        R"({"metric":"sari","signature":"s","corpus":{"sari":40.5},"items":[{"id":"b","sari":1},{"id":7,"sari":null,"met":true}]})");
    EXPECT_EQ(item_figure(result, "b", "sari"), 1);
    EXPECT_EQ(item_figure(result, "7", "sari"), std::nullopt);
    EXPECT_EQ(item_figure(result, "7", "met"), 1) << "a flag counts 0 or 1";
    EXPECT_EQ(corpus_figure(result, "sari"), 40.5);
    EXPECT_EQ(corpus_figure(result, "bleu"), std::nullopt);
    EXPECT_EQ(scorer_of(result.head), Json::parse(R"({"metric":"sari","signature":"s"})"));
    EXPECT_EQ(main_figure(result), "sari");
    EXPECT_FALSE(result.head.contains("items"));
}

// What types are cut to changes no figure that is compared.
TEST(EvalResults, ThatAreShownOtherwiseAreOfOneScorer) {
    const auto of_tier = [](int tier) {
        return scorer_of(Json{{"metric", "errant"}, {"options", {{"beta", 0.5}, {"tier", tier}}}});
    };
    EXPECT_EQ(of_tier(1), of_tier(3));
    EXPECT_EQ(of_tier(1).at("options"), Json({{"beta", 0.5}}));
}

TEST(EvalResults, KnowTheMainFigureOfEachCommand) {
    EXPECT_EQ(main_figure(parsed(R"({"scoring":"strict","items":[{"id":"a","accuracy":0.5,"touched_besides":1}]})")),
              "accuracy");
    EXPECT_EQ(main_figure(parsed(R"({"items":[{"id":"a","constraint_f1":0.5,"f1":1}]})")), "f1");
    EXPECT_EQ(message_of([] { main_figure(parsed(R"({"items":[{"id":"a","x":0.5,"y":1,"z":"no"}]})")); }),
              "r.json: expected items with a figure, got x, y (--metric says which figure counts)");
}

TEST(EvalResults, SayWhichWayIsBetter) {
    const Json none = Json::object();
    EXPECT_EQ(better_of(none, "sari"), Better::higher);
    EXPECT_EQ(better_of(none, "unusable"), Better::lower);
    EXPECT_EQ(better_of(none, "unknown_entities"), Better::lower);
    EXPECT_EQ(better_of(none, "quality"), Better::unsaid) << "a compression ratio";
    EXPECT_EQ(better_of(none, "grammaticality"), Better::lower) << "errors that are left";
    EXPECT_EQ(better_of({{"metric", "some"}}, "grammaticality"), Better::higher) << "a regressor's score";
    const Json said = Json::parse(R"({"figures":{"grammaticality":{"better":"higher"},"sari":{"better":"none"},"f1":7}})");
    EXPECT_EQ(better_of(said, "grammaticality"), Better::higher);
    EXPECT_EQ(better_of(said, "sari"), Better::unsaid);
    EXPECT_EQ(better_of(said, "f1"), Better::higher);
}

TEST(EvalResults, SayWhatAFigureDependsOn) {
    const Json head = Json::parse(
        R"({"kind":"factuality","signature":"s","options":{"entailment":"e","threshold":0.5},"figures":{
            "ne_er":{"depends_on":["signature","scoring"]},"entailed":{"depends_on":["options.threshold","options.none"]}}})");
    EXPECT_EQ(scorer_of(head, "ne_er"), Json::parse(R"({"kind":"factuality","signature":"s"})"));
    EXPECT_EQ(scorer_of(head, "entailed"), Json::parse(R"({"kind":"factuality","options":{"threshold":0.5}})"));
    EXPECT_EQ(scorer_of(head, "entities"),
              Json::parse(R"({"signature":"s","options":{"entailment":"e","threshold":0.5},"kind":"factuality"})"));
}

TEST(EvalResults, ItemsThatDoNotCountHaveNoFigure) {
    const EvalResult result =
        parsed(R"({"items":[{"id":"a","preserved":1,"counted":true},{"id":"b","preserved":0,"counted":false}]})");
    EXPECT_EQ(item_figure(result, "a", "preserved"), 1);
    EXPECT_EQ(item_figure(result, "b", "preserved"), std::nullopt);
    EXPECT_EQ(figure_names(result), "counted, preserved");
}

TEST(EvalResults, RefuseWhatIsNone) {
    EXPECT_EQ(message_of([] { parsed("[]"); }), "r.json: expected a result of eval, which is an object, got array");
    EXPECT_EQ(message_of([] { parsed("{}"); }),
              "r.json: field 'items': expected a list, got none (was it written by an eval command?)");
    EXPECT_EQ(message_of([] { parsed(R"({"items":[1]})"); }), "r.json: items[0]: expected an object, got number");
    EXPECT_EQ(message_of([] { parsed(R"({"items":[{"id":"a"},{"id":"a"}]})"); }),
              "r.json: items[1]: expected each id once, got 'a' again");
    EXPECT_EQ(message_of([] { item_figure(parsed(R"({"items":[{"id":"a","f1":"high"}]})"), "a", "f1"); }),
              "r.json: item 'a': field 'f1': expected a number, got \"high\"");
    EXPECT_EQ(message_of([] { item_figure(parsed(R"({"items":[{"id":"a","f1":-1e200}]})"), "a", "f1"); }),
              "r.json: item 'a': field 'f1': expected at most 1e100, got -1e+200");
    const TemporaryFolder folder;
    EXPECT_NE(message_of([&] { read_eval_result(folder.file("empty.json", "")); }).find("empty.json"), std::string::npos);
    EXPECT_NE(message_of([&] {
                  read_eval_result(folder.file("huge.json", R"({"items":[{"id":"a","f1":1e999}]})"));
              }).find("huge.json"),
              std::string::npos);
}

}  // namespace
}  // namespace craft
