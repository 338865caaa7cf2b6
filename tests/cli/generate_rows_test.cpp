// Rows of `generate` and its kin: whose fault an error is, what ends an answer, which chat template is taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

class GenerateRows : public test::CommandInputs {
protected:
    GenerateRows() {
        fs::create_directory(model());
        for (const auto& entry : fs::directory_iterator(tiny_model()))
            fs::copy(entry.path(), model() / entry.path().filename());
        folder_.file("mixed.jsonl",
                     "{\"id\":1,\"prompt\":\"It is late.\"}\n"
                     "{\"id\":2,\"messages\":[{\"role\":\"user\",\"content\":\"It is late.\"}]}\n");
    }
    fs::path model() const { return folder_.path() / "model"; }
    test::Outcome generate(const std::string& input, const Arguments& more = {}, const std::string& tokens = "4") const {
        Arguments arguments = {"generate", "--model", model().string(), "--input",          dir() + "/" + input,
                               "--output", "-",       "--greedy",       "--max-new-tokens", tokens};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_command(arguments);
    }
    void says(const std::string& generation_config) const {
        write_file_atomic(model() / "generation_config.json", generation_config);
    }
    // Of one row of ids: eight tokens.
    test::Outcome sampled(const Arguments& more) const {
        folder_.file("row.jsonl", "{\"id\":1,\"input_ids\":[5,6,7]}\n");
        Arguments arguments = {"generate", "--model", model().string(), "--input",          dir() + "/row.jsonl",
                               "--output", "-",       "--ids",          "--max-new-tokens", "8"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_command(arguments);
    }
    std::vector<int64_t> greedy(Arguments more = {}) const {
        more.emplace_back("--greedy");
        return ids_of(sampled(more));
    }
    static std::vector<int64_t> ids_of(const test::Outcome& outcome) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? parse_json(outcome.out, "stdout")["output_ids"].get<std::vector<int64_t>>()
                                 : std::vector<int64_t>{0};
    }
};

