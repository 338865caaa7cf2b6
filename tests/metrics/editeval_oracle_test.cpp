// EditEval's figures of matches, ROUGE, UpdateROUGE and GLEU, beside those of its own code.
#include <gtest/gtest.h>

#include <map>

#include "metrics/diff_match.h"
#include "metrics/sequence_matcher.h"
#include "metrics/update_rouge.h"
#include "tests/metrics/oracles.h"
#include "text/code_points.h"

namespace craft {
namespace {

constexpr double kTolerance = 1e-6;

struct Wanted {
    std::string metric, key;  // of the oracle
    MetricOptions options;
    std::string part;  // of ours
};

std::vector<Wanted> wanted_figures(TextNormalizer normalizer) {
    MetricOptions plain, rouge, gleu;
    plain.normalize = rouge.normalize = gleu.normalize = normalizer;
    rouge.variant = MetricVariant::published;
    gleu.tokenizer = WordTokenizer::nltk_3_10;
    return {{"exact_match", "em", plain, "exact_match"},
            {"diff_match", "em_diff", plain, "diff_match"},
            {"insert_delete", "id", plain, "insert_delete"},
            {"gleu", "gleu", gleu, "gleu"},
            {"rouge", "rouge1", rouge, "rouge1"},
            {"rouge", "rouge2", rouge, "rouge2"},
            {"rouge", "rougeL", rouge, "rougeL"},
            {"update_rouge", "update_rouge1", plain, "update_rouge1"},
            {"update_rouge", "update_rouge2", plain, "update_rouge2"},
            {"update_rouge", "update_rougeLsum", plain, "update_rougeLsum"}};
}

void expect_figures(const Json& expected, const std::vector<MetricItem>& items, TextNormalizer normalizer,
                    const std::string& where) {
    std::map<std::string, Json> measured;
    for (const Wanted& wanted : wanted_figures(normalizer)) {
        if (!expected.contains(wanted.key)) continue;
        if (!measured.contains(wanted.metric))
            measured[wanted.metric] = test::corpus_of(wanted.metric, items, wanted.options);
        EXPECT_NEAR(measured[wanted.metric].at(wanted.part).get<double>(), expected.at(wanted.key).get<double>(), kTolerance)
            << where << " " << wanted.key;
    }
}

void expect_cases(const std::filesystem::path& oracle, const std::string& metric, size_t count) {
    const auto cases = test::oracle_cases(oracle, metric);
    EXPECT_EQ(cases.size(), count);
    for (const Json& row : cases) {
        const auto items = test::oracle_items(row.at("inputs"));
        const std::string id = row.at("id").get<std::string>();
        const Json& expected = row.at("expected");
        expect_figures(expected.at("raw/treebank_only"), items, TextNormalizer::none, id + " raw");
        if (expected.contains("normalized/treebank_only"))
            expect_figures(expected.at("normalized/treebank_only"), items, TextNormalizer::treebank, id + " normalized");
    }
}

TEST(EditEvalOracle, Corpora) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    expect_cases(oracle, "editeval_corpus", 10);
}

TEST(EditEvalOracle, Sentences) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    expect_cases(oracle, "editeval_sentence", 120);
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
        for (const Wanted& wanted : wanted_figures(normalizer)) ours += wanted.key == key ? 1 : 0;
        expect_figures({{key, row.at("expected").at("value")}}, items, normalizer, row.at("id").get<std::string>());
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
        expect_figures(expected, {item}, TextNormalizer::none, item.id);
        EXPECT_EQ(Json(added_sentences(item.source, item.prediction)), expected.at("prediction_additions")) << item.id;
        for (size_t r = 0; r < item.references.size(); ++r) {
            EXPECT_EQ(Json(added_sentences(item.source, item.references[r])), expected.at("target_additions")[r]) << item.id;
        }
    }
}

}  // namespace
}  // namespace craft
