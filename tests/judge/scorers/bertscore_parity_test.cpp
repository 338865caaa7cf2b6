// BERTScore on a real encoder against what bert-score 0.3.13 gave: all cases of the oracle, within its tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/json.h"
#include "judge/scorers/bertscore.h"
#include "tests/judge/scorers/installed_encoder.h"
#include "tests/reference.h"

namespace craft {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file, size_t count) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; lines.size() < count && std::getline(in, line);) lines.push_back(line);
    return lines;
}

double worst_difference(const std::vector<BertScoreFigures>& figures, size_t first, const Json& expected) {
    double worst = 0;
    for (size_t i = 0; i < expected.at("f1").size(); ++i) {
        const BertScoreFigures& one = figures.at(first + i);
        worst = std::max(worst, std::abs(one.precision.value() - expected.at("precision").at(i).get<double>()));
        worst = std::max(worst, std::abs(one.recall.value() - expected.at("recall").at(i).get<double>()));
        worst = std::max(worst, std::abs(one.f1.value() - expected.at("f1").at(i).get<double>()));
    }
    return worst;
}

TEST(BertScoreParity, MiniLmGivesWhatBertScoreGave) {
    CRAFT_REFERENCE_FILE(file, "oracles/bertscore_minilm.json");
    CRAFT_NEEDS_ENCODER();
    const Json oracle = read_json_file(file);
    ASSERT_EQ(oracle.at("lines").at(0), 0);
    const auto count = oracle.at("lines").at(1).get<size_t>();
    const auto data = file.parent_path().parent_path() / "data" / "jfleg";
    std::vector<BertScoreTexts> items;  // those of all references, then those of the first one alone
    for (const std::string& line : lines_of(data / oracle.at("hypotheses").get<std::string>(), count))
        items.push_back({line, {}});
    ASSERT_EQ(items.size(), count);
    std::vector<std::string> documents;
    for (const Json& name : oracle.at("references")) {
        const std::vector<std::string> lines = lines_of(data / name.get<std::string>(), count);
        for (size_t i = 0; i < count; ++i) items[i].references.push_back(lines.at(i));
        documents.insert(documents.end(), lines.begin(), lines.end());
    }
    for (size_t i = 0; i < count; ++i) items.push_back({items[i].prediction, {items[i].references.at(0)}});
    size_t compared = 0;
    for (const int64_t layers : {6, 4}) {
        Encoder encoder = Encoder::load(test::installed_encoder(), at::kFloat, at::kCPU);
        encoder.keep_layers(layers);
        for (const bool idf : {false, true}) {
            const BertScorer scorer(encoder, open_tokenizer(test::installed_encoder()),
                                    {.idf = idf, .documents = documents});
            const std::vector<BertScoreFigures> figures = scorer.score(items);
            for (const Json& one : oracle.at("cases")) {
                if (one.at("layers") != layers || one.at("idf") != idf) continue;
                EXPECT_LT(worst_difference(figures, one.at("references") == "multi" ? 0 : count, one), 1e-4)
                    << layers << idf << one.at("references");
                ++compared;
            }
        }
    }
    EXPECT_EQ(compared, oracle.at("cases").size());
}

}  // namespace
}  // namespace craft
