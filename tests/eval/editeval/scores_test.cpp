#include "eval/editeval/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;

const EditDataset& wnc() {
    for (const EditDataset& dataset : edit_datasets())
        if (dataset.name == "wnc") return dataset;
    throw Error("no wnc");
}

std::vector<EditItem> four_items() {
    std::vector<EditItem> items;
    for (int i = 0; i < 4; ++i)
        items.push_back({.id = "wnc-test-" + std::to_string(i),
                         .input = "The fine town " + std::to_string(i) + " is old.",
                         .references = {"The town " + std::to_string(i) + " is old."}});
    return items;
}

// Prompt "a": all right, "b": one right of three that are there, "c": none there.
EditPredictions some_predictions() {
    EditPredictions predictions;
    const std::vector<EditItem> items = four_items();
    for (size_t i = 0; i < items.size(); ++i) {
        predictions.add(items[i].id, "a", items[i].references[0]);
        if (i < 3) predictions.add(items[i].id, "b", i == 0 ? items[i].references[0] : items[i].input);
    }
    predictions.add(items[3].id, "b", std::nullopt);
    return predictions;
}

DatasetScores scored(int64_t threads, const std::vector<std::string>& metrics = {}) {
    return score_dataset(wnc(), four_items(), {"a", "b", "c"}, some_predictions(), EditNormaliser(),
                         {.metrics = metrics, .threads = threads});
}

TEST(EditScores, OverPrompts) {
    const Json object = to_json(scored(1, {"exact_match", "sari"}));
    EXPECT_EQ(object["count"], 4);
    EXPECT_EQ(object["prompts"][0]["metrics"]["exact_match"], 1);
    EXPECT_EQ(object["prompts"][1]["missing"], 1);
    EXPECT_DOUBLE_EQ(object["prompts"][1]["metrics"]["exact_match"], 1 / 3.);
    EXPECT_TRUE(object["prompts"][2]["metrics"]["exact_match"].is_null());
    // Of 1 and 1/3: the mean 2/3, deviations of 1/3: 50 %.
    EXPECT_DOUBLE_EQ(object["mean"]["exact_match"], 2 / 3.);
    EXPECT_EQ(object["max"]["exact_match"], 1);
    EXPECT_DOUBLE_EQ(object["min"]["exact_match"], 1 / 3.);
    EXPECT_NEAR(object["cv"]["exact_match"], 50, 1e-9);
    // The references themselves: all is kept and deleted as it should be, but no single word is new, for which SARI gives 0,
    // so that adding has 3/4: (3/4 + 1 + 1) / 3.
    EXPECT_NEAR(object["max"]["sari"], 100 * 2.75 / 3, 1e-9);
}

TEST(EditScores, TheCopyBaseline) {
    const DatasetScores scores = scored(1, {"exact_match"});
    EXPECT_THAT(scores.copy, ElementsAre(std::pair<std::string, std::optional<double>>("exact_match", 0)));
}

// The second text's gold edit is the text itself, so that its copy is right. Prompt "a" has both, "b" the second one alone.
TEST(EditScores, TheCopyBaselineIsOfTheItemsThatWereMeasured) {
    std::vector<EditItem> items = four_items();
    items.resize(2);
    items[1].references = {items[1].input};
    EditPredictions predictions;
    predictions.add(items[0].id, "a", "x");
    predictions.add(items[1].id, "a", "x");
    predictions.add(items[1].id, "b", "x");
    const DatasetScores scores =
        score_dataset(wnc(), items, {"a", "b"}, predictions, EditNormaliser(), {.metrics = {"exact_match"}});
    const Json object = to_json(scores);
    EXPECT_EQ(object["missing"], 1);
    EXPECT_EQ(object["prompts"][1]["copy"]["exact_match"], 1);
    EXPECT_FALSE(object["prompts"][0].contains("copy"));
    EXPECT_EQ(scores.copy[0].second, .5);
    // 1/2 of "a" and 1 of "b".
    EXPECT_THAT(score_table({scores}), testing::HasSubstr("exact_match 0.0 (0.0, 0.0) copy 75.0  missing 1 of 4\n"));
}

TEST(EditScores, WhatNobodyAnsweredIsMissingAndWhatIsEmptyCounted) {
    const DatasetScores none =
        score_dataset(wnc(), four_items(), {}, EditPredictions(), EditNormaliser(), {.metrics = {"exact_match"}});
    EXPECT_EQ(to_json(none)["missing"], 4);
    EXPECT_THAT(score_table({none}), testing::HasSubstr("missing 4 of 4\n"));
    EditPredictions predictions;
    for (const EditItem& item : four_items()) predictions.add(item.id, "a", item.id == four_items()[0].id ? "x" : " \n");
    const Json object =
        to_json(score_dataset(wnc(), four_items(), {"a"}, predictions, EditNormaliser(), {.metrics = {"exact_match"}}));
    EXPECT_EQ(object["missing"], 0);
    EXPECT_EQ(object["empty_predictions"], 3);
    EXPECT_EQ(object["prompts"][0]["empty_predictions"], 3);
}

TEST(EditScores, EveryMetricAndAnyNumberOfThreads) {
    const Json one = to_json(scored(1)), many = to_json(scored(7));
    EXPECT_EQ(one, many);
    EXPECT_EQ(one["mean"].size(), 13u) << one["mean"];
    for (const auto& [name, value] : one["mean"].items()) EXPECT_TRUE(value.is_number()) << name;
}

