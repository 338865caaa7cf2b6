#include "eval/outputs_of_items.h"

#include <gtest/gtest.h>

#include "metrics/registry.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const std::string kItems = R"({"id":"1","domain":"c1","text":"s","references":["x"]})"
                           "\n"
                           R"row({"id":"2","text":"s","constraints":[["a()"],["b()"]],"references":["x"]})row"
                           "\n"
                           R"({"id":"3","source":"s","references":["y","x"]})"
                           "\n"
                           R"({"id":"4","text":"s","domain":"c1","references":["x"]})"
                           "\n";

MetricRun measured(const TemporaryFolder& folder, const std::string& outputs, bool rounds, int64_t threads = 1) {
    OutputsOfItems joined(folder.file("o.jsonl", outputs), rounds, {});
    MetricRunOptions how;
    how.threads = threads;
    how.make = [] { return make_metric("exact_match"); };
    const auto metric = how.make();
    how.read = [&](const Json& row, const std::string& where) { return joined.read(row, metric->needs(), where); };
    MetricRun run = run_metric(*metric, folder.file("i.jsonl", kItems), how, [](const std::string&) {});
    run.corpus.update(joined.finish());
    return run;
}

// Domains are what rows say, or how many constraints they have; an item without one counts in the corpus alone.
TEST(OutputsOfItems, CountInTheirDomains) {
    const TemporaryFolder folder;
    const std::string outputs = R"({"id":"3","text":"x"})"
                                "\n"
                                R"({"id":"1","text":"x"})"
                                "\n"
                                R"({"id":"2","text":"z"})"
                                "\n";
    const MetricRun run = measured(folder, outputs, false);
    EXPECT_EQ(run.items, 3);
    EXPECT_DOUBLE_EQ(run.corpus.at("exact_match").get<double>(), 2.0 / 3);
    EXPECT_EQ(run.corpus.at("missing"), 1);
    EXPECT_EQ(run.corpus.at("by_domain"),
              Json::parse(R"({"c1":{"exact_match":1.0,"matches":1},"c2":{"exact_match":0.0,"matches":0}})"));
    EXPECT_EQ(measured(folder, outputs, false, 3).corpus, run.corpus);
    EXPECT_NE(message_of([&] {
                  measured(folder, outputs + R"({"id":"9","text":"x"})", false);
              }).find("o.jsonl:4: expected an id of --items, got '9'"),
              std::string::npos);
}

// "x" is right: after the first round one of two, after the second and third, which text 1 does not have, both.
TEST(OutputsOfItems, CountAfterEachRound) {
    const TemporaryFolder folder;
    const auto row = [](const std::string& id, const std::vector<std::string>& rounds) {
        Json trace = Json::array();
        for (const std::string& text : rounds) trace.push_back({{"text", text}});
        return Json({{"id", id}, {"text", rounds.back()}, {"trace", {{"rounds", trace}}}}).dump() + "\n";
    };
    const MetricRun run = measured(folder, row("1", {"z", "x"}) + row("4", {"x", "x", "x"}), true);
    EXPECT_EQ(run.items, 2);
    EXPECT_EQ(run.corpus.at("exact_match"), 1.0);
    EXPECT_EQ(run.corpus.at("by_round"),
              Json::parse(R"({"1":{"exact_match":0.5,"matches":1},"2":{"exact_match":1.0,"matches":2},)"
                          R"("3":{"exact_match":1.0,"matches":2}})"));
    EXPECT_EQ(run.corpus.at("by_domain"), Json::parse(R"({"c1":{"exact_match":1.0,"matches":2}})"))
        << "the last round alone";
    EXPECT_EQ(run.corpus.at("rounds"), 3);
    EXPECT_EQ(run.corpus.at("ended_early"), 1);
    EXPECT_NE(message_of([&] {
                  measured(folder, R"({"id":"1","text":"x"})", true);
              }).find("field 'trace': expected rounds, as `revise --method iter` writes them, got none"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  measured(folder, R"({"id":"1","text":"x","trace":{"rounds":[{"text":"x"}],"search":{}}})", true);
              }).find("got those of a search"),
              std::string::npos);
}

}  // namespace
}  // namespace craft
