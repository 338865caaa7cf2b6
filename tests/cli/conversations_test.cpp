// One reading of conversations: every command that takes them hands all of a row to the template, and says what it does not
// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// Refuses a conversation that has lost anything on its way.
constexpr const char* kStrict =
    "{%- if tools[0].name != 'f' %}{{ raise_exception('no tools') }}{% endif %}"
    "{%- if documents[0].title != 't' %}{{ raise_exception('no documents') }}{% endif %}"
    "{%- if switch is not defined or switch %}{{ raise_exception('no switch') }}{% endif %}"
    "{%- if messages[1].tool_calls[0].function.arguments.x != 3 %}{{ raise_exception('no call') }}{% endif %}"
    "{%- if messages[1].reasoning_content != 'r' %}{{ raise_exception('no reasoning') }}{% endif %}"
    "{%- if messages[1].content is defined %}{{ raise_exception('null is absent') }}{% endif %}"
    "{%- if messages[2].tool_call_id != '1' %}{{ raise_exception('no id') }}{% endif %}"
    "{%- for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

constexpr const char* kHistory =
    R"([{"role":"user","content":"q"},{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"type":"function",)"
    R"("function":{"name":"f","arguments":{"x":3}}}]},{"role":"tool","tool_call_id":"1","content":"7"}])";
constexpr const char* kBeside =
    R"("tools":"[{\"name\":\"f\"}]","documents":[{"title":"t"}],"chat_template_kwargs":{"switch":false},"origin":"web","label":null)";

std::string answered(const std::string& text) {
    const std::string history = kHistory;
    return history.substr(0, history.size() - 1) + R"(,{"role":"assistant","content":")" + text + "\"}]";
}

class Conversations : public test::CommandInputs {
protected:
    Conversations() {
        fs::create_directory(folder_.path() / "model");
        for (const auto& entry : fs::directory_iterator(tiny_model()))
            fs::copy(entry.path(), folder_.path() / "model" / entry.path().filename());
        folder_.file("model/chat_template.jinja", kStrict);
        const std::string history = kHistory, beside = kBeside;
        const std::string yes = R"([{"role":"assistant","content":"yes"}])", no = R"([{"role":"assistant","content":"no"}])";
        folder_.file("asked.jsonl", R"({"id":1,"messages":)" + history + "," + beside + "}\n" + R"({"id":2,"prompt":)" +
                                        history + "," + beside + "}\n");
        folder_.file("answered.jsonl", R"({"id":1,"messages":)" + answered("yes") + "," + beside + "}\n" +
                                           R"({"id":2,"prompt":)" + history + R"(,"completion":)" + yes + "," + beside +
                                           "}\n");
        folder_.file("judged.jsonl", R"({"prompt":)" + history + R"(,"chosen":)" + yes + R"(,"rejected":)" + no + "," +
                                         beside + "}\n" + R"({"chosen":)" + answered("yes") + R"(,"rejected":)" +
                                         answered("no") + "," + beside + "}\n");
    }
    test::Outcome run(const Arguments& arguments) const { return run_command(test::filled(arguments, "{dir}", dir())); }
};

TEST_F(Conversations, NothingOfARowIsLost) {
    const std::vector<Arguments> commands = {
        {"chat", "--model", "{dir}/model", "--input", "{dir}/asked.jsonl", "--output", "-", "--skip-bad-lines"},
        {"generate", "--model", "{dir}/model", "--input", "{dir}/asked.jsonl", "--output", "-", "--max-new-tokens", "2"},
        {"score", "--model", "{dir}/model", "--input", "{dir}/answered.jsonl", "--output", "-"},
        {"sft", "--model", "{dir}/model", "--data", "{dir}/answered.jsonl", "--out", "{dir}/sft", "--epochs", "1"},
        {"align", "--model", "{dir}/model", "--pairs", "{dir}/judged.jsonl", "--out", "{dir}/align", "--epochs", "1"}};
    for (const Arguments& command : commands) {
        const test::Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 0) << command[0] << ": " << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("ignored keys")) << command[0];
        EXPECT_THAT(outcome.err, HasSubstr("origin=")) << command[0];
        EXPECT_THAT(outcome.err, testing::Not(HasSubstr("label="))) << command[0] << ": null is absent";
    }
    EXPECT_EQ(read_json_file(folder_.path() / "sft/manifest.json")["notes"]["unknown_keys"], Json({{"origin", 2}}));
    EXPECT_EQ(read_json_file(folder_.path() / "align/manifest.json")["notes"]["unknown_keys"], Json({{"origin", 2}}));
    EXPECT_EQ(read_json_file(folder_.path() / "sft/manifest.json")["notes"]["examples"], 2);
    EXPECT_EQ(read_json_file(folder_.path() / "align/manifest.json")["notes"]["examples"], 2);
}

