// `eval metric` with a model or a command of the user's: BERTScore, perplexity, LENS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/command_inputs.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::Arguments;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kModelMetricItems = test::kShare + "/examples/revisions.jsonl";
const std::string kEncoderExample = test::kShare + "/examples/encoder";

struct ModelMetrics : test::CommandInputs {
    Json result(const Arguments& more, const std::string& input = kModelMetricItems) {
        Arguments all = {"eval", "metric"};
        all.insert(all.end(), more.begin(), more.end());
        all.insert(all.end(), {"--input", input, "--quiet"});
        const Outcome outcome = run_command(test::filled(all, "{dir}", dir()));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? parse_json(outcome.out, "stdout") : Json();
    }
    std::string refused(Arguments more, const std::string& input = kModelMetricItems) {
        Arguments all = {"eval", "metric"};
        all.insert(all.end(), more.begin(), more.end());
        all.insert(all.end(), {"--input", input, "--quiet"});
        return failure(all);
    }
};

TEST_F(ModelMetrics, BertScoreHasTheFormOfOtherMetrics) {
    const Json whole = result({"bertscore", "--model", kEncoderExample});
    EXPECT_EQ(whole.at("metric"), "bertscore");
    EXPECT_THAT(whole.at("signature").get<std::string>(),
                StartsWith("bertscore|bert-score-0.3.13|layer:2,idf:none,rescale:none,float32|model:xxh64:"));
    EXPECT_EQ(whole.at("count"), 3);
    EXPECT_EQ(whole.at("without_value"), 0);
    ASSERT_EQ(whole.at("items").size(), 3u);
    for (const char* key : {"bertscore", "precision", "recall", "f1"}) {
        EXPECT_TRUE(whole.at("corpus").at(key).is_number()) << key;
        EXPECT_TRUE(whole.at("items")[1].at(key).is_number()) << key;
    }
    const Json other = result({"bertscore", "--model", kEncoderExample, "--layer", "1", "--idf", "--normalize", "treebank"});
    EXPECT_THAT(other.at("signature").get<std::string>(), HasSubstr("|layer:1,idf:references,"));
    EXPECT_THAT(other.at("signature").get<std::string>(), testing::EndsWith(",detokenised-nltk-3.10.4"));
    EXPECT_EQ(other.at("options").at("idf"), "references");
    EXPECT_NE(other.at("corpus").at("bertscore"), whole.at("corpus").at("bertscore"));
}

TEST_F(ModelMetrics, DocumentFrequenciesOfAnotherFile) {
    const Json own = result({"bertscore", "--model", kEncoderExample, "--idf"});
    const Json same = result({"bertscore", "--model", kEncoderExample, "--idf-from", kModelMetricItems});
    EXPECT_EQ(own.at("items"), same.at("items"));
    EXPECT_THAT(same.at("signature").get<std::string>(), HasSubstr(",idf:xxh64:"));
    folder_.file("d.jsonl", "{\"references\":[\"the river\",\"\"]}\n{\"references\":[\"a road\"],\"id\":7}\n");
    const Json other = result({"bertscore", "--model", kEncoderExample, "--idf", "--idf-from", "{dir}/d.jsonl"});
    EXPECT_NE(own.at("corpus").at("f1"), other.at("corpus").at("f1"));
    EXPECT_EQ(refused({"bertscore", "--model", kEncoderExample, "--idf-from", "{dir}/text.jsonl"}),
              "1: {dir}/text.jsonl:1: field 'references': expected a list of texts, got none");
}

TEST_F(ModelMetrics, BertScoreIsRescaled) {
    folder_.file("base.tsv", "LAYER,P,R,F\n0,0,0,0\n1,0,0,0\n2,0.5,0.5,0.5\n");
    const double plain = result({"bertscore", "--model", kEncoderExample}).at("corpus").at("f1").get<double>();
    const Json rescaled = result({"bertscore", "--model", kEncoderExample, "--baseline", "{dir}/base.tsv"});
    EXPECT_NEAR(rescaled.at("corpus").at("f1").get<double>(), 2 * plain - 1, 1e-12);  // (x - 0.5) / (1 - 0.5)
    EXPECT_THAT(rescaled.at("signature").get<std::string>(), HasSubstr(",rescale:xxh64:"));
    EXPECT_EQ(refused({"bertscore", "--model", kEncoderExample, "--baseline", "{dir}/text.jsonl"}).substr(0, 36),
              "1: {dir}/text.jsonl:1: expected the ");
}

TEST_F(ModelMetrics, NeitherOrderNorThreadsChangeADigit) {
    std::vector<std::string> lines;
    std::istringstream in(read_file(kModelMetricItems));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::reverse(lines.begin(), lines.end());
    std::string reversed;
    for (const std::string& line : lines) reversed += line + "\r\n";
    const std::string file = folder_.file("reversed.jsonl", reversed);
    for (const Arguments& metric : {Arguments{"bertscore", "--model", kEncoderExample, "--idf"},
                                    Arguments{"perplexity", "--model", test::tiny_model()}}) {
        Arguments one = metric, two = metric;
        one.insert(one.end(), {"--threads", "1"});
        two.insert(two.end(), {"--threads", "2"});
        const Json forward = result(one);
        EXPECT_EQ(forward, result(two));
        Json backward = result(two, file);
        EXPECT_EQ(forward.at("corpus"), backward.at("corpus"));
        std::reverse(backward["items"].begin(), backward["items"].end());
        EXPECT_EQ(forward.at("items"), backward.at("items"));
    }
}

