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

// Texts and revisions stand in two files, and a table tells their domains apart.
TEST_F(EvalMetric, ItemsAndOutputsAreJoined) {
    const std::string items =
        folder_.file("i.jsonl", R"({"id":"a","domain":"c1","text":"One.","references":["Two."]})"
                                "\n"
                                R"({"id":"b","domain":"c2","text":"One.","references":["Three.","Four."]})"
                                "\n"
                                R"({"id":"c","domain":"c2","text":"One."})"
                                "\n");
    const std::string outputs =
        folder_.file("o.jsonl", "{\"id\":\"b\",\"text\":\"Four.\"}\n{\"id\":\"a\",\"text\":\"One.\"}\n");
    const auto outcome = run_command({"eval", "metric", "exact_match", "--items", items, "--outputs", outputs});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json result = Json::parse(outcome.out);
    EXPECT_EQ(result.at("count"), 2);
    EXPECT_EQ(result.at("corpus").at("exact_match"), .5);
    EXPECT_EQ(result.at("corpus").at("missing"), 1);
    EXPECT_EQ(result.at("corpus").at("by_domain").at("c1").at("exact_match"), 0);
    EXPECT_EQ(result.at("corpus").at("by_domain").at("c2").at("exact_match"), 1);
    EXPECT_EQ(result.at("items")[1].at("id"), "b") << "in the items' order";
    const std::string unknown =
        folder_.file("u.jsonl", "{\"id\":\"a\",\"text\":\"One.\"}\n{\"id\":\"z\",\"text\":\"One.\"}\n");
    EXPECT_THAT(failure({"eval", "metric", "exact_match", "--items", items, "--outputs", unknown}),
                HasSubstr("u.jsonl:2: expected an id of --items, got 'z'"));
    EXPECT_THAT(failure({"eval", "metric", "exact_match", "--items", items, "--outputs",
                         folder_.file("c.jsonl", "{\"id\":\"c\",\"text\":\"One.\"}\n")}),
                HasSubstr("i.jsonl:3: field 'references': expected a list of texts, got none"));
}

// What `revise --method iter` wrote, after each round: one of two texts is right after the first, both after the second.
TEST_F(EvalMetric, RoundsAreMeasuredForTheFigure) {
    const std::string items = folder_.file(
        "i.jsonl",
        R"row({"id":"a","instruction":"i","text":"One two three.","references":["One."],"constraints":[["word_count_check(4, \"less than\")"]]})row"
        "\n"
        R"row({"id":"b","instruction":"i","text":"Four five six.","references":["Four."],"constraints":[["word_count_check(4, \"less than\")"]]})row"
        "\n");
    const std::string outputs = folder_.file(
        "o.jsonl", R"({"id":"a","text":"One.","trace":{"rounds":[{"text":"One."},{"text":"One."}]}})"
                   "\n"
                   R"({"id":"b","text":"Four.","trace":{"rounds":[{"text":"Four five six."},{"text":"Four."}]}})"
                   "\n");
    const std::string matches = dir() + "/m.json", accuracy = dir() + "/c.json";
    ASSERT_EQ(run_command(
                  {"eval", "metric", "exact_match", "--items", items, "--outputs", outputs, "--rounds", "--output", matches})
                  .code,
              0);
    const Json by_round = read_json_file(matches).at("corpus").at("by_round");
    EXPECT_EQ(by_round.at("1").at("exact_match"), .5);
    EXPECT_EQ(by_round.at("2").at("exact_match"), 1);
    ASSERT_EQ(run_command({"eval", "cord", "--items", items, "--outputs", outputs, "--rounds", "--output", accuracy}).code,
              0);
    // "Four five six." has four tokens, which are not less than four.
    EXPECT_EQ(read_json_file(accuracy).at("corpus").at("by_round").at("1").at("accuracy"), .5);
    EXPECT_EQ(read_json_file(accuracy).at("corpus").at("by_round").at("2").at("by_domain").at("c1").at("accuracy"), 1);
    const auto table = run_command({"eval", "table", "--layout", "f3", "--format", "csv", "Iter=" + accuracy});
    EXPECT_EQ(table.out, "Round,PPL,SOME,BARTScore,Acc.\r\nR1,-,-,-,50.00\r\nR2,-,-,-,100.00\r\n");
    EXPECT_THAT(table.err, HasSubstr("craft-train eval metric perplexity --model MODEL --rounds --items ITEMS"));
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
