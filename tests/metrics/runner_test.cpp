#include "metrics/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "core/error.h"
#include "core/signals.h"
#include "metrics/registry.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

struct RunOutcome {
    MetricRun run;
    std::vector<Json> rows;
};

RunOutcome run_lines(const std::string& lines, const MetricRunOptions& options = {}) {
    const TemporaryFolder folder;
    const auto metric = make_metric("exact_match");
    RunOutcome outcome;
    outcome.run = run_metric(*metric, folder.file("m.jsonl", lines), options,
                             [&](const std::string& row) { outcome.rows.push_back(Json::parse(row)); });
    return outcome;
}

TEST(MetricRunner, ItemsComeInTheirOrder) {
    std::string lines;
    for (int i = 0; i < 2500; ++i)
        lines += R"({"id":"n)" + std::to_string(i) + R"(","prediction":")" + std::to_string(i % 3) +
                 R"(","references":["0","1"]})" + "\r\n";
    MetricRunOptions options;
    const RunOutcome alone = run_lines(lines, options);
    options.threads = 3;
    options.block_items = 100;
    const RunOutcome several = run_lines(lines, options);
    EXPECT_EQ(alone.rows, several.rows);
    EXPECT_EQ(alone.run.corpus, several.run.corpus);
    EXPECT_EQ(alone.rows.at(2), Json::parse(R"({"id":"n2","exact_match":0.0})"));
    EXPECT_EQ(alone.run.items, 2500);
    EXPECT_EQ(alone.run.corpus.at("exact_match"), 1667.0 / 2500);  // of 0..2499, 833 leave a remainder of 2
}

TEST(MetricRunner, ABadRowIsOneLine) {
    const auto message = [](const std::string& lines) { return message_of([&] { run_lines(lines); }); };
    const std::string good = R"({"id":"a","prediction":"","references":[""]})"
                             "\n";
    EXPECT_THAT(message(good + R"({"id":"b","references":[""]})"),
                HasSubstr("m.jsonl:2: field 'prediction': expected a string, got none"));
    EXPECT_THAT(message(good + R"({"id":"b","prediction":3,"references":[""]})"),
                HasSubstr("m.jsonl:2: field 'prediction': expected a string, got number"));
    EXPECT_THAT(message(R"({"id":"b","prediction":"x"})"),
                HasSubstr("m.jsonl:1: field 'references': expected a list of texts, got none"));
    EXPECT_THAT(message(R"({"id":"b","prediction":"x","references":[]})"),
                HasSubstr("m.jsonl:1: field 'references': expected at least one text, got an empty list"));
    EXPECT_THAT(message(R"({"id":"b","prediction":"x","references":"x"})"),
                HasSubstr("m.jsonl:1: field 'references': expected a list of texts, got \"x\""));
    EXPECT_THAT(message(R"({"id":"b","prediction":"x","references":["x",null]})"),
                HasSubstr("m.jsonl:1: field 'references': expected a list of texts, got null in it"));
    EXPECT_THAT(message(R"({"id":["a"],"prediction":"x","references":["x"]})"), HasSubstr("m.jsonl:1: field 'id'"));
    EXPECT_THAT(message(good + "\n" + good), HasSubstr("m.jsonl:3: field 'id': expected each id once, got 'a' again"));
    EXPECT_THAT(message(""), HasSubstr("expected at least one row, got none"));
}

TEST(MetricRunner, BadRowsAreSkippedAndCounted) {
    MetricRunOptions options;
    options.lines.skip_bad = true;
    const RunOutcome outcome = run_lines(R"({"id":"a","prediction":"x","references":["x"]}
{"id":"a","prediction":"y","references":["x"]}
{"id":"b","prediction":"y"}
nonsense
{"id":7,"prediction":"y","references":["x"]})",
                                         options);
    EXPECT_EQ(outcome.run.bad_lines, 3);
    EXPECT_EQ(outcome.run.items, 2);
    EXPECT_EQ(outcome.rows.at(1).at("id"), "7");
    EXPECT_EQ(outcome.run.corpus.at("exact_match"), 0.5);
}

// What cannot be measured is found when rows after it were read already.
class Picky : public Metric {
public:
    std::string name() const override { return "picky"; }
    std::string signature() const override { return "picky"; }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override { return {}; }
    ItemScore measure(const MetricItem& item) const override {
        if (item.prediction == "no") throw Error("field 'prediction'", "another text", "no");
        ItemScore score;
        score.counts = {1, 2};
        return score;
    }
    void add(const ItemScore&) override { ++items_; }
    Json corpus() const override { return {{"picky", items_}}; }
    size_t summand_count() const override { return 2; }

private:
    int64_t items_ = 0;
};

