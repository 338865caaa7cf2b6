#include "metrics/edits/edit_sums.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "metrics/edits/edit_results.h"

namespace craft {
namespace {

// {correct, proposed, gold}: 3 of 4 proposed and 3 of 6 gold, F0.5 = 1.25 * .75 * .5 / (.25 * .75 + .5).
TEST(EditSums, AreTheCorpusFiguresOfTheM2Scorer) {
    const std::vector<std::vector<int64_t>> sentences = {{2, 2, 2}, {1, 2, 4}, {0, 7, 0}};
    const auto figure = [&](const std::string& name, const std::vector<uint32_t>& times) {
        const auto sums = edit_sums("m2", 0.5, name, sentences, "r.json");
        std::vector<double> numbers(sums->width());
        sums->add(times, numbers);
        return sums->figure(numbers);
    };
    EXPECT_DOUBLE_EQ(figure("precision", {1, 1, 0}), 0.75);
    EXPECT_DOUBLE_EQ(figure("recall", {1, 1, 0}), 0.5);
    EXPECT_DOUBLE_EQ(figure("f0.5", {1, 1, 0}), 1.25 * 0.75 * 0.5 / (0.25 * 0.75 + 0.5));
    EXPECT_DOUBLE_EQ(figure("recall", {0, 0, 3}), 1) << "no gold edits";
}

TEST(EditSums, OfAResultAreItsCorpusFigures) {
    const M2File gold = parse_m2(
        "S a b c\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||Y|||z|||REQUIRED|||-NONE-|||0\n\n"
        "S d e\nA 1 2|||X|||q|||REQUIRED|||-NONE-|||0\n\nS f\n\n",
        "gold.m2");
    const M2File system = parse_m2(
        "S a b c\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||Y|||z|||REQUIRED|||-NONE-|||0\n\n"
        "S d e\nA 1 2|||X|||q|||REQUIRED|||-NONE-|||0\n\nS f\n\n",
        "system.m2");
    const SentenceFile text = parse_sentences("x b c\nd q\nf\n", "text");
    const M2Options m2;
    ErrantOptions errant;
    errant.beta = 2;
    for (const Json& result : {to_json(score_m2(text, gold, m2), gold, m2), errant_result(system, gold, errant, 3)}) {
        std::vector<std::vector<int64_t>> counts;
        for (const Json& item : result.at("items")) counts.push_back(item.at("summands").get<std::vector<int64_t>>());
        const double beta = result.at("options").at("beta").get<double>();
        for (const std::string& name : {std::string("precision"), std::string("recall"), f_name(beta)}) {
            const auto sums = edit_sums(result.at("metric").get<std::string>(), beta, name, counts, "r.json");
            std::vector<double> numbers(sums->width());
            sums->add(std::vector<uint32_t>(counts.size(), 1), numbers);
            EXPECT_EQ(sums->figure(numbers), result.at("corpus").at(name).get<double>()) << name;
        }
    }
}

TEST(EditSums, OtherFiguresHaveNone) {
    EXPECT_EQ(edit_sums("m2", 0.5, "f1", {}, "r"), nullptr);
    EXPECT_EQ(edit_sums("sari", 0.5, "precision", {}, "r"), nullptr);
    EXPECT_THROW(edit_sums("errant", 0.5, "f0.5", {{1, 2}}, "r"), Error);
}

}  // namespace
}  // namespace craft
