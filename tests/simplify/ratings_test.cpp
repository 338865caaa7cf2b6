#include "simplify/ratings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "text/csv.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Lines = std::vector<size_t>;

std::vector<RevisedText> texts_of(const std::string& before, int count, int without = -1) {
    std::vector<RevisedText> all;
    for (int i = 0; i < count; ++i)
        if (i != without)
            all.push_back({"id" + std::to_string(i), before + " " + std::to_string(i), "f:" + std::to_string(i)});
    return all;
}

RatingSheet drawn(int64_t sample = 4, uint64_t seed = 1) {
    std::vector<RevisedText> odd = texts_of("odd", 8, 3);  // nothing of sentence 3
    odd[0].text = "=HYPERLINK(\"x\")";
    odd[1].text = " ";
    return make_rating_sheet(texts_of("-source, \"quoted\"", 8), {{"base", texts_of("text of base\n", 8)}, {"odd", odd}},
                             {.policy = "lexical", .sample = sample, .seed = seed});
}

TEST(RatingSheets, DrawSentencesAndTheirOrderBySeed) {
    const RatingSheet sheet = drawn();
    ASSERT_EQ(sheet.items.size(), 8u);  // four sentences of two systems
    std::map<std::string, int> times;
    for (size_t i = 0; i < sheet.items.size(); ++i) {
        EXPECT_EQ(sheet.items[i].item, static_cast<int64_t>(i + 1));
        ++times[sheet.items[i].id];
    }
    EXPECT_EQ(times.size(), 4u);
    EXPECT_FALSE(times.contains("id1") || times.contains("id3"));
    EXPECT_EQ(sheet.sentences, 8);
    EXPECT_EQ(sheet.dropped, (std::map<std::string, int64_t>{{"empty output of odd", 1}, {"no output of odd", 1}}));
    EXPECT_EQ(sheet.left, 2);
    EXPECT_EQ(drawn().items, sheet.items);
    EXPECT_NE(drawn(4, 2).items, sheet.items);
    std::set<std::string> firsts;  // no system stands first by its name
    for (uint64_t seed = 1; seed <= 20; ++seed) firsts.insert(drawn(4, seed).items[0].system);
    EXPECT_EQ(firsts.size(), 2u);
    EXPECT_EQ(drawn(0).items.size(), 12u);
}

TEST(RatingSheets, NothingInTheSheetTellsTheSystem) {
    RatingSheet sheet = drawn();
    const std::string csv = rating_sheet_csv(sheet);
    for (RatingItem& one : sheet.items) one.system = one.system == "base" ? "odd" : "base";
    EXPECT_EQ(rating_sheet_csv(sheet), csv);
    for (RatingItem& one : sheet.items) one.id = "x";
    EXPECT_EQ(rating_sheet_csv(sheet), csv);
}

TEST(RatingSheets, AreReadBackAsTheyWere) {
    const RatingSheet sheet = drawn(0);
    const std::vector<CsvRow> rows = parse_csv(rating_sheet_csv(sheet), "s.csv");
    ASSERT_EQ(rows.size(), 13u);
    EXPECT_THAT(rows[0].fields, ElementsAre("item", "source", "simplification", "rating"));
    for (size_t i = 0; i < sheet.items.size(); ++i) {
        EXPECT_EQ(with_formula(rows[i + 1].fields[1]), sheet.items[i].source);
        EXPECT_EQ(rows[i + 1].fields[1][0], '\'');
        EXPECT_EQ(with_formula(rows[i + 1].fields[2]), sheet.items[i].text);
        EXPECT_EQ(rows[i + 1].fields[3], "");
    }
    const RatingKey key = rating_key_from_json(rating_key(sheet), "key");
    EXPECT_EQ(key.policy, "lexical");
    EXPECT_THAT(key.systems, ElementsAre("base", "odd"));
    ASSERT_EQ(key.items.size(), 12u);
    EXPECT_EQ(key.items[4].hash, sheet.items[4].hash);
}

