#include "metrics/edits/edit_results.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

const std::string kGold =
    "S a b c\nA 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||U:DET||||||REQUIRED|||-NONE-|||0\n\n"
    "S d\nA 4 5|||R:X|||y|||REQUIRED|||-NONE-|||0\n";

// One of two gold edits is met, and nothing else was proposed; the edit of the second sentence lies behind it.
TEST(EditResults, OfTheM2Scorer) {
    const M2File gold = parse_m2(kGold, "g.m2");
    const Json result = to_json(score_m2({"h", {"x b c", "d"}}, gold, {}), gold, {});
    const Json& corpus = result.at("corpus");
    EXPECT_EQ(corpus.at("precision"), 1.0);
    EXPECT_EQ(corpus.at("recall"), 0.5);
    EXPECT_DOUBLE_EQ(corpus.at("f0.5"), 1.25 * 0.5 / (0.25 + 0.5));
    EXPECT_EQ(corpus.at("gold_outside_sentence"), 1);
    EXPECT_EQ(result.at("by_type"),
              Json::parse(R"({"R:NOUN":{"recall":1.0,"correct":1,"gold":1},"U:DET":{"recall":0.0,"correct":0,"gold":1}})"));
    EXPECT_EQ(result.at("items").size(), 2u);
    EXPECT_EQ(result.at("items")[1].at("id"), "2");
    M2Options options;
    options.beta = 1;
    EXPECT_TRUE(to_json(score_m2({"h", {"x b c", "d"}}, gold, options), gold, options).at("corpus").contains("f1"));
}

// The hypothesis finds both places of the first sentence, and corrects one as gold does.
TEST(EditResults, OfErrant) {
    const M2File gold = parse_m2(kGold, "g.m2");
    const M2File hypothesis = parse_m2(
        "S a b c\nA 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||R:DET|||z|||REQUIRED|||-NONE-|||0\n\nS d\n", "h.m2");
    const Json result = errant_result(hypothesis, gold, {}, 2);
    EXPECT_EQ(result.at("corpus").at("tp"), 1);
    EXPECT_EQ(result.at("corpus").at("fp"), 1);
    EXPECT_EQ(result.at("corpus").at("fn"), 2);
    EXPECT_EQ(result.at("corpus").at("precision"), 0.5);
    EXPECT_EQ(result.at("corpus").at("recall"), 0.3333);
    EXPECT_EQ(result.at("detection").at("span").at("tp"), 2);
    EXPECT_EQ(result.at("detection").at("token").at("fn"), 1);
    EXPECT_EQ(result.at("by_type").at("DET").at("fp"), 1);
    EXPECT_EQ(result.at("by_type").at("DET").at("fn"), 1);
    EXPECT_EQ(result.at("items")[0].at("tp"), 1);
    EXPECT_EQ(result.at("items")[1].at("fn"), 1);
}

}  // namespace
}  // namespace craft
