#include "metrics/corpus_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "metrics/registry.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::string random_text(Rng& rng) {
    static const std::vector<std::string> kWords = {"the", "cat", "sat", "on", "a", "mat", "and", "saw", "dogs", "."};
    std::string text;
    for (int64_t words = rng.between(1, 12); words > 0; --words) text += rng.pick(kWords) + " ";
    return text;
}

std::vector<MetricItem> random_texts(size_t count, int64_t max_references) {
    Rng rng(11, "corpus sums");
    std::vector<MetricItem> items(count);
    for (MetricItem& item : items) {
        item.source = random_text(rng);
        item.prediction = random_text(rng);
        const int64_t references = rng.between(1, max_references);
        for (int64_t r = 0; r < references; ++r) item.references.push_back(random_text(rng));
    }
    return items;
}

struct SummedCase {
    std::string metric;
    MetricOptions options;
    std::vector<std::string> figures;
};

std::vector<SummedCase> summed_cases() {
    MetricOptions editeval, python2, micro, floor;
    editeval.variant = MetricVariant::editeval;
    python2.draws = GleuDraws::python2;
    micro.variant = MetricVariant::micro;
    micro.normalize = TextNormalizer::treebank;
    floor.smoothing = BleuSmoothing::floor;
    floor.smoothing_value = 0.25;
    return {{"sari", {}, {"sari", "add", "keep", "del"}},
            {"sari", micro, {"sari"}},
            {"bleu", {}, {"bleu", "bp", "sys_len"}},
            {"bleu", floor, {"bleu"}},
            {"bleu", editeval, {"bleu"}},
            {"ibleu", {}, {"ibleu", "bleu", "source_bleu"}},
            {"fkgl", {}, {"fkgl", "words"}},
            {"gleu", {}, {"gleu"}},
            {"gleu", python2, {"gleu"}}};
}

struct MeasuredTexts {
    std::unique_ptr<Metric> metric;
    SummedItems items;
};

MeasuredTexts measured(const SummedCase& one, const std::vector<MetricItem>& texts) {
    MeasuredTexts result{make_metric(one.metric, one.options), {}};
    for (const MetricItem& text : texts) {
        const ItemScore score = result.metric->measure(text);
        result.metric->add(score);
        result.items.counts.push_back(score.counts);
        result.items.places.push_back(result.items.places.size());
    }
    return result;
}

double figure_of(const CorpusSums& sums, const std::vector<uint32_t>& times) {
    std::vector<double> numbers(sums.width());
    sums.add(times, numbers);
    return sums.figure(numbers);
}

// To the last digit, with items of one number of references and of several.
TEST(CorpusSums, EveryItemOnceIsTheCorpusFigure) {
    for (const auto& [count, references] : std::vector<std::pair<size_t, int64_t>>{{1, 3}, {7, 3}, {60, 1}, {60, 4}}) {
        const std::vector<MetricItem> texts = random_texts(count, references);
        for (const SummedCase& one : summed_cases()) {
            const MeasuredTexts all = measured(one, texts);
            EXPECT_TRUE(all.metric->has_summands());
            for (const std::string& figure : one.figures) {
                const auto sums = corpus_sums(one.metric, all.metric->options(), figure, all.items, "r.json");
                ASSERT_NE(sums, nullptr) << one.metric << " " << figure;
                EXPECT_EQ(sums->items(), count);
                EXPECT_EQ(figure_of(*sums, std::vector<uint32_t>(count, 1)), all.metric->corpus().at(figure).get<double>())
                    << all.metric->signature() << " " << figure << " of " << count;
            }
        }
    }
}

// Items that are left out and taken twice, where no draw hangs on the order.
TEST(CorpusSums, ASelectionIsACorpus) {
    const std::vector<MetricItem> texts = random_texts(20, 1);
    std::vector<MetricItem> chosen;
    std::vector<uint32_t> times;
    for (size_t i = 0; i < texts.size(); ++i) {
        times.push_back(static_cast<uint32_t>(i % 3));
        chosen.insert(chosen.end(), i % 3, texts[i]);
    }
    for (const SummedCase& one : summed_cases()) {
        const MeasuredTexts all = measured(one, texts), selection = measured(one, chosen);
        for (const std::string& figure : one.figures) {
            const auto sums = corpus_sums(one.metric, all.metric->options(), figure, all.items, "r.json");
            EXPECT_EQ(figure_of(*sums, times), selection.metric->corpus().at(figure).get<double>())
                << all.metric->signature() << " " << figure;
        }
    }
}