TEST(RatingSheets, WhatCannotBeDrawnIsRefused) {
    const auto failure = [](const std::vector<SystemOutputs>& systems, int64_t sample) -> std::string {
        try {
            make_rating_sheet(texts_of("s", 3), systems, {.policy = "lexical", .sample = sample});
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    };
    const SystemOutputs a{"a", texts_of("a", 3)}, b{"b", texts_of("b", 3, 1)}, more{"b", texts_of("b", 4)};
    EXPECT_THAT(failure({a}, 1), HasSubstr("expected two or more, got 1"));
    EXPECT_THAT(failure({a, a}, 1), HasSubstr("a again"));
    EXPECT_THAT(failure({a, more}, 1), HasSubstr("f:3: expected the id of a source, got 'id3'"));
    EXPECT_THAT(failure({a, b}, 3), HasSubstr("expected at least 3, got 2 (dropped: 1 \"no output of b\")"));
    EXPECT_EQ(failure({a, b}, 2), "none");
    EXPECT_THROW(rating_key_from_json(Json::parse(R"({"kind":"x"})"), "key"), Error);
    Json key = rating_key(drawn());
    key["items"].erase(2);
    EXPECT_THROW(rating_key_from_json(key, "key"), Error);  // item 4 stands third
}

// Sentences 0 and 1 by systems a and b: items 1 to 4.
RatingKey small_key() {
    RatingKey key{"lexical", {"a", "b"}, {}};
    const std::vector<std::pair<std::string, std::string>> items = {{"0", "a"}, {"0", "b"}, {"1", "b"}, {"1", "a"}};
    for (const auto& [id, system] : items) {
        const auto number = static_cast<int64_t>(key.items.size() + 1);
        key.items.push_back({number, id, system, "", "", rating_hash("s" + id, "t" + std::to_string(number))});
    }
    return key;
}

std::string filled(const std::vector<std::string>& marks) {
    std::string csv = "item,source,simplification,rating\r\n";
    const char* sources[] = {"s0", "s0", "s1", "s1"};
    for (size_t i = 0; i < 4; ++i)
        csv += csv_row({std::to_string(i + 1), sources[i], "t" + std::to_string(i + 1), marks[i]});
    return csv;
}

TEST(RaterSheets, EveryRowWithoutAMarkIsNamed) {
    const RatingKey key = small_key();
    const RaterSheet good = read_rater_sheet(filled({"5", " 3 ", "1", "4"}), "r.csv", key);
    EXPECT_EQ(good.marks, (std::map<int64_t, int64_t>{{1, 5}, {2, 3}, {3, 1}, {4, 4}}));
    EXPECT_TRUE(good.unusable.empty());
    const RaterSheet bad = read_rater_sheet(filled({"", "4.5", "6", "vier"}), "r.csv", key);
    EXPECT_TRUE(bad.marks.empty());
    EXPECT_EQ(bad.unusable,
              (std::map<std::string, Lines>{{"missing", {2}}, {"no whole number", {3, 5}}, {"out of range", {4}}}));
    for (const std::string mark : {"0", "-1", "99999999999999999999", "3-4", "４", "5,", "1e0"})
        EXPECT_TRUE(read_rater_sheet(filled({mark, mark, mark, mark}), "r.csv", key).marks.empty()) << mark;
    // Sorted by the rater, with a column of theirs, semicolons, and a text that was changed; item 3 occurs twice, 4 nowhere.
    const RaterSheet odd = read_rater_sheet(
        "Note;Rating;Item;Simplification;Source\n;5;2;t2;s0\nx;4;1;t1 s;s0\n;1;3;t3;s1\n"
        ";2;3;t3;s1\n;2;9;t9;s1\n;2;3\n",
        "r.csv", key);
    EXPECT_EQ(odd.marks, (std::map<int64_t, int64_t>{{2, 5}}));
    EXPECT_EQ(odd.unusable, (std::map<std::string, Lines>{
                                {"another text", {3}}, {"item twice", {4, 5}}, {"no item", {6}}, {"other fields", {7}}}));
    EXPECT_THAT(odd.absent, ElementsAre(4));
    EXPECT_THROW(read_rater_sheet("item,source,simplification\n1,a,b\n", "r.csv", key), Error);
    EXPECT_THROW(read_rater_sheet("item,source,simplification,rating,rating\n", "r.csv", key), Error);
    EXPECT_THROW(read_rater_sheet("", "r.csv", key), Error);
}

TEST(RaterSheets, ATextMayHaveOtherBlanksAndNoOtherWords) {
    RatingKey key = small_key();
    key.items[0].hash = rating_hash("s0", "= two\nlines");
    std::string csv = filled({"5", "", "", ""});
    csv.replace(csv.find("t1"), 2, "\"'= two\r\n lines\"");
    EXPECT_EQ(read_rater_sheet(csv, "r.csv", key).marks.at(1), 5);
    EXPECT_NE(rating_hash("a b", "c"), rating_hash("a", "b c"));
}

// a: marks 5 and 4 (rater 1), 5 (rater 2, sentence 0): items 5 and 4, mean 4.5. b: 3 and 1, and 2 for sentence 0: items 2.5
// and 1, mean 1.75. Difference by sentences (2.5 + 3) / 2 = 2.75.
TEST(RatingFigures, MeansSharesAgreementAndComparisons) {
    const RatingKey key = small_key();
    const std::vector<RaterSheet> raters = {read_rater_sheet(filled({"5", "3", "1", "4"}), "one.csv", key),
                                            read_rater_sheet(filled({"5", "2", "", "?"}), "two.csv", key)};
    const Json told = rating_figures(raters, key, {});
    EXPECT_EQ(told["systems"]["a"], Json::parse(R"({"items":2,"marks":3,"mean":4.5,
        "distribution":{"1":0,"2":0,"3":0,"4":1,"5":2},"high":0.5,"moderate":0.5,"low":0.0})"));
    EXPECT_EQ(told["systems"]["b"], Json::parse(R"({"items":2,"marks":3,"mean":1.75,
        "distribution":{"1":1,"2":1,"3":1,"4":0,"5":0},"high":0.0,"moderate":0.0,"low":1.0})"));
    EXPECT_EQ(told["raters"][1], Json::parse(R"({"sheet":"two.csv","marks":2,
        "unusable":{"missing":{"count":1,"lines":[4]},"no whole number":{"count":1,"lines":[5]}},"absent":[]})"));
    // Items 1 and 2 have two marks: 5 and 5, 3 and 2. Kappa: observed 1/2; expected (0 + 9 + 4 + 1) / 4: 1 - 1/7.
    EXPECT_EQ(told["agreement"]["items"], 2);
    EXPECT_NEAR(told["agreement"]["raters"][0]["kappa_quadratic"].get<double>(), 6. / 7, 1e-12);
    EXPECT_EQ(told["agreement"]["raters"][0]["same"], 0.5);
    // Alpha: counts 2, 3 once, 5 twice; d(2,3) = (2 - 1)² = 1, d(2,5) = (4 - 1.5)² = 25/4, d(3,5) = (3 - 1.5)² = 9/4.
    // Observed 2 * 1 / 4 = 1/2, expected 2 * (1 + 2 * 25/4 + 2 * 9/4) / 12 = 3: 1 - 1/6.
    EXPECT_NEAR(told["agreement"]["alpha_ordinal"].get<double>(), 5. / 6, 1e-12);
    ASSERT_EQ(told["comparisons"].size(), 1u);
    const Json one = told["comparisons"][0];
    EXPECT_EQ(one["difference"], 2.75);
    EXPECT_EQ(one["n"], 2);
    EXPECT_EQ(one["wins"], 2);
    EXPECT_EQ(one["p"], one["p_holm"]);
    EXPECT_GE(one["interval"][0].get<double>(), 2.5);
    EXPECT_LE(one["interval"][1].get<double>(), 3);
    EXPECT_THAT(rating_table(told), HasSubstr("a - b: +2.75 ("));
    EXPECT_THAT(rating_table(told), HasSubstr("agreement on 2 items: alpha 0.83"));
}

TEST(RatingFigures, WhatNobodyRatedIsNull) {
    const RatingKey key = small_key();
    const Json told = rating_figures({read_rater_sheet(filled({"5", "", "", "3"}), "one.csv", key)}, key, {});
    EXPECT_EQ(told["systems"]["b"]["mean"], nullptr);
    EXPECT_EQ(told["systems"]["b"]["low"], nullptr);
    EXPECT_EQ(told["comparisons"][0]["p"], nullptr);
    EXPECT_FALSE(told.contains("agreement"));
    EXPECT_THAT(rating_table(told), HasSubstr("a - b: -, p - by Holm, 0 sentences"));
    EXPECT_THROW(rating_figures({read_rater_sheet(filled({"", "", "x", ""}), "one.csv", key)}, key, {}), Error);
}

}  // namespace
}  // namespace craft