// Three conversations of one long system message are one example, whose beginning is computed once; without it, or joined by
// two, they are more. Their tokens are counted as if each stood alone.
TEST_F(Conversations, OfOneSystemMessageAreTrainedOnTogether) {
    std::string rules, rows;
    for (int i = 0; i < 80; ++i) rules += "be brief ";
    for (const char* word : {"one", "two", "three"})
        rows += R"({"messages":[{"role":"system","content":")" + rules + R"("},{"role":"user","content":")" + word +
                R"("},{"role":"assistant","content":"yes"}]})" + "\n";
    folder_.file("shared.jsonl", rows);
    const auto notes = [&](const std::string& name, const std::string& setting) {
        const test::Outcome outcome = run(
            {"sft", "--model", tiny_model(), "--data", "{dir}/shared.jsonl", "--out", "{dir}/" + name, "--set", setting});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read_json_file(folder_.path() / name / "manifest.json")["notes"];
    };
    const Json apart = notes("apart", "data.join=1"), two = notes("two", "data.join=2"), all = notes("all", "data.join=9");
    EXPECT_EQ(apart["examples"], 3);
    EXPECT_EQ(two["examples"], 2);
    EXPECT_EQ(all["examples"], 1);
    EXPECT_EQ(apart["sequence_tokens"], all["sequence_tokens"]);
    EXPECT_LT(all["training"]["tokens"].get<int64_t>() * 2, apart["training"]["tokens"].get<int64_t>());
    const auto drawn = std::to_string(apart["sequence_tokens"].get<int64_t>() / 2);
    EXPECT_EQ(notes("drawn", "data.tokens=" + drawn)["examples"], 2);
}

