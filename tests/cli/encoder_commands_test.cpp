// `embed`, and `score` of an encoder-decoder, on small stored folders.
#include <gmock/gmock.h>

#include <sstream>

#include "core/json.h"
#include "tests/cli/command_inputs.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::failure_of;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;

const std::string kEncoders = test_source("/tests/model/encoders/");
const std::string kExample = test::kShare + "/examples/encoder";

std::vector<Json> rows_of(const std::string& text) {
    std::vector<Json> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) rows.push_back(parse_json(line, "output"));
    return rows;
}

struct EncoderCommands : test::CommandInputs {
    std::vector<Json> rows(const test::Arguments& arguments) const {
        const Outcome outcome = run_command(test::filled(arguments, "{dir}", dir()));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return rows_of(outcome.out);
    }
    std::vector<Json> embed(const std::string& model, const std::string& lines, const test::Arguments& more = {"--ids"}) {
        folder_.file("rows.jsonl", lines);
        test::Arguments all = {"embed", "--model", model, "--input", "{dir}/rows.jsonl", "--output", "-", "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return rows(all);
    }
    std::string refused(const std::string& command, const std::string& model, const std::string& lines) {
        folder_.file("rows.jsonl", lines);
        return failure({command, "--model", model, "--ids", "--input", "{dir}/rows.jsonl", "--output", "-", "--quiet"});
    }
};

TEST_F(EncoderCommands, EmbedKeepsTheOrderAndOneWayOfCutting) {
    std::string lines;
    for (int i = 0; i < 7; ++i) {
        Json ids = Json::array();
        for (int t = 0; t <= (5 * i) % 7; ++t) ids.push_back(6 + (i + 3 * t) % 30);
        lines += Json({{"id", i}, {"input_ids", ids}}).dump() + "\n";
    }
    const std::vector<Json> whole = embed(kEncoders + "bert/model", lines);
    ASSERT_EQ(whole.size(), 7u);
    for (int i = 0; i < 7; ++i) {
        EXPECT_EQ(whole[static_cast<size_t>(i)]["id"], i);
        EXPECT_EQ(whole[static_cast<size_t>(i)]["hidden"].size(), static_cast<size_t>((5 * i) % 7 + 1));
        EXPECT_EQ(whole[static_cast<size_t>(i)]["hidden"][0].size(), 16u);
    }
    EXPECT_EQ(embed(kEncoders + "bert/model", lines, {"--ids", "--batch-tokens", "3"}), whole);
}

TEST_F(EncoderCommands, EmbedReadsMasksAndTypes) {
    const std::vector<Json> all = embed(kEncoders + "bert/model", R"({"id":"a","input_ids":[7,8,9]}
{"id":"b","input_ids":[7,8,9,0],"attention_mask":[1,1,1,0]}
{"id":"c","input_ids":[7,8,9],"attention_mask":null,"token_type_ids":[0,1,1]}
)");
    ASSERT_EQ(all.size(), 3u);
    ASSERT_EQ(all[1]["hidden"].size(), 4u);
    for (size_t t = 0; t < 3; ++t)
        for (size_t i = 0; i < 16; ++i) EXPECT_NEAR(all[0]["hidden"][t][i], all[1]["hidden"][t][i].get<double>(), 1e-6);
    EXPECT_NE(all[0]["hidden"], all[2]["hidden"]);
}

TEST_F(EncoderCommands, ARegressionHeadGivesAScore) {
    const std::string lines = "{\"id\":\"a\",\"input_ids\":[7,8,9]}\n{\"id\":2,\"input_ids\":[7]}\n";
    const std::vector<Json> all = embed(kEncoders + "bert-score/model", lines);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].size(), 2u);
    EXPECT_TRUE(all[0]["score"].is_number_float()) << all[0];
    EXPECT_EQ(embed(kEncoders + "bert-score/model", lines, {"--ids", "--hidden"})[0]["hidden"].size(), 3u);
}

TEST_F(EncoderCommands, EmbedTokenisesTexts) {
    // [CLS] the river ##s [SEP]: letters for what is no word
    const std::vector<Json> texts = embed(kExample, "{\"id\":\"a\",\"text\":\"The rivers\"}\n", {});
    folder_.file("text.jsonl", "{\"id\":\"a\",\"text\":\"The rivers\"}\n");
    const Json ids = rows({"tokenize", "--model", kExample, "--input", "{dir}/text.jsonl"})[0]["ids"];
    ASSERT_EQ(ids.size(), 5u) << ids;
    EXPECT_EQ(ids[0], 2);
    EXPECT_EQ(ids[4], 3);
    EXPECT_EQ(texts, embed(kExample, Json({{"id", "a"}, {"input_ids", ids}}).dump() + "\n"));
}