// Rows may be given in another order than the file's: places say what was drawn for whom.
TEST(CorpusSums, DrawsFollowTheFile) {
    const std::vector<MetricItem> texts = random_texts(30, 4);
    for (const SummedCase& one : summed_cases()) {
        const MeasuredTexts all = measured(one, texts);
        SummedItems turned = all.items;
        std::reverse(turned.counts.begin(), turned.counts.end());
        std::reverse(turned.places.begin(), turned.places.end());
        const auto sums = corpus_sums(one.metric, all.metric->options(), one.figures[0], turned, "r.json");
        EXPECT_EQ(figure_of(*sums, std::vector<uint32_t>(30, 1)), all.metric->corpus().at(one.figures[0]).get<double>())
            << all.metric->signature();
    }
}

// Two references of lengths 4 and 2, the prediction's length 4 and all its n-grams matched by both: no penalty in the first,
// none in the second either. With lengths 4 and 8 it is exp(1 - 8 / 4) where the second is drawn. Under Python 3 the 500
// draws of randint(0, 1) for two items, after random.seed(101 * j), are (0, 0) 109 times, (0, 1) 118, (1, 0) 132, (1, 1)
// 141.
TEST(CorpusSums, GleuByHand) {
    const std::vector<int64_t> counts = {4, 4, 3, 2, 1, /* reference 1 */ 4, 4, 3, 2, 1, /* reference 2 */ 8, 4, 3, 2, 1};
    const auto sums = corpus_sums("gleu", {{"draws", "python3"}}, "gleu", {{counts, counts}, {0, 1}}, "r.json");
    EXPECT_DOUBLE_EQ(figure_of(*sums, {1, 0}), (227 + 273 * std::exp(-1)) / 500);
    // Lengths of both 8, 12, 12, 16 against 8.
    EXPECT_DOUBLE_EQ(figure_of(*sums, {1, 1}), (109 + 250 * std::exp(-0.5) + 141 * std::exp(-1)) / 500);
    EXPECT_DOUBLE_EQ(figure_of(*sums, {2, 0}), (227 + 273 * std::exp(-1)) / 500) << "twice the same item";
}

TEST(CorpusSums, MeansOfItemsHaveNone) {
    EXPECT_EQ(corpus_sums("rouge", Json::object(), "rouge", {}, "r"), nullptr);
    EXPECT_EQ(corpus_sums("perplexity", Json::object(), "perplexity", {}, "r"), nullptr) << "no metric of texts";
    EXPECT_EQ(corpus_sums("bleu", Json::object(), "precisions", {}, "r"), nullptr) << "a list";
    EXPECT_EQ(corpus_sums("gleu", Json::object(), "deviation", {}, "r"), nullptr);
    EXPECT_FALSE(make_metric("quality")->has_summands());
}

TEST(CorpusSums, CountsAndOptionsOfOthersAreErrors) {
    const auto problem = [](const std::string& metric, const Json& options, const SummedItems& items) {
        try {
            corpus_sums(metric, options, metric, items, "r.json");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(problem("bleu", Json::object(), {{{1, 2}}, {0}}),
              "r.json: field 'summands': expected 10 numbers per item, got 2");
    EXPECT_THAT(problem("gleu", Json::object(), {{{1, 2, 3, 4, 5}}, {0}}), HasSubstr("one reference or more"));
    EXPECT_EQ(problem("gleu", {{"draws", 3}}, {}), "r.json: options: field 'draws': expected a value of this option, got 3");
    EXPECT_THAT(problem("bleu", {{"variant", "easse"}}, {}), HasSubstr("r.json: options: variant: expected one of"));
    EXPECT_THAT(problem("sari", {{"lowercase", "yes"}}, {}), HasSubstr("field 'lowercase'"));
    EXPECT_THAT(problem("sari", 7, {}), HasSubstr("an object of options"));
}

}  // namespace
}  // namespace craft
