// `eval metric`: results, options and what is refused before any work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;
using testing::HasSubstr;

using EvalMetric = test::CommandInputs;

const std::string kRevisionsExample = test::kShare + "/examples/revisions.jsonl";

TEST_F(EvalMetric, WritesCorpusAndItems) {
    const std::string output = dir() + "/r.json";
    ASSERT_EQ(
        run_command({"eval", "metric", "sari", "--input", kRevisionsExample, "--output", output, "--threads", "2"}).code, 0);
    const Json result = read_json_file(output);
    EXPECT_EQ(result.at("metric"), "sari");
    EXPECT_EQ(result.at("signature"), "sari|EASSE-0.2.4|easse|13a|lowercase");
    EXPECT_EQ(result.at("options"), Json::parse(R"({"variant":"easse","tokenizer":"13a","lowercase":true})"));
    EXPECT_EQ(result.at("count"), 3);
    EXPECT_EQ(result.at("bad_lines"), 0);
    EXPECT_GT(result.at("corpus").at("sari").get<double>(), 0);
    ASSERT_EQ(result.at("items").size(), 3u);
    EXPECT_EQ(result.at("items")[1].at("id"), "r2");
    for (const char* part : {"sari", "add", "keep", "del"}) EXPECT_TRUE(result.at("items")[2].at(part).is_number()) << part;
    EXPECT_EQ(run_command({"eval", "metric", "sari", "--input", kRevisionsExample, "--threads", "1"}).out,
              read_file(output));
}

// What rows say that they add is all that a comparison needs: the figures are those of the corpora, to the last digit.
TEST_F(EvalMetric, CorpusFiguresAreCompared) {
    const std::string a = dir() + "/a.json", b = dir() + "/b.json", copies = dir() + "/copies.jsonl";
    JsonLinesReader reader(kRevisionsExample);
    JsonLinesWriter writer(copies);
    std::vector<Json> rows;
    while (auto row = reader.next()) rows.insert(rows.begin(), *row);  // in another order
    for (Json& row : rows) {
        row["prediction"] = row.at("source");
        writer.write(row);
    }
    writer.close();
    for (const char* name : {"sari", "bleu", "ibleu", "gleu", "fkgl"}) {
        ASSERT_EQ(run_command(test::replacing({"eval", "metric", name, "--input", kRevisionsExample, "--output", a})).code,
                  0);
        ASSERT_EQ(run_command(test::replacing({"eval", "metric", name, "--input", copies, "--output", b})).code, 0);
        const auto compared =
            run_command({"eval", "compare", "--a", a, "--b", b, "--test", "permutation", "--resamples", "50"});
        ASSERT_EQ(compared.code, 0) << compared.err;
        const Json result = Json::parse(compared.out);
        EXPECT_EQ(result.at("statistic"), "corpus") << name;
        EXPECT_EQ(result.at("a"), read_json_file(a).at("corpus").at(name)) << name;
        EXPECT_EQ(result.at("b"), read_json_file(b).at("corpus").at(name)) << name;
        EXPECT_EQ(result.at("corpus").at("a"), result.at("a"));
    }
}

TEST_F(EvalMetric, PrintsAHundredAsSuch) {
    folder_.file("m.jsonl", R"({"id":"a","prediction":"It is one, not two.","references":["It is one, not two."]})");
    const std::string out = run_command({"eval", "metric", "bleu", "--input", dir() + "/m.jsonl"}).out;
    EXPECT_THAT(out, HasSubstr("\"bleu\": 100.0,"));
    EXPECT_THAT(out, HasSubstr("{\"id\":\"a\",\"bleu\":100.0,"));
}

TEST_F(EvalMetric, OptionsReachTheMetric) {
    const std::string out = run_command({"eval", "metric", "bleu", "--input", kRevisionsExample, "--tokenizer", "intl",
                                         "--lowercase", "--smoothing", "add-k", "--smoothing-value", "2"})
                                .out;
    EXPECT_EQ(Json::parse(out).at("signature"), "bleu|sacreBLEU-2.6.0|smoothing:add-k[2.0]|intl|lowercase");
    const std::string cased = run_command({"eval", "metric", "sari", "--input", kRevisionsExample, "--cased"}).out;
    EXPECT_EQ(Json::parse(cased).at("options").at("lowercase"), false);
}

TEST_F(EvalMetric, BadItemsAreCounted) {
    folder_.file("m.jsonl",
                 "{\"id\":\"a\",\"source\":\"s\",\"prediction\":\"p\",\"references\":[\"r\"]}\n"
                 "{\"id\":\"b\",\"source\":\"s\",\"references\":[\"r\"]}\n");
    const auto skipped = run_command({"eval", "metric", "sari", "--input", dir() + "/m.jsonl", "--skip-bad-lines"});
    EXPECT_EQ(skipped.code, 0);
    EXPECT_EQ(Json::parse(skipped.out).at("bad_lines"), 1);
    EXPECT_EQ(Json::parse(skipped.out).at("count"), 1);
}

}  // namespace
}  // namespace craft
