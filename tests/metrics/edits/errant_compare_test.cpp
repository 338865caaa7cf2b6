#include "metrics/edits/errant_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/core/temporary_folder.h"
#include "tests/metrics/edits/edit_oracles.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::HasSubstr;

struct CompareFlags {
    ErrantOptions options;
    int tier = 0;
};

CompareFlags flags_of(const std::string& text) {
    CompareFlags flags;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word == "-ds") flags.options.match = EditMatch::span_detection;
        if (word == "-dt") flags.options.match = EditMatch::token_detection;
        if (word == "-cse") flags.options.match = EditMatch::correction_type;
        if (word == "-single") flags.options.length = EditLength::single_token;
        if (word == "-multi") flags.options.length = EditLength::multi_token;
        if (word == "-b") words >> flags.options.beta;
        if (word == "-cat") words >> flags.tier;
        if (word == "-filt") {
            while (words >> word) flags.options.filtered_types.push_back(word);
        }
    }
    return flags;
}

void expect_counts(const Json& expected, const EditCounts& counts, double beta, const std::string& id) {
    EXPECT_EQ(counts, (EditCounts{expected.at("tp"), expected.at("fp"), expected.at("fn")})) << id;
    const EditScores scores = edit_scores(counts, beta);
    EXPECT_NEAR(scores.precision, expected.at("precision"), 1e-9) << id;
    EXPECT_NEAR(scores.recall, expected.at("recall"), 1e-9) << id;
    EXPECT_NEAR(scores.f, expected.at("f"), 1e-9) << id;
}

TEST(ErrantCompare, AgreesWithErrantCompare) {
    CRAFT_REFERENCE_FILE(file, "oracles/m2.jsonl");
    const test::EditOracles oracles = {test::reference_folder()};
    const auto cases = oracles.cases("errant_compare");
    EXPECT_EQ(cases.size(), 119u);
    for (const Json& row : cases) {
        const std::string id = row.at("id");
        const Json &inputs = row.at("inputs"), &expected = row.at("expected");
        const CompareFlags flags = flags_of(inputs.at("options"));
        const ErrantComparison found =
            compare_edits(oracles.m2(inputs.at("hypothesis_m2")), oracles.m2(inputs.at("reference_m2")), flags.options);
        expect_counts(expected, found.total, flags.options.beta, id);
        if (!expected.contains("categories")) continue;
        const auto categories = by_category(found.by_type, flags.tier);
        EXPECT_EQ(categories.size(), expected.at("categories").size()) << id;
        for (const auto& [name, counts] : categories) {
            expect_counts(expected.at("categories").at(name), counts, flags.options.beta, id + " " + name);
        }
    }
}

ErrantComparison compare(const std::string& hypothesis, const std::string& reference, EditMatch match) {
    ErrantOptions options;
    options.match = match;
    return compare_edits(parse_m2(hypothesis, "h.m2"), parse_m2(reference, "r.m2"), options);
}

std::string edit_line(const std::string& span_type_correction, const std::string& annotator = "0") {
    return "A " + span_type_correction + "|||REQUIRED|||-NONE-|||" + annotator + "\n";
}

// The reference edits tokens 1 and 2 at once; the hypothesis inserts before 1, which touches token 1.
TEST(ErrantCompare, EachKindOfMatchHasItsUnit) {
    const std::string hypothesis = "S a b c\n" + edit_line("1 1|||M:X|||q"),
                      reference = "S a b c\n" + edit_line("1 3|||R:Y|||z");
    EXPECT_EQ(compare(hypothesis, reference, EditMatch::token_detection).total, (EditCounts{1, 0, 1}));
    EXPECT_EQ(compare(hypothesis, reference, EditMatch::span_detection).total, (EditCounts{0, 1, 1}));
    const std::string other = "S a b c\n" + edit_line("1 3|||R:Z|||z");
    EXPECT_EQ(compare(other, reference, EditMatch::span_detection).total, (EditCounts{1, 0, 0}));
    EXPECT_EQ(compare(other, reference, EditMatch::correction).total, (EditCounts{1, 0, 0}));
    EXPECT_EQ(compare(other, reference, EditMatch::correction).by_type.begin()->first, "R:Y") << "the reference's";
    EXPECT_EQ(compare(other, reference, EditMatch::correction_type).total, (EditCounts{0, 1, 1}));
}

TEST(ErrantCompare, UnknownEditsCountInDetectionOnly) {
    const std::string hypothesis = "S a b\n" + edit_line("0 1|||UNK|||a"),
                      reference = "S a b\n" + edit_line("0 1|||R:X|||q");
    EXPECT_EQ(compare(hypothesis, reference, EditMatch::correction).total, (EditCounts{0, 0, 1}));
    EXPECT_EQ(compare(hypothesis, reference, EditMatch::span_detection).total, (EditCounts{1, 0, 0}));
}

// 1 of 3 right: .33333 is rounded to .3333, as Python's round does; 0 of 0 is 1.
TEST(ErrantCompare, ScoresAreRoundedToFourDigits) {
    EXPECT_EQ(edit_scores({1, 2, 0}, 0.5).precision, 0.3333);
    EXPECT_EQ(edit_scores({1, 2, 0}, 0.5).recall, 1);
    EXPECT_EQ(edit_scores({0, 0, 5}, 0.5).precision, 1);
    EXPECT_EQ(edit_scores({0, 5, 5}, 0.5).f, 0);
}

TEST(ErrantCompare, CategoriesAreCutByCodePoints) {
    const TypeCounts types = {
        {"R:VERB:SVA", {1, 0, 0}}, {"M:VERB:SVA", {0, 2, 0}}, {"UNK", {0, 0, 3}}, {"\xC3\xA9:X", {4, 0, 0}}};
    EXPECT_EQ(by_category(types, 1),
              (TypeCounts{{"M", {0, 2, 0}}, {"R", {1, 0, 0}}, {"UNK", {0, 0, 3}}, {"\xC3\xA9", {4, 0, 0}}}));
    EXPECT_EQ(by_category(types, 2), (TypeCounts{{"UNK", {0, 0, 3}}, {"VERB:SVA", {1, 2, 0}}, {"X", {4, 0, 0}}}));
    EXPECT_EQ(by_category(types, 3), types);
}

TEST(ErrantCompare, FilesMustHaveAsManySentences) {
    EXPECT_THAT(message_of([] { compare("S a\n\nS b\n", "S a\n", EditMatch::correction); }),
                HasSubstr("h.m2:3: expected 1 sentences, as in r.m2, got 2"));
    EXPECT_THAT(message_of([] { compare("", "", EditMatch::correction); }), HasSubstr("expected at least one sentence"));
}

}  // namespace
}  // namespace craft