TEST(MetricRunner, TheFirstBadRowIsTheOneThatIsNamed) {
    const TemporaryFolder folder;
    const std::string file = folder.file("m.jsonl", R"({"id":"a","prediction":"yes"}
{"id":"b","prediction":"no"}
{"id":"c","prediction":"yes"}
nonsense
{"id":"a","prediction":"yes"}
)");
    MetricRunOptions options;
    options.block_items = 2;
    std::vector<std::string> rows;
    const auto run = [&] {
        Picky metric;
        rows.clear();
        return run_metric(metric, file, options, [&](const std::string& row) { rows.push_back(row); });
    };
    EXPECT_THAT(message_of(run), HasSubstr("m.jsonl:2: field 'prediction': expected another text, got no"));
    EXPECT_THAT(rows, testing::ElementsAre(R"({"id":"a","picky":null,"summands":[1,2]})"));
    options.lines.skip_bad = true;
    EXPECT_EQ(run().bad_lines, 3);
    EXPECT_EQ(run().corpus, Json({{"picky", 2}}));
    EXPECT_EQ(rows.size(), 2u);
}

// A field that is not needed may be anything that is a text, or nothing.
TEST(MetricRunner, WhatIsNotNeededMayBeAbsent) {
    const Json row = Json::parse(R"({"id":"a","prediction":"p"})");
    const MetricItem item = read_metric_item(row, {}, "here");
    EXPECT_EQ(item.prediction, "p");
    EXPECT_TRUE(item.source.empty() && item.references.empty());
    EXPECT_THAT(message_of([&] { read_metric_item(row, {.source = true}, "here"); }), HasSubstr("here: field 'source'"));
}

// Each item is worth the number of items that were given at once.
struct CountsItems : Metric {
    std::vector<size_t> calls;
    std::string name() const override { return "number"; }
    std::string signature() const override { return "number|-|-|-|as given"; }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override {
        return {.source = false, .prediction = true, .references = false, .all_items = true};
    }
    ItemScore measure(const MetricItem&) const override { throw Error("measure() was called"); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override {
        calls.push_back(items.size());
        ItemScore score;
        score.value = static_cast<double>(items.size());
        std::vector<ItemScore> scores(items.size(), score);
        scores.at(0).parts["first"] = items[0].prediction;
        return scores;
    }
    void add(const ItemScore&) override {}
    Json corpus() const override { return Json::object(); }
};

TEST(MetricRunner, AMetricThatNeedsAllItemsGetsThemInOneCall) {
    const TemporaryFolder folder;
    std::string lines;
    for (int i = 0; i < 50; ++i) lines += R"({"id":)" + std::to_string(i) + R"(,"prediction":"p"})" + "\n";
    CountsItems metric;
    std::vector<Json> rows;
    const MetricRun run = run_metric(metric, folder.file("m.jsonl", lines), {.threads = 3, .block_items = 10, .lines = {}},
                                     [&](const std::string& row) { rows.push_back(Json::parse(row)); });
    EXPECT_EQ(metric.calls, std::vector<size_t>{50});
    EXPECT_EQ(run.items, 50);
    ASSERT_EQ(rows.size(), 50u);
    EXPECT_EQ(rows[0], Json::parse(R"({"id":"0","number":50.0,"first":"p"})"));
    EXPECT_EQ(rows[49], Json::parse(R"({"id":"49","number":50.0})"));
}

TEST(MetricRunner, EmptyTextsAreCounted) {
    const MetricRun run = run_lines(R"({"id":"a","prediction":"","references":["x"," \n"]}
{"id":"b","prediction":"y","references":["","x"]}
{"id":"c","prediction":"\u00a0","references":["x"]}
)")
                              .run;
    EXPECT_EQ(run.empty_predictions, 2);
    EXPECT_EQ(run.empty_references, 2);
    EXPECT_EQ(run.items, 3);
    const TemporaryFolder folder;
    const auto fkgl = make_metric("fkgl");  // needs no references: empty ones are no sign of anything
    EXPECT_EQ(run_metric(*fkgl, folder.file("m.jsonl", R"({"id":"a","prediction":"x","references":[""]})"), {},
                         [](const std::string&) {})
                  .empty_references,
              0);
}

// In a process of its own, since the flag stays set: one that was asked to stop does not end as if it had finished.
TEST(MetricRunnerDeathTest, AStopIsNoEnd) {
    const auto stop = [] {
        install_signal_flags();
        std::raise(SIGTERM);
        try {
            run_lines(R"({"id":"a","prediction":"x","references":["x"]})");
        } catch (const Stopped& stopped) {
            std::_Exit(100 + stopped.signal());
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(stop(), testing::ExitedWithCode(100 + SIGTERM), "");
}

}  // namespace
}  // namespace craft