TEST_F(ModelMetrics, PerplexityOfPredictions) {
    folder_.file("m.jsonl",
                 "{\"id\":\"a\",\"prediction\":\"The river rose. It was late.\"}\n{\"id\":7,\"prediction\":\"\"}");
    const Json whole = result({"perplexity", "--model", test::tiny_model()}, dir() + "/m.jsonl");
    EXPECT_EQ(whole.at("without_value"), 1);
    EXPECT_TRUE(whole.at("items")[1].at("perplexity").is_null());
    EXPECT_EQ(whole.at("items")[1].at("tokens"), 0);
    EXPECT_GT(whole.at("corpus").at("perplexity").get<double>(), 1);
    EXPECT_EQ(whole.at("corpus").at("perplexity"), whole.at("items")[0].at("perplexity"));
    EXPECT_EQ(whole.at("options").at("sentences"), "paper");
    EXPECT_EQ(result({"perplexity", "--model", test::tiny_model(), "--sentences", "icu"}).at("options").at("sentences"),
              "icu");
}

// A stored model without a tokenizer, given one of 40 tokens: letters, and what surrounds texts.
void copy_with_letters(const std::string& name, const std::filesystem::path& to) {
    std::filesystem::create_directories(to);
    for (const char* file : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(test_source("/tests/model/encoders/") + name + "/model/" + file, to / file);
    std::string words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n";
    for (char c = 'a'; c <= 'q'; ++c) words += std::string(1, c) + "\n##" + std::string(1, c) + "\n";  // 6 + 2 * 17 = 40
    write_file_atomic(to / "vocab.txt", words);
    write_file_atomic(to / "tokenizer_config.json", R"({"tokenizer_class":"BertTokenizer","do_lower_case":true})");
}

TEST_F(ModelMetrics, BartScoreGivenTheSource) {
    copy_with_letters("bart", folder_.path() / "bart");
    const Json whole = result({"bartscore", "--model", "{dir}/bart"});
    EXPECT_THAT(whole.at("signature").get<std::string>(), StartsWith("bartscore|CRAFT-D.3|sentences:paper,float32|model:"));
    double sum = 0;
    for (const Json& item : whole.at("items")) sum += item.at("bartscore").get<double>();
    EXPECT_NEAR(whole.at("corpus").at("bartscore").get<double>(), sum / 3, 1e-12);
    EXPECT_LT(sum, 0);
    EXPECT_GT(whole.at("corpus").at("texts_cut").get<int64_t>(), 0) << "a letter is a token, and there are 24 positions";
    EXPECT_THAT(refused({"bartscore", "--model", kEncoderExample}), StartsWith("1: "));
}

TEST_F(ModelMetrics, BartScoreBothWays) {
    copy_with_letters("bart", folder_.path() / "bart");
    const auto corpus = [&](const Arguments& more) {
        Arguments all = {"bartscore", "--model", "{dir}/bart"};
        all.insert(all.end(), more.begin(), more.end());
        return result(all).at("corpus");
    };
    const double forward = corpus({}).at("bartscore"), backward = corpus({"--direction", "backward"}).at("bartscore");
    const Json both = corpus({"--direction", "f"});
    EXPECT_NEAR(both.at("bartscore").get<double>(), (forward + backward) / 2, 1e-5);
    EXPECT_NEAR(both.at("forward").get<double>(), forward, 1e-5);
    const Json whole = result({"bartscore", "--model", "{dir}/bart", "--against", "references", "--direction", "f"});
    EXPECT_THAT(whole.at("signature").get<std::string>(), HasSubstr(",direction:f,against:references,"));
    EXPECT_NE(whole.at("corpus").at("bartscore"), both.at("bartscore"));
    EXPECT_EQ(refused({"perplexity", "--model", "x", "--direction", "f"}),
              "2: --direction: expected with NAME bartscore, got NAME perplexity");
    EXPECT_THAT(refused({"bartscore", "--model", "x", "--direction", "up"}),
                HasSubstr("--direction: expected one of forward, backward, f, got 'up'"));
}

TEST_F(ModelMetrics, SomeIsMadeOfThreeRegressors) {
    for (const char* name : {"grammer", "fluency"}) copy_with_letters("bert-score", folder_.path() / "some" / name);
    EXPECT_EQ(refused({"some", "--model", "{dir}/some"}),
              "1: {dir}/some/meaning: expected the folder of a regressor of SOME, got none");
    const Json alone = result({"some", "--model", "{dir}/some", "--grammaticality"});
    EXPECT_EQ(alone.at("corpus").at("some"), alone.at("corpus").at("grammaticality"));
    EXPECT_FALSE(alone.at("corpus").contains("meaning"));
    EXPECT_THAT(alone.at("signature").get<std::string>(),
                StartsWith("some|CRAFT-D.3|weights:1/0/0,tokens:24,sentences:paper,"));
    copy_with_letters("bert-score", folder_.path() / "some" / "meaning");
    const Json whole = result({"some", "--model", "{dir}/some"});
    EXPECT_THAT(whole.at("signature").get<std::string>(), HasSubstr("|weights:.55/.43/.02,"));
    const Json& item = whole.at("items")[1];
    EXPECT_NEAR(item.at("some").get<double>(),
                .55 * item.at("grammaticality").get<double>() + .43 * item.at("fluency").get<double>() +
                    .02 * item.at("meaning").get<double>(),
                1e-12);
}

TEST_F(ModelMetrics, LensIsTheCommandsFigure) {
    const Json whole = result({"lens", "--scorer", R"(sed -u 's/}$/,"score":61.5,"scorer":"LENS","scale":[0,100]}/')"});
    EXPECT_EQ(whole.at("corpus"), Json::parse(R"({"lens":61.5})"));
    EXPECT_EQ(whole.at("items")[0], Json::parse(R"({"id":"r1","lens":61.5})"));
    EXPECT_THAT(whole.at("signature").get<std::string>(), StartsWith("lens|LENS|scale:[0,100]|command:xxh64:"));
    EXPECT_THAT(refused({"lens", "--scorer", R"(sed -u 's/}$/,"score":NaN}/')"}), HasSubstr("answer 1"));
    EXPECT_THAT(refused({"lens", "--scorer", "sleep 5", "--timeout", "0.2", "--set", "restarts=0"}),
                HasSubstr("expected 3 answers, got 0, then nothing for 0.2 s"));
}

TEST_F(ModelMetrics, WrongUsageIsSaidBeforeAModelIsOpened) {
    EXPECT_THAT(refused({"bertscore"}), StartsWith("2: missing --model: "));
    EXPECT_THAT(refused({"perplexity"}), StartsWith("2: missing --model: "));
    EXPECT_THAT(refused({"lens"}), StartsWith("2: missing --scorer: "));
    EXPECT_EQ(refused({"lens", "--scorer", "cat", "--model", "x"}),
              "2: --model: expected with NAME bartscore, bertscore, perplexity or some, got NAME lens");
    EXPECT_EQ(refused({"sari", "--idf"}), "2: --idf: expected with NAME bertscore, got NAME sari");
    EXPECT_EQ(refused({"perplexity", "--model", "x", "--tokenizer", "13a"}),
              "2: --tokenizer: expected one of model, batch_tokens, sentences with perplexity, which does not use this one");
    EXPECT_EQ(refused({"perplexity", "--model", "x", "--sentences", "line"}),
              "2: --sentences: expected icu or none (the paper's rule) with perplexity, got line");
    EXPECT_THAT(refused({"bertscor"}), HasSubstr("did you mean 'bertscore'?"));
    EXPECT_THAT(refused({"bertscore", "--model", kEncoderExample, "--layer", "3"}),
                StartsWith("2: --layer: expected at most the 2 layers of "));
    EXPECT_THAT(refused({"bertscore", "--model", kEncoderExample, "--layer", "-1"}), StartsWith("2: --layer: "));
    EXPECT_THAT(refused({"bertscore", "--model", test::tiny_model()}),
                HasSubstr("architectures: expected one of BertModel, "));
    EXPECT_THAT(refused({"perplexity", "--model", kEncoderExample}), StartsWith("1: "));
    EXPECT_THAT(refused({"bertscore", "--model", "{dir}/nowhere"}), StartsWith("1: {dir}/nowhere"));
}

TEST_F(ModelMetrics, BadItemsAreOneLineOrCounted) {
    folder_.file("m.jsonl",
                 "{\"id\":\"a\",\"prediction\":\"p\",\"references\":[\"r\"]}\n{\"id\":\"b\",\"prediction\":\"p\"}\n");
    const std::string file = dir() + "/m.jsonl";
    EXPECT_EQ(refused({"bertscore", "--model", kEncoderExample}, file),
              "1: {dir}/m.jsonl:2: field 'references': expected a list of texts, got none");
    const Json skipped = result({"bertscore", "--model", kEncoderExample, "--skip-bad-lines"}, file);
    EXPECT_EQ(skipped.at("bad_lines"), 1);
    EXPECT_EQ(skipped.at("count"), 1);
    EXPECT_EQ(refused({"lens", "--scorer", "cat"}, file), "1: {dir}/m.jsonl:1: field 'source': expected a string, got none");
    folder_.file("empty.jsonl", "");
    EXPECT_THAT(refused({"perplexity", "--model", test::tiny_model()}, dir() + "/empty.jsonl"),
                HasSubstr("expected at least one row, got none"));
}

}  // namespace
}  // namespace craft