TEST_F(EncoderCommands, RowsThatCannotBeEmbeddedAreNamed) {
    const std::string bert = kEncoders + "bert/model";
    EXPECT_EQ(refused("embed", bert, "{\"id\":1,\"input_ids\":[7,40]}\n"),
              "1: {dir}/rows.jsonl:1: field 'input_ids': expected token ids below the vocabulary's 40, got 40");
    EXPECT_EQ(refused("embed", bert, "{\"id\":1,\"input_ids\":[7],\"attention_mask\":[1,1]}\n"),
              "1: {dir}/rows.jsonl:1: attention_mask: expected one value for each of the 1 tokens, got 2");
    EXPECT_EQ(refused("embed", bert, "{\"id\":1,\"input_ids\":[7],\"token_type_ids\":[0.5]}\n"),
              "1: {dir}/rows.jsonl:1: field 'token_type_ids': expected a list of integers, got 0.5");
    std::string ids = "7";
    for (int i = 0; i < 24; ++i) ids += ",7";
    EXPECT_EQ(refused("embed", bert, "{\"id\":1,\"input_ids\":[" + ids + "]}\n"),
              "1: {dir}/rows.jsonl:1: expected at most the model's 24 positions, got 25 tokens");
    EXPECT_THAT(refused("embed", test::tiny_model(), "{\"id\":1,\"input_ids\":[7]}\n"),
                HasSubstr("architectures: expected one of BertModel, "));
}

TEST_F(EncoderCommands, ScoreOfATargetGivenItsSource) {
    const std::string lines = R"({"id":"a","source_ids":[7,8,9],"target_ids":[10,11,12,2]}
{"id":"b","source_ids":[7],"target_ids":[10]}
)";
    folder_.file("rows.jsonl", lines);
    const test::Arguments command = {
        "score", "--model", kEncoders + "bart/model", "--ids", "--input", "{dir}/rows.jsonl", "--output",
        "-",     "--quiet", "--batch-tokens"};
    const auto with = [&](const std::string& tokens) {
        test::Arguments all = command;
        all.push_back(tokens);
        return rows(all);
    };
    const std::vector<Json> all = with("4096");
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["id"], "a");
    ASSERT_EQ(all[0]["logprobs"].size(), 4u);
    EXPECT_EQ(all[1]["logprobs"].size(), 1u);
    for (const Json& value : all[0]["logprobs"]) EXPECT_LT(value.get<double>(), 0);
    EXPECT_EQ(with("1"), all);
}

TEST_F(EncoderCommands, ScoreTellsWhatTheModelIs) {
    EXPECT_EQ(refused("score", kEncoders + "bart/model", "{\"id\":1,\"input_ids\":[7,8]}\n"),
              "1: {dir}/rows.jsonl:1: expected 'source_ids' and 'target_ids': BartForConditionalGeneration is an "
              "encoder-decoder, got 'input_ids' (these are for decoders)");
    EXPECT_EQ(refused("score", test::tiny_model(), "{\"id\":1,\"source_ids\":[7],\"target_ids\":[8]}\n"),
              "1: {dir}/rows.jsonl:1: expected 'input_ids': LlamaForCausalLM is a decoder, got 'source_ids' (these are for "
              "encoder-decoders)");
    EXPECT_EQ(refused("score", kEncoders + "bert/model", "{\"id\":1,\"input_ids\":[7,8]}\n"),
              "1: " + kEncoders +
                  "bert/model: expected a decoder or an encoder-decoder, got an encoder (craft-train embed gives its states "
                  "and the score of a regression head)");
    folder_.file("rows.jsonl", "{\"id\":1,\"source_ids\":[7],\"target_ids\":[8]}\n");
    EXPECT_THAT(failure({"score", "--model", kEncoders + "bart/model", "--adapter", "{dir}/a", "--ids", "--input",
                         "{dir}/rows.jsonl", "--output", "-"}),
                testing::StartsWith("2: --adapter: "));
}

}  // namespace
}  // namespace craft
