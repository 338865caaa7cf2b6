// EditEval's figures of sentences, and the pieces that they are made of, beside those of its own code.
#include <gtest/gtest.h>

#include "metrics/diff_match.h"
#include "metrics/sequence_matcher.h"
#include "metrics/update_rouge.h"
#include "tests/metrics/editeval_checks.h"
#include "text/code_points.h"

namespace craft {
namespace {

TEST(EditEvalOracle, Sentences) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    test::expect_cases(oracle, "editeval_sentence", 120);
}

TEST(EditEvalOracle, UnitTests) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    int64_t ours = 0;
    for (const Json& row : test::oracle_cases(oracle, "editeval_unit_test")) {
        const Json& inputs = row.at("inputs");
        std::vector<MetricItem> items;
        for (size_t i = 0; i < inputs.at("predictions").size(); ++i) {
            items.push_back({.id = std::to_string(i),
                             .source = inputs.at("inputs")[i].get<std::string>(),
                             .prediction = inputs.at("predictions")[i].get<std::string>(),
                             .references = inputs.at("targets")[i].get<std::vector<std::string>>()});
        }
        const auto normalizer = inputs.at("normalize").get<bool>() ? TextNormalizer::treebank : TextNormalizer::none;
        const std::string key = inputs.at("result").get<std::string>();
        for (const test::Wanted& wanted : test::wanted_figures(normalizer)) ours += wanted.key == key ? 1 : 0;
        test::expect_figures({{key, row.at("expected").at("value")}}, items, normalizer, row.at("id").get<std::string>());
    }
    EXPECT_EQ(ours, 3);  // the others are SARI's and BLEU's
}

TEST(EditEvalOracle, Edits) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    const auto cases = test::oracle_cases(oracle, "editeval_diff");
    EXPECT_EQ(cases.size(), 100U);
    for (const Json& row : cases) {
        const auto source = row.at("inputs").at("source").get<std::string>();
        const auto target = row.at("inputs").at("target").get<std::string>();
        Json changes = Json::array(), edits = Json::array();
        for (const TextChange& change : text_changes(decode_utf8(source), decode_utf8(target))) {
            const char* tag =
                change.a_from == change.a_to ? "insert" : (change.b_from == change.b_to ? "delete" : "replace");
            changes.push_back({tag, change.a_from, change.a_to, change.b_from, change.b_to});
        }
        for (const TextEdit& edit : text_edits(source, target)) edits.push_back({edit.from, edit.to});
        EXPECT_EQ(changes, row.at("expected").at("opcodes")) << row.at("id");
        EXPECT_EQ(edits, row.at("expected").at("diffs")) << row.at("id");
    }
}

TEST(EditEvalOracle, UpdateRouge) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    const auto cases = test::oracle_cases(oracle, "editeval_update_rouge");
    EXPECT_EQ(cases.size(), 70U);
    for (const Json& row : cases) {
        const Json& inputs = row.at("inputs");
        const MetricItem item{.id = row.at("id").get<std::string>(),
                              .source = inputs.at("source").get<std::string>(),
                              .prediction = inputs.at("prediction").get<std::string>(),
                              .references = inputs.at("targets").get<std::vector<std::string>>()};
        const Json& expected = row.at("expected");
        test::expect_figures(expected, {item}, TextNormalizer::none, item.id);
        EXPECT_EQ(Json(added_sentences(item.source, item.prediction)), expected.at("prediction_additions")) << item.id;
        for (size_t r = 0; r < item.references.size(); ++r) {
            EXPECT_EQ(Json(added_sentences(item.source, item.references[r])), expected.at("target_additions")[r]) << item.id;
        }
    }
}

}  // namespace
}  // namespace craft