// Of a conversation and of its last answer as a completion the same tokens are scored, but for the earlier answer's.
TEST_F(Conversations, ScoresAreOfWhatTheAssistantSaid) {
    folder_.file("plain.jsonl",
                 "{\"id\":1,\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"It is "
                 "late.\"}]}\n"
                 "{\"id\":2,\"prompt\":[{\"role\":\"user\",\"content\":\"q\"}],\"completion\":[{\"role\":\"assistant\","
                 "\"content\":\"It "
                 "is late.\"}]}\n");
    const test::Outcome outcome =
        run({"score", "--model", tiny_model(), "--input", "{dir}/plain.jsonl", "--output", "{dir}/scores.jsonl"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    JsonLinesReader rows((folder_.path() / "scores.jsonl").string());
    const Json whole = rows.next().value(), completion = rows.next().value();
    EXPECT_EQ(whole["logprobs"], completion["logprobs"]);
    EXPECT_GT(whole["tokens"], 3);
    EXPECT_EQ(whole["tokens"], whole["logprobs"].size());
}

// A string beside a list is nobody's row, as with TRL; nothing said is dropped and counted by trainings and refused where a
// score of it is asked for.
TEST_F(Conversations, RowsWithoutAnAnswerAreTheSameToAll) {
    const std::string ask = R"([{"role":"user","content":"q"}])", yes = R"([{"role":"assistant","content":"y"}])";
    folder_.file("mixed.jsonl", R"({"id":1,"prompt":)" + ask + R"(,"completion":"y"})" + "\n");
    folder_.file("mixed_pair.jsonl", R"({"prompt":)" + ask + R"(,"chosen":"y","rejected":"n"})" + "\n");
    const Arguments score = {"score", "--model", "{model}", "--output", "{dir}/o", "--input"},
                    sft = {"sft", "--model", "{model}", "--out", "{dir}/mixed", "--data"},
                    align = {"align", "--model", "{model}", "--out", "{dir}/mixed", "--pairs"};
    const auto on = [&](Arguments command, const std::string& file) {
        command.push_back("{dir}/" + file);
        return command;
    };
    const std::string refused =
        "1: {dir}/mixed.jsonl:1: expected prompt and completion both strings or both lists of messages, got both kinds";
    EXPECT_EQ(failure(on(score, "mixed.jsonl")), refused);
    EXPECT_EQ(failure(on(sft, "mixed.jsonl")), refused);
    EXPECT_EQ(failure(on(align, "mixed_pair.jsonl")),
              "1: {dir}/mixed_pair.jsonl:1: expected prompt, chosen and rejected all strings or all lists of messages, got "
              "both kinds");

    const std::string unanswered = R"({"id":2,"messages":)" + ask + "}\n",
                      nothing = R"({"id":3,"prompt":)" + ask + R"(,"completion":[]})" + "\n",
                      weightless = R"({"id":4,"messages":[{"role":"assistant","content":"y","weight":0}]})"
                                   "\n";
    for (const std::string& row : {unanswered, nothing, weightless}) {
        folder_.file("one.jsonl", row);
        EXPECT_EQ(failure(on(score, "one.jsonl")),
                  "1: {dir}/one.jsonl:1: expected a turn of the assistant to score, got none that counts");
    }
    folder_.file("some.jsonl", unanswered + nothing + weightless + R"({"id":5,"messages":[]})" + "\n" +
                                   R"({"id":6,"prompt":)" + ask + R"(,"completion":)" + yes + "}\n");
    const test::Outcome trained =
        run({"sft", "--model", tiny_model(), "--data", "{dir}/some.jsonl", "--out", "{dir}/some", "--epochs", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(read_json_file(folder_.path() / "some/manifest.json")["dropped"],
              Json({{"empty response", 3}, {"no turn counts", 1}}));
    const test::Outcome scored = run({"score", "--model", tiny_model(), "--input", "{dir}/some.jsonl", "--output",
                                      "{dir}/some_scores.jsonl", "--skip-bad-lines"});
    ASSERT_EQ(scored.code, 0) << scored.err;
    JsonLinesReader rows((folder_.path() / "some_scores.jsonl").string());
    EXPECT_EQ(rows.next().value()["id"], 6);
    EXPECT_FALSE(rows.next());
}

TEST_F(Conversations, AShareOfPlansIsWarnedOfWhereThereAreNone) {
    folder_.file("rows.jsonl", "{\"prompt\":\"a\",\"completion\":\" b\"}\n");
    for (const char* plans : {"1", ".25"}) {
        const test::Outcome outcome = run({"sft", "--model", tiny_model(), "--data", "{dir}/rows.jsonl", "--out",
                                           "{dir}/sft", "--overwrite", "--set", std::string("data.plans=") + plans});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err.find("data.plans changes nothing here") != std::string::npos, plans[0] == '.') << outcome.err;
    }
}

TEST_F(Conversations, CallsThatATemplateLeavesOutAreNamedOnceARun) {
    const std::string ask = R"({"role":"user","content":"q"})",
                      call = R"({"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]})",
                      beside = R"(,"tools":[{"name":"f"}]})"
                               "\n";
    const std::string row = R"({"id":1,"messages":[)" + ask + "," + call + "]" + beside;
    folder_.file("calls.jsonl", row + row);
    folder_.file("pairs.jsonl", R"({"prompt":[)" + ask + R"(],"chosen":[)" + call +
                                    R"(],"rejected":[{"role":"assistant","content":"n"}])" + beside);
    const Arguments model = {"--model", tiny_model(), "--chat-template", "chatml"};
    const std::vector<Arguments> commands = {
        {"chat", "--input", "{dir}/calls.jsonl", "--output", "-"},
        {"generate", "--input", "{dir}/calls.jsonl", "--output", "-", "--max-new-tokens", "1"},
        {"score", "--input", "{dir}/calls.jsonl", "--output", "-"},
        {"sft", "--data", "{dir}/calls.jsonl", "--out", "{dir}/sft", "--epochs", "1", "--set", "data.keep_empty_turns=true"},
        {"align", "--pairs", "{dir}/pairs.jsonl", "--out", "{dir}/align", "--epochs", "1", "--set",
         "data.keep_empty_turns=true"}};
    for (Arguments command : commands) {
        command.insert(command.end(), model.begin(), model.end());
        const test::Outcome outcome = run(command);
        const std::string count = command[0] == "align" ? "=1" : "=2", line = "ignored keys";
        EXPECT_EQ(outcome.code, 0) << command[0] << ": " << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("message: tool_calls (the template leaves them out: --chat-template)" + count))
            << command[0];
        EXPECT_THAT(outcome.err, HasSubstr("tools (the template leaves them out: --chat-template)" + count)) << command[0];
        EXPECT_EQ(outcome.err.find(line), outcome.err.rfind(line)) << command[0] << ": one line";
        const bool trains = command[0] == "sft" || command[0] == "align";
        EXPECT_EQ(outcome.err.find("few optimiser steps") != std::string::npos, trains) << command[0];
        EXPECT_EQ(outcome.err.find("hint=--batch-size, now ") != std::string::npos, trains) << command[0];
    }
    const Json twice = {{"message: tool_calls (the template leaves them out: --chat-template)", 2},
                        {"tools (the template leaves them out: --chat-template)", 2}};
    EXPECT_EQ(read_json_file(folder_.path() / "sft/manifest.json")["notes"]["unknown_keys"], twice);
    // What is left of such a turn is its end.
    Arguments empty = {"sft", "--data", "{dir}/calls.jsonl", "--out", "{dir}/empty"};
    empty.insert(empty.end(), model.begin(), model.end());
    const test::Outcome outcome = run(empty);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err,
                HasSubstr("expected at least one example to train on, got none (dropped: 2 \"empty response\")"));
}

