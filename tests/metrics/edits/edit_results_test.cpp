#include "metrics/edits/edit_results.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

const std::string kGold =
    "S a b c\nA 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||U:DET||||||REQUIRED|||-NONE-|||0\n\n"
    "S d\nA 4 5|||R:X|||y|||REQUIRED|||-NONE-|||0\n";

// One of two gold edits is met, and nothing else was proposed; the edit of the second sentence lies after it.
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
    EXPECT_EQ(result.at("detection").at("span").at("correct"), 1);
    EXPECT_EQ(result.at("empty_predictions"), 0);
    EXPECT_EQ(result.at("signature"), "m2|nusnlp/m2scorer cb874a7|words:2|form:kept|beta:0.5");
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

// Both edits of the first sentence are where gold ones are, and one makes another word of it.
TEST(EditResults, M2DetectsBySpans) {
    const M2File gold = parse_m2(
        "S a b c\nA 0 1|||R:X|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||R:X|||q|||REQUIRED|||-NONE-|||0\n\nS d\n", "g.m2");
    const Json result = to_json(score_m2({"h", {"x b z", ""}}, gold, {}), gold, {});
    EXPECT_EQ(result.at("corpus").at("correct"), 1);
    const Json& span = result.at("detection").at("span");
    EXPECT_EQ(span.at("correct"), 2);
    EXPECT_EQ(span.at("proposed"), 3);  // the second sentence was deleted
    EXPECT_EQ(span.at("gold"), 2);
    EXPECT_DOUBLE_EQ(span.at("precision"), 2.0 / 3);
    EXPECT_DOUBLE_EQ(span.at("f0.5"), 1.25 * 2 / 3 / (0.25 * 2 / 3 + 1));
    EXPECT_EQ(result.at("empty_predictions"), 1);
}

TEST(EditResults, SignaturesNameWhatFiguresDependOn) {
    const M2File gold = parse_m2(kGold, "g.m2");
    ErrantOptions options;
    EXPECT_EQ(errant_result(gold, gold, options, 3).at("signature"),
              "errant_compare 3.0.2|match:correction|length:any|filter:none|beta:0.5");
    options.filtered_types = {"R:NOUN", "M:DET", "R:NOUN"};
    options.beta = 1;
    const M2File letters = parse_m2("S a\nA 0 1|||R:OTHER|||b|||REQUIRED|||-NONE-|||0\n\nS b\n", "h.m2");
    EXPECT_EQ(errant_result(letters, gold, options, 3).at("signature"),
              "errant_compare 3.0.2|match:correction|length:any|filter:M:DET,R:NOUN|beta:1|types:OTHER-only");
}

}  // namespace
}  // namespace craft
