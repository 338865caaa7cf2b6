#include "metrics/fkgl.h"

#include <gtest/gtest.h>

#include "tests/metrics/oracles.h"

namespace craft {
namespace {

using test::corpus_of;
using test::item_score;

MetricItem predicted(const std::string& text) {
    return {.id = "x", .source = "", .prediction = text, .references = {}};
}

// "we are happy today ." five words, "yes ." two; syllables 1 ("ar"), 1, 2, 2, 0 and 1, 0: 7 in 7 words and 2 sentences.
TEST(Fkgl, ByHand) {
    const double grade = 0.39 * 7 / 2 + 11.8 * 6 / 7 - 15.59;  // "we" has none without its e
    ASSERT_LT(grade, 0);
    const Json figures = corpus_of("fkgl", {predicted("We are happy today."), predicted("Yes.")});
    EXPECT_EQ(figures.at("words"), 7);
    EXPECT_EQ(figures.at("sentences"), 2);
    EXPECT_EQ(figures.at("syllables"), 6);
    EXPECT_EQ(figures.at("fkgl"), 0.0);
    // international cooperation: 5 groups (i, e, a, io, a), + io, - ion; oo, e, a, io, + io, - ion
    const ItemScore score = item_score("fkgl", predicted("International cooperation"));
    EXPECT_EQ(score.parts.at("syllables"), 9);
    EXPECT_NEAR(*score.value, 0.39 * 2 + 11.8 * 9 / 2 - 15.59, 1e-9);
}

TEST(Fkgl, WhatASentenceIs) {
    const auto sentences = [](const std::string& text, SentenceUnit unit) {
        MetricOptions options;
        options.sentences = unit;
        return item_score("fkgl", predicted(text), options).parts.at("sentences").get<int64_t>();
    };
    EXPECT_EQ(sentences("One. Two!\r\n\r\nThree?", SentenceUnit::line), 2);
    EXPECT_EQ(sentences("One. Two!\r\n\r\nThree?", SentenceUnit::icu), 3);
    EXPECT_EQ(sentences("", SentenceUnit::line), 1);
    EXPECT_EQ(sentences("", SentenceUnit::icu), 0);
    EXPECT_EQ(*item_score("fkgl", predicted("")).value, 0.0);
}

void expect_fkgl(const Json& oracle, const std::vector<MetricItem>& items) {
    const Json& expected = oracle.at("expected").at("one_sentence_per_line");
    const Json figures = corpus_of("fkgl", items);
    EXPECT_NEAR(figures.at("fkgl").get<double>(), expected.at("fkgl").get<double>(), oracle.at("tolerance").get<double>())
        << oracle.at("id");
    for (const char* key : {"words", "sentences", "syllables"})
        EXPECT_EQ(figures.at(key), expected.at(key)) << oracle.at("id");
}

TEST(Fkgl, OfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/readability.jsonl");
    for (const char* metric : {"fkgl_corpus", "fkgl_text"}) {
        for (const Json& oracle : test::oracle_cases(file, metric)) {
            const Json& text = oracle.at("inputs").at("text");
            std::vector<MetricItem> items;
            if (text.is_string())
                items.push_back(predicted(text.get<std::string>()));
            else
                for (const std::string& line : test::oracle_lines(text)) items.push_back(predicted(line));
            expect_fkgl(oracle, items);
        }
    }
}

}  // namespace
}  // namespace craft