TEST_F(Conversations, ImagesAndRefusedRolesAreOneLine) {
    folder_.file("image.jsonl", R"({"id":1,"messages":[{"role":"user","content":[{"type":"image","image":"x"}]}]})");
    folder_.file("model/chat_template.jinja",
                 "{% for m in messages %}{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('Only users and "
                 "assistants speak') }}{% endif %}{{ m.content }}{% endfor %}");
    folder_.file("role.jsonl",
                 R"({"id":1,"messages":[{"role":"critic","content":"x"},{"role":"assistant","content":"y"}]})");
    for (const std::string command : {"chat", "generate", "score", "sft"}) {
        const std::string input = command == "sft" ? "--data" : "--input", output = command == "sft" ? "--out" : "--output";
        EXPECT_EQ(failure({command, "--model", "{dir}/model", input, "{dir}/image.jsonl", output, "{dir}/o"}),
                  "1: {dir}/image.jsonl:1: field 'messages'[0]: field 'content'[0]: expected a text part, got one of type "
                  "'image' (models of text alone are supported)");
        EXPECT_THAT(failure({command, "--model", "{dir}/model", input, "{dir}/role.jsonl", output, "{dir}/o"}),
                    testing::AllOf(HasSubstr("Only users and assistants speak"), HasSubstr("{dir}/role.jsonl:1")));
    }
}

TEST_F(Conversations, ImportedTrajectoriesNameKeysThatNobodyReads) {
    folder_.file("t.jsonl",
                 R"row({"id":"a","tools":["text_eval()"],"reviewer":"x","messages":[{"role":"user","content":"q"},)row"
                 R"row({"role":"assistant","content":"###THOUGHT: t","mood":"m"}],"steps":[{"rating":3}]})row");
    const test::Outcome outcome = run({"trajectories", "import", "--input", "{dir}/t.jsonl", "--out", "{dir}/store"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("reviewer=1"));
    EXPECT_EQ(read_json_file(folder_.path() / "store/manifest.json")["notes"]["unknown_keys"],
              Json({{"message: mood", 1}, {"reviewer", 1}, {"step: rating", 1}}));
}

}  // namespace
}  // namespace craft
