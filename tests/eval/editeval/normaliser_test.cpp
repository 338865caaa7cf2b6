#include "eval/editeval/normaliser.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/source.h"

namespace craft {
namespace {

const EditDataset& of_rule(EditTextRule rule) {
    for (const EditDataset& dataset : edit_datasets())
        if (dataset.rule == rule) return dataset;
    throw Error("no data set of this rule");
}

EditItem tokens() {
    return {.id = "x", .input = "Do n't stop .", .references = {"Do not stop ."}};
}

TEST(EditNormaliser, DetokenisesWhereTextsAreTokens) {
    const EditNormaliser normaliser;
    const EditDataset& jfleg = of_rule(EditTextRule::detokenised);
    const EditItem item = normaliser.prepared(jfleg, tokens());
    EXPECT_EQ(item.input, "Don't stop.");
    EXPECT_EQ(item.references[0], "Do not stop.");
    EXPECT_EQ(normaliser.source(jfleg, item), "Don't stop.");
    EXPECT_EQ(normaliser.prediction(jfleg, item, "Never stop ."), "Never stop.");
    const EditDataset& plain = of_rule(EditTextRule::as_given);
    EXPECT_EQ(normaliser.prepared(plain, tokens()).input, "Do n't stop .");
    EXPECT_EQ(normaliser.prediction(plain, tokens(), "Never stop ."), "Never stop .");
}

TEST(EditNormaliser, NoneLeavesTextsAsTheyAre) {
    const EditNormaliser none(EditNormaliser::Kind::none);
    EXPECT_EQ(none.prepared(of_rule(EditTextRule::detokenised), tokens()).input, "Do n't stop .");
    EXPECT_EQ(none.prediction(of_rule(EditTextRule::fruit), tokens(), "''A'' (0)"), "''A'' (0)");
}

TEST(EditNormaliser, FruitLosesMarksAndMarkup) {
    const EditNormaliser normaliser;
    const EditDataset& fruit = of_rule(EditTextRule::fruit);
    EditItem item = {.id = "x", .input = "''A'' (0) b.", .references = {"A."}};
    item.documents = {{"", "One."}};
    EXPECT_EQ(normaliser.source(fruit, item), "A (0) b.") << "marks of documents are a source's own";
    EXPECT_EQ(normaliser.reference(fruit, item, "A. (0) ''B''. (1)"), "A. B. (1)");
    EXPECT_EQ(normaliser.prediction(fruit, item, " [[C|D]] (0) "), "D");
    EXPECT_EQ(normaliser.reference(of_rule(EditTextRule::wafer), item, "A (0)\n ''B''\n"), "A (0) ''B''")
        << "neither marks nor markup";
    EXPECT_EQ(normaliser.prediction(of_rule(EditTextRule::wafer), item, "A (0) ''B''"),
              normaliser.reference(of_rule(EditTextRule::wafer), item, "A (0)\n ''B''\n"))
        << "answers have no line break at their end";
}

// Any sentencepiece model serves: what is tested is the way there and back, the clean-up after it and the strip.
TEST(EditNormaliser, ThroughASentencepieceFile) {
    const std::string file = test_source() + "/tests/model/tokenizer/stored/folders/pieces-0/tokenizer.model";
    const EditNormaliser normaliser(EditNormaliser::Kind::t5, file);
    const EditItem item = {.id = "x", .input = "a", .references = {"a"}};
    const std::string text = normaliser.reference(of_rule(EditTextRule::wafer), item, "the end .");
    EXPECT_EQ(text, "the end.");
    EXPECT_THROW(EditNormaliser(EditNormaliser::Kind::t5, "/nowhere/spiece.model"), Error);
}

// transformers decodes with skip_special_tokens, so that neither what the model does not know nor a special token that a
// text spells comes back. This model has no bytes to fall back on, and each part of
// a text begins with a blank.
TEST(EditNormaliser, UnknownCharactersAndSpecialTokensGo) {
    const std::string file = test_source() + "/tests/model/tokenizer/stored/folders/pieces-2/tokenizer.model";
    const EditNormaliser normaliser(EditNormaliser::Kind::t5, file);
    const auto there = [&](const std::string& given) {
        const EditItem item = {.id = "x", .input = given, .references = {given}};
        const EditDataset& wafer = of_rule(EditTextRule::wafer);
        EXPECT_EQ(normaliser.source(wafer, item), normaliser.prediction(wafer, item, given));
        return normaliser.reference(wafer, item, given);
    };
    EXPECT_EQ(there("they \xf0\x9f\x98\x80 world"), "they  world");
    EXPECT_EQ(there("\xe6\x97\xa5\xe6\x9c\xac they"), "they");
    EXPECT_EQ(there("they</s>world"), "they world");
    EXPECT_EQ(there("they<unk>world"), "they world");
    EXPECT_EQ(there("<s> they world </s>"), "they world");
    EXPECT_EQ(there("\xf0\x9f\x98\x80"), "");
    EXPECT_EQ(there(""), "");
}

}  // namespace
}  // namespace craft