TEST(EditScores, TheOrderOfItemsChangesNoDigit) {
    std::vector<EditItem> items = four_items();
    std::reverse(items.begin(), items.end());
    const DatasetScores turned = score_dataset(wnc(), items, {"a", "b", "c"}, some_predictions(), EditNormaliser(),
                                               {.metrics = {"sari", "exact_match", "rouge"}});
    EXPECT_EQ(to_json(turned), to_json(scored(1, {"sari", "exact_match", "rouge"})));
}

TEST(EditScores, Overall) {
    DatasetScores first = scored(1, {"exact_match"}), second = first;
    second.prompts.erase(second.prompts.begin());  // "b" and "c" alone
    const Json overall = overall_of({first, second});
    EXPECT_EQ(overall["datasets"], 2);
    EXPECT_DOUBLE_EQ(overall["mean"]["exact_match"], (2 / 3. + 1 / 3.) / 2);
    EXPECT_DOUBLE_EQ(overall["max"]["exact_match"], (1 + 1 / 3.) / 2);
    EXPECT_NEAR(overall["cv"]["exact_match"], 25, 1e-9) << "50 % and 0 %";
    EXPECT_EQ(overall_of({})["datasets"], 0);
}

TEST(EditScores, TablesForPeople) {
    const std::string table = score_table({scored(1)});
    EXPECT_THAT(table, testing::HasSubstr("wnc"));
    EXPECT_THAT(table, testing::HasSubstr("exact_match 66.7 (100.0, 33.3) copy 0.0  missing 5 of 12\n"));
    EXPECT_THAT(table, testing::HasSubstr("mean of 1: SARI "));
}

TEST(EditPredictions, OfAFile) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl",
                                         "{\"id\":\"a\",\"prompt\":\"x\",\"prediction\":\"1\",\"more\":1}\n\n"
                                         "{\"id\":\"a\",\"prompt\":0,\"prediction\":\"\"}\r\n"
                                         "{\"id\":\"b\",\"prompt\":\"q\",\"prediction\":null}");
    const EditPredictions all = EditPredictions::read(file, {.known = {"a", "b"}}, {});
    EXPECT_EQ(all.size(), 3);
    EXPECT_EQ(all.without(), 1);
    EXPECT_EQ(*all.find("a", "x"), "1");
    EXPECT_EQ(*all.find("a", "0"), "");
    EXPECT_EQ(all.find("b", "q"), nullptr);
    EXPECT_TRUE(all.has_row("b", "q"));
    EXPECT_THAT(all.prompts_of({"a", "b"}, {"x", "other"}), ElementsAre("x", "0", "q"));
    EXPECT_THAT(all.prompts_of({"b"}, {"x"}), ElementsAre("q"));
    EXPECT_EQ(all.place_of({"b", "a"}, "0"), file + ":3");
    EXPECT_EQ(all.place_of({"b"}, "0"), "");
    EXPECT_EQ(message_of([&] { EditPredictions::read(file, {.known = {"a"}}, {}); }),
              file + ":4: field 'id': expected an id of the available data sets, got 'b'");
}

TEST(EditPredictions, OfWhatIsNotThere) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl",
                                         "{\"id\":\"a\",\"prompt\":\"x\",\"prediction\":\"1\"}\n"
                                         "{\"id\":\"wnc-test-1\",\"prompt\":\"x\",\"prediction\":\"1\"}\n"
                                         "{\"id\":\"wnc-test-1\",\"prompt\":\"y\",\"prediction\":\"1\"}\n"
                                         "{\"id\":\"b\",\"prompt\":\"x\",\"prediction\":\"1\"}\n");
    const EditIds ids = {.known = {"a"}, .dropped = {"b"}, .absent = {"wnc-test-"}};
    const EditPredictions all = EditPredictions::read(file, ids, {});
    EXPECT_EQ(all.size(), 1);
    EXPECT_THAT(all.left_out(),
                ElementsAre(testing::Pair("of missing data sets and splits", 2), testing::Pair("of skipped rows", 1)));
    EXPECT_EQ(message_of([&] {
                  EditPredictions::read(file, {.known = {"c"}, .dropped = {"a", "b"}, .absent = {"wnc-"}}, {});
              }),
              file +
                  ": expected predictions of the available data sets, got none (dropped: 2 \"of missing data sets and "
                  "splits\", 2 \"of skipped rows\")");
}

TEST(EditPredictions, WithoutAnyPrediction) {
    const TemporaryFolder folder;
    const std::string file = folder.file("p.jsonl",
                                         "{\"id\":\"a\",\"prompt\":\"x\",\"output\":\"1\"}\n"
                                         "{\"id\":\"a\",\"prompt\":\"y\",\"prediction\":null}\n");
    EXPECT_EQ(message_of([&] { EditPredictions::read(file, {.known = {"a"}}, {}); }),
              file + ": field 'prediction': expected a text in one row at least, got none in 2 rows");
}

TEST(EditItems, AreDrawnBySeedInTheirOrder) {
    std::vector<EditItem> first = four_items(), second = four_items();
    Rng one(3, "items"), same(3, "items");
    draw_items(first, 2, one);
    draw_items(second, 2, same);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_LT(first[0].id, first[1].id);
    EXPECT_EQ(first[0].id, second[0].id);
    EXPECT_EQ(first[1].id, second[1].id);
    std::vector<EditItem> all = four_items();
    draw_items(all, 9, one);
    EXPECT_EQ(all.size(), 4u);
}

}  // namespace
}  // namespace craft