TEST_F(GenerateRows, NoRowIsSkippedForTheFoldersTemplate) {
    fs::remove(model() / "chat_template.jinja");
    const test::Outcome outcome = generate("mixed.jsonl", {"--skip-bad-lines"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("chat_template.jinja, or a chat_template in tokenizer_config.json"));
    folder_.file("plain.jsonl", "{\"id\":1,\"prompt\":\"It is late.\"}\n");
    EXPECT_EQ(generate("plain.jsonl").code, 0) << "plain prompts need no template";
    EXPECT_EQ(generate("mixed.jsonl", {"--chat-template", "chatml"}).code, 0);
    EXPECT_EQ(generate("plain.jsonl", {"--chat-template", "chatmk"}).code, 2);
}

TEST_F(GenerateRows, GreedySamplesAreRefused) {
    EXPECT_THAT(generate("mixed.jsonl", {"--samples", "2"}).err, HasSubstr("drop --greedy"));
}

TEST_F(GenerateRows, ASmallCacheChangesNoAnswer) {
    const test::Outcome usual = generate("mixed.jsonl");
    EXPECT_EQ(usual.code, 0);
    for (const std::string memory : {"1e-12", "0.001", "0"})
        EXPECT_EQ(generate("mixed.jsonl", {"--cache-memory", memory}).out, usual.out) << memory;
    for (const std::string memory : {"-1", "much", "1e9"}) {
        const test::Outcome bad = generate("mixed.jsonl", {"--cache-memory", memory});
        EXPECT_EQ(bad.code, 2) << memory;
        EXPECT_THAT(bad.err, HasSubstr("--cache-memory: expected")) << memory;
    }
}

TEST_F(GenerateRows, TheChosenTemplateIsRendered) {
    folder_.file("refuses.jinja", "{{ raise_exception('never ' ~ messages[0]['content']) }}");
    EXPECT_THAT(generate("mixed.jsonl", {"--chat-template", dir() + "/refuses.jinja"}).err, HasSubstr("never It is late."));
    folder_.file("chat.jsonl",
                 "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}\n");
    const std::string template_file = dir() + "/refuses.jinja";
    for (const Arguments& command :
         std::vector<Arguments>{{"sft", "--data", "{dir}/chat.jsonl", "--out", "{dir}/out"},
                                {"plan", "--instructions", "{dir}/instructions.jsonl", "--output", "{dir}/o"}}) {
        Arguments arguments = command;
        arguments.insert(arguments.end(), {"--model", model().string(), "--chat-template", template_file});
        EXPECT_THAT(failure(arguments), HasSubstr("never ")) << command[0];
    }
}

TEST_F(GenerateRows, IdsBeyondTheModelsRowsAreErrorsOfTheirRow) {
    Json config = read_json_file(model() / "tokenizer_config.json");
    const int64_t rows = read_json_file(model() / "config.json")["vocab_size"].get<int64_t>();
    config["added_tokens_decoder"][std::to_string(rows)] = {{"content", "<new>"}, {"special", true}};
    write_json_file(model() / "tokenizer_config.json", config);
    folder_.file("new.jsonl",
                 "{\"id\":1,\"prompt\":\"a<new>\",\"completion\":\"b\"}\n"
                 "{\"id\":2,\"prompt\":\"a\",\"completion\":\"b\"}\n");
    EXPECT_THAT(generate("new.jsonl").err, HasSubstr("new.jsonl:1: expected token ids below the model's vocabulary"));
    EXPECT_EQ(generate("new.jsonl", {"--skip-bad-lines"}).code, 0);
    const test::Outcome scored =
        run_command({"score", "--model", model().string(), "--input", dir() + "/new.jsonl", "--output", "-"});
    EXPECT_THAT(scored.err, HasSubstr("new.jsonl:1: expected token ids below the model's vocabulary"));
}

// Streams belong to ids and samples, not to places.
TEST_F(GenerateRows, OrderChangesNoSample) {
    const std::string one = "{\"id\":\"a\",\"prompt\":\"It is late.\"}\n", two = "{\"id\":7,\"prompt\":\"It was\"}\n";
    folder_.file("one-two.jsonl", one + two);
    folder_.file("two-one.jsonl", two + one);
    const auto sorted_lines = [&](const std::string& input) {
        const test::Outcome outcome =
            run_command({"generate", "--model", model().string(), "--input", dir() + "/" + input, "--output", "-",
                         "--temperature", "2", "--samples", "3", "--max-new-tokens", "8"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::multiset<std::string> lines;
        std::istringstream text(outcome.out);
        for (std::string line; std::getline(text, line);) lines.insert(line);
        return lines;
    };
    EXPECT_EQ(sorted_lines("one-two.jsonl").size(), 6u);
    EXPECT_EQ(sorted_lines("two-one.jsonl"), sorted_lines("one-two.jsonl"));
}

// The template's <|im_end|> is no end token of this folder: it ends the conversation's answer, and not the plain prompt's.
TEST_F(GenerateRows, TheEndOfATurnEndsNoPlainPrompt) {
    folder_.file("two.jsonl",
                 "{\"id\":1,\"prompt\":\"<|im_start|>user\\nIt is late.<|im_end|>\\n<|im_start|>assistant\\nok\"}\n"
                 "{\"id\":2,\"messages\":[{\"role\":\"user\",\"content\":\"It is late.\"}]}\n");
    write_file_atomic(model() / "generation_config.json", "{\"eos_token_id\": 2}");
    const auto texts = [&](const std::string& input) {
        std::map<int64_t, std::string> found;
        std::istringstream lines(generate(input, {}, "40").out);
        for (std::string line; std::getline(lines, line);) {
            const Json row = parse_json(line, "out");
            found[row["id"].get<int64_t>()] = row["text"].get<std::string>();
        }
        return found;
    };
    folder_.file("one.jsonl",
                 "{\"id\":1,\"prompt\":\"<|im_start|>user\\nIt is late.<|im_end|>\\n<|im_start|>assistant\\nok\"}\n");
    const auto together = texts("two.jsonl"), alone = texts("one.jsonl");
    ASSERT_EQ(together.size(), 2u);
    EXPECT_EQ(together.at(1), alone.at(1)) << "what runs beside it changes nothing";
}

TEST_F(GenerateRows, WhatIsNotDoneIsSaid) {
    says(R"({"eos_token_id": 5, "do_sample": true, "repetition_penalty": 1.1, "num_beams": 4, "no_repeat_ngram_size": 0})");
    folder_.file("plain.jsonl", "{\"id\":1,\"prompt\":\"It is late.\"}\n");
    EXPECT_THAT(generate("plain.jsonl").err, HasSubstr("ignored: num_beams\n"));
    says(R"({"eos_token_id": 5, "do_sample": true, "top_k": 1e300})");
    EXPECT_EQ(generate("plain.jsonl").code, 0) << "greedy asks for none of it";
    EXPECT_THAT(sampled({}).err, HasSubstr("generation_config.json: top_k: expected an integer from 0"));
    says(R"({"eos_token_id": 5, "bad_words_ids": [[1, 500]]})");
    EXPECT_THAT(generate("plain.jsonl").err,
                HasSubstr("bad_words_ids: expected token ids below the model's vocabulary of 500"));
    Json everything = Json::array();
    for (int64_t id = 0; id < 500; ++id) everything.push_back(id);
    says(Json{{"suppress_tokens", everything}}.dump());
    EXPECT_THAT(generate("plain.jsonl").err, HasSubstr("none: the rules for logits leave no token"));
}

TEST_F(GenerateRows, TheFilesRulesHoldForGreedyAndItsFiltersDoNot) {
    says("{}");
    const std::vector<int64_t> plain = greedy();
    ASSERT_EQ(plain.size(), 8u);
    says(R"({"do_sample": true, "temperature": 3, "top_p": 0.5, "min_p": 0.9, "typical_p": 0.1, "top_h": 0.1})");
    EXPECT_EQ(greedy(), plain);
    says(Json{{"suppress_tokens", {plain[0]}}}.dump());
    EXPECT_NE(greedy()[0], plain[0]);
    says(R"({"no_repeat_ngram_size": 1})");
    const std::vector<int64_t> distinct = greedy();
    EXPECT_EQ(std::set<int64_t>(distinct.begin(), distinct.end()).size(), 8u);
    says(R"({"eos_token_id": 5, "forced_eos_token_id": 5, "min_new_tokens": 7})");
    EXPECT_EQ(greedy().back(), 5);
    EXPECT_EQ(greedy().size(), 8u);
}

TEST_F(GenerateRows, FlagsComeBeforeTheFile) {
    says("{}");
    const std::vector<int64_t> plain = greedy();
    const std::vector<int64_t> penalised = greedy({"--repetition-penalty", "1e6"});
    EXPECT_EQ(std::set<int64_t>(penalised.begin(), penalised.end()).size(), 8u);
    says(R"({"repetition_penalty": 1e6})");
    EXPECT_EQ(greedy(), penalised);
    EXPECT_EQ(greedy({"--repetition-penalty", "1"}), plain);
    // Of the most probable token alone a sample is the arg-max.
    says("{}");
    EXPECT_EQ(ids_of(sampled({"--min-p", "1"})), plain);
    says(R"({"do_sample": true, "temperature": 2, "min_p": 1})");
    EXPECT_EQ(ids_of(sampled({})), plain);
    EXPECT_NE(ids_of(sampled({"--min-p", "0"})), plain);
}

TEST_F(GenerateRows, TheFilesStopStringsCutTheText) {
    says("{}");
    folder_.file("plain.jsonl", "{\"id\":1,\"prompt\":\"It is late.\"}\n");
    const auto text = [&](const Arguments& more) {
        return parse_json(generate("plain.jsonl", more, "30").out, "stdout")["text"].get<std::string>();
    };
    const std::string whole = text({});
    const auto letter = std::find_if(whole.begin() + 1, whole.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    ASSERT_NE(letter, whole.end());
    says(Json{{"stop_strings", std::string(1, *letter)}}.dump());
    EXPECT_EQ(text({}), whole.substr(0, whole.find(*letter)));
    EXPECT_EQ(text({"--stop", "nobody says that"}), whole);
    folder_.file("ids.jsonl", "{\"id\":1,\"input_ids\":[5,6,7]}\n");
    EXPECT_THAT(generate("ids.jsonl", {"--ids"}).err, HasSubstr("ignored: stop_strings\n"));
}

TEST_F(GenerateRows, PromptsThatLeaveNoPositionFailAlone) {
    Json config = read_json_file(model() / "config.json");
    config["max_position_embeddings"] = 8;
    write_json_file(model() / "config.json", config);
    const std::string fits = "{\"id\":1,\"input_ids\":[5,6,7,5,6,7,5]}\n",
                      fills = "{\"id\":2,\"input_ids\":[5,6,7,5,6,7,5,6]}\n";
    folder_.file("rows.jsonl", fills + fits);
    const test::Outcome outcome = generate("rows.jsonl", {"--ids"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string first, second;
    std::getline(lines, first);
    std::getline(lines, second);
    EXPECT_EQ(
        parse_json(first, "out"),
        Json({{"id", 2},
              {"failed", "prompt_too_long"},
              {"error", dir() + "/rows.jsonl:1: expected a prompt that leaves one of the model's 8 positions, got 8 tokens "
                                "(shorten it, or take a model of more positions)"}}));
    EXPECT_EQ(parse_json(second, "out")["output_ids"].size(), 4u) << "the answer itself may go on beyond rotary positions";
    EXPECT_THAT(outcome.err, HasSubstr("rows that do not go into the model's positions fail"));
    folder_.file("long.jsonl", fills);
    const test::Outcome none = generate("long.jsonl", {"--ids"});
    EXPECT_EQ(none.code, 1);
    EXPECT_EQ(none.out, "");
    EXPECT_THAT(none.err,
                HasSubstr("long.jsonl:1: expected a prompt that leaves one of the model's 8 positions, got 8 tokens"));
}

TEST_F(GenerateRows, ScoredRowsBeyondThePositionsFailAlone) {
    Json config = read_json_file(model() / "config.json");
    config["max_position_embeddings"] = 8;
    write_json_file(model() / "config.json", config);
    const auto scored = [&](const std::string& rows) {
        folder_.file("rows.jsonl", rows);
        return run_command(
            {"score", "--model", model().string(), "--ids", "--input", dir() + "/rows.jsonl", "--output", "-"});
    };
    const std::string fills = "{\"id\":1,\"input_ids\":[5,6,7,5,6,7,5,6]}\n",
                      more = "{\"id\":2,\"input_ids\":[5,6,7,5,6,7,5,6,7]}\n";
    const test::Outcome alone = scored(fills), outcome = scored(more + fills);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const size_t line = outcome.out.find('\n') + 1;
    EXPECT_EQ(
        parse_json(outcome.out.substr(0, line), "out"),
        Json({{"id", 2},
              {"failed", "prompt_too_long"},
              {"error", dir() + "/rows.jsonl:1: expected at most the model's 8 positions, got 9 tokens (shorten it, or take "
                                "a model of more positions)"}}));
    EXPECT_EQ(outcome.out.substr(line), alone.out);
    EXPECT_EQ(scored(more).code, 1);
}

}  // namespace
}  // namespace craft
