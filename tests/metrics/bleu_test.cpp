#include "metrics/bleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "metrics/bleu_counts.h"
#include "tests/core/temporary_folder.h"
#include "tests/metrics/oracle_checks.h"

namespace craft {
namespace {

using test::corpus_of;
using test::item_score;
using testing::HasSubstr;

MetricOptions with_smoothing(BleuSmoothing smoothing) {
    MetricOptions options;
    options.smoothing = smoothing;
    return options;
}

// "a b c d e" against "a b c x" and "d e f g h i": a, b, c of the first, d, e of the second match; of the pairs ab, bc, de;
// of the triples abc; no four. Lengths 4 and 6 are as close to 5: the shorter one counts.
TEST(Bleu, ByHand) {
    const BleuCounts counts = count_bleu({"a b c d e", "a b c x", "d e f g h i"}, ReferenceLength::closest);
    EXPECT_EQ(counts.as_list(), (std::vector<int64_t>{5, 3, 1, 0, 5, 4, 3, 2, 5, 4}));
    EXPECT_EQ(BleuCounts::from_list(counts.as_list().data()).as_list(), counts.as_list());
    const BleuFigure figure = sacre_bleu(counts, {});  // the first zero is half an n-gram
    EXPECT_NEAR(figure.score, 100 * std::pow(1.0 * 0.75 / 3 * 0.25, 0.25), 1e-9);
    EXPECT_EQ(figure.precisions[3], 25.0);
    EXPECT_NEAR(sacre_bleu(counts, {.smoothing = BleuSmoothing::floor, .value = 0.1}).score,
                100 * std::pow(0.75 / 3 * 0.05, 0.25), 1e-9);
    EXPECT_NEAR(sacre_bleu(counts, {.smoothing = BleuSmoothing::add_k, .value = 1}).score,
                100 * std::pow(4.0 / 5 * 2 / 4 * 1 / 3, 0.25), 1e-9);
    EXPECT_EQ(sacre_bleu(counts, {.smoothing = BleuSmoothing::none}).score, 0.0);
    EXPECT_EQ(nmt_bleu(counts).score, 0.0);
}

TEST(Bleu, LengthsAndOrders) {
    const BleuCounts counts = count_bleu({"a b", "a b c d e", "a b c d"}, ReferenceLength::closest);
    EXPECT_EQ(counts.reference_length, 4);
    const BleuFigure figure = sacre_bleu(counts, {.effective_order = true});
    EXPECT_NEAR(figure.brevity_penalty, std::exp(-1.0), 1e-12);  // exp(1 - 4 / 2)
    EXPECT_NEAR(figure.score, 100 * std::exp(-1.0), 1e-9);       // nothing of n = 3 and 4
    EXPECT_EQ(sacre_bleu(counts, {}).score, 0.0);
    EXPECT_EQ(count_bleu({"a b c", "a", "a b c d"}, ReferenceLength::shortest).reference_length, 1);
}

TEST(Bleu, OfTextsThatAreTheReference) {
    const MetricItem item{
        .id = "x", .source = "s", .prediction = "One, two: three.", .references = {"else", "One, two: three."}};
    EXPECT_EQ(Json(*item_score("bleu", item).value).dump(), "100.0");
    EXPECT_EQ(corpus_of("bleu", {item}).at("bleu").dump(), "100.0");
    EXPECT_EQ(Json(*item_score("bleu", item, test::as_editeval()).value).dump(), "1.0");
    EXPECT_EQ(*item_score("bleu", {.id = "x", .source = "", .prediction = "", .references = {"a b"}}).value, 0.0);
    EXPECT_EQ(
        *item_score("bleu", {.id = "x", .source = "", .prediction = "", .references = {""}}, test::as_editeval()).value,
        0.0);
    const Json none = corpus_of("bleu", {{"x", "", "", {""}}});
    EXPECT_EQ(none.at("bleu"), 0.0);
    EXPECT_EQ(none.at("bp"), 1.0);
}

TEST(Bleu, ItemsMayHaveDifferentNumbersOfReferences) {
    std::vector<MetricItem> items = {{"a", "", "the cat sat on the mat", {"the cat sat on a mat"}},
                                     {"b", "", "dogs bark at night", {"a dog barks", "dogs bark at night", "dogs"}}};
    const Json expected = corpus_of("bleu", items);
    EXPECT_EQ(expected.at("counts"),
              Json::parse("[9,6,4,2]"));  // the cat sat on .. mat: 5, 3, 2, 1; dogs bark ...: 4, 3, 2, 1
    EXPECT_EQ(expected.at("totals"), Json::parse("[10,8,6,4]"));
    std::reverse(items.begin(), items.end());
    std::reverse(items[0].references.begin(), items[0].references.end());
    EXPECT_EQ(corpus_of("bleu", items), expected);
}

TEST(Bleu, OptionsThatContradictEachOther) {
    MetricOptions options = test::as_editeval();
    options.smoothing = BleuSmoothing::exp;
    EXPECT_THAT(message_of([&] { make_metric("bleu", options); }), HasSubstr("variant editeval"));
    MetricOptions value = with_smoothing(BleuSmoothing::exp);
    value.smoothing_value = 0.5;
    EXPECT_THAT(message_of([&] { make_metric("bleu", value); }), HasSubstr("smoothing floor or add-k"));
    value.smoothing = BleuSmoothing::floor;
    EXPECT_THAT(make_metric("bleu", value)->signature(), HasSubstr("smoothing:floor[0.5]"));
    MetricOptions sari;
    sari.variant = MetricVariant::micro;
    EXPECT_THAT(message_of([&] { make_metric("bleu", sari); }),
                HasSubstr("one of sacrebleu, editeval with bleu, got micro"));
}

// 0.9 of the reference's BLEU, 1, less 0.1 of the source's: "a b c d e" has 4, 3, 2, 1 n-grams of its own.
TEST(Ibleu, ByHand) {
    const MetricItem item{.id = "x", .source = "a b c d", .prediction = "a b c d e", .references = {"a b c d e"}};
    const double source = std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25);
    EXPECT_NEAR(*item_score("ibleu", item).value, 0.9 - 0.1 * source, 1e-12);
    EXPECT_NEAR(corpus_of("ibleu", {item, item}).at("ibleu").get<double>(), 0.9 - 0.1 * source, 1e-12);
}

TEST(Bleu, SentencesOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/bleu.jsonl");
    for (const Json& oracle : test::oracle_cases(file, "bleu_sentence")) {
        const std::vector<MetricItem> items = test::oracle_items(oracle.at("inputs"));
        const Json& expected = oracle.at("expected");
        test::expect_bleu_figures(oracle, corpus_of("bleu", items), expected.at("sacrebleu_corpus_of_one"));
        const auto value = [&](BleuSmoothing smoothing) {
            return *item_score("bleu", items[0], with_smoothing(smoothing)).value;
        };
        test::expect_bleu(oracle, "exp", value(BleuSmoothing::exp), expected.at("sentence_exp_effective"));
        test::expect_bleu(oracle, "floor", value(BleuSmoothing::floor), expected.at("sentence_floor_0.1_effective"));
        test::expect_bleu(oracle, "add-k", value(BleuSmoothing::add_k), expected.at("sentence_add-k_1_effective"));
        const Json unsmoothed = corpus_of("bleu", items, with_smoothing(BleuSmoothing::none));  // all n, however short
        test::expect_bleu(oracle, "none", unsmoothed.at("bleu").get<double>(), expected.at("sentence_none"));
    }
}

TEST(EditevalBleu, SentencesOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/editeval.jsonl");
    for (const Json& oracle : test::oracle_cases(file, "editeval_sentence"))
        test::expect_editeval_bleu(oracle, test::oracle_items(oracle.at("inputs")));
}

TEST(EditevalBleu, ItsOwnUnitTests) {
    CRAFT_REFERENCE_FILE(file, "oracles/editeval.jsonl");
    int compared = 0;
    for (const Json& oracle : test::oracle_cases(file, "editeval_unit_test")) {
        const Json& inputs = oracle.at("inputs");
        const auto name = inputs.at("editeval_metric").get<std::string>();
        if (name != "sari" && name != "bleu" && name != "ibleu") continue;
        std::vector<MetricItem> items;
        for (size_t i = 0; i < inputs.at("inputs").size(); ++i)
            items.push_back({"x", inputs.at("inputs")[i], inputs.at("predictions")[i], inputs.at("targets")[i]});
        const Json figures = corpus_of(name, items, name == "bleu" ? test::as_editeval() : MetricOptions());
        test::expect_bleu(oracle, name, figures.at(name).get<double>(), oracle.at("expected").at("value"));
        ++compared;
    }
    EXPECT_EQ(compared, 3);
}

}  // namespace
}  // namespace craft
