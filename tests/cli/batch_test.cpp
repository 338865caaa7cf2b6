// Hosted models asked by files: `revise --batch` around its pauses, `batch write` and `batch read`, and what the cache then
// holds. No server runs, so that whatever were asked over HTTP would fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::failure_of;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;
using testing::StartsWith;

class BatchCommands : public test::ReviseCase {
protected:
    BatchCommands() {
        // No key is there either: who writes and reads files needs none.
        config("http://127.0.0.1:9/v1", {{"key_env", "CRAFT_BATCH_TEST_KEY_THAT_IS_NOT_SET"}});
    }
    std::string part(int number) const { return at("batch/own/requests-00" + std::to_string(number) + ".jsonl"); }
    Json asked(int number) const {
        Json all = Json::array();
        JsonLinesReader reader(part(number));
        while (const auto row = reader.next()) all.push_back(*row);
        return all;
    }
    static std::string answered(const Json& request) {
        const Json message = {{"role", "assistant"}, {"content", test::revising_answer(request["body"], 0)}};
        const Json body = {{"choices", {{{"index", 0}, {"finish_reason", "stop"}, {"message", message}}}},
                           {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
        return Json({{"custom_id", request["custom_id"]},
                     {"response", {{"status_code", 200}, {"body", body}}},
                     {"error", nullptr}})
                   .dump() +
               "\n";
    }
    static std::string failed(const Json& request) {
        const Json body = {{"error", {{"message", "overloaded"}}}};
        return Json({{"custom_id", request["custom_id"]},
                     {"response", {{"status_code", 500}, {"body", body}}},
                     {"error", nullptr}})
                   .dump() +
               "\n";
    }
    void put(const std::string& name, const std::string& lines) const { folder_.file("batch/own/" + name, lines); }
};

// Five texts: two answers fail, one is missing, one comes twice and one is nobody's.
TEST_F(BatchCommands, ReviseGoesOnBehindEachPause) {
    const Arguments command = revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(5), "--output",
                                      at("o.jsonl"), "--batch", at("batch")});
    const Outcome first = run_command(command);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.err, HasSubstr("waiting for batch results"));
    EXPECT_FALSE(fs::exists(at("o.jsonl")));
    const Json sent = asked(1);
    ASSERT_EQ(sent.size(), 5u);
    EXPECT_EQ(sent[0]["body"]["model"], "test-model");

    Json stranger = sent[0];
    stranger["custom_id"] = std::string(32, '0') + "-001";
    put("output-1.jsonl", failed(sent[1]) + answered(sent[0]) + failed(sent[3]) + answered(sent[0]) + answered(stranger) +
                              answered(sent[4]));  // sent[2] is missing
    const Outcome second = run_command(command);
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_FALSE(fs::exists(at("o.jsonl")));
    const Json rest = asked(2);
    ASSERT_EQ(rest.size(), 3u) << "the failed ones and the missing one alone";
    std::set<std::string> expected, written;
    for (const int i : {1, 2, 3}) expected.insert(sent[i]["body"].dump());
    for (const Json& request : rest) written.insert(request["body"].dump());
    EXPECT_EQ(written, expected);
    const Json counts = read_json_file(at("o.jsonl.partial.manifest.json"))["usage"]["batches"].begin().value();
    EXPECT_EQ(counts["kept"], 2);
    EXPECT_EQ(counts["twice"], 1);
    EXPECT_EQ(counts["unknown"], 1);
    EXPECT_EQ(counts["missing"], 1);
    EXPECT_EQ(counts["unusable"]["server_error"], 2);

    put("output-2.jsonl", answered(rest[2]) + answered(rest[0]) + answered(rest[1]));
    const Outcome third = run_command(command);
    EXPECT_EQ(third.code, 0) << third.err;
    EXPECT_FALSE(fs::exists(part(3)));
    const Json made = rows("o.jsonl");
    ASSERT_EQ(made.size(), 5u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(made[i]["text"], "Road " + std::to_string(i) + " is long. It was late.");
    // 100 tokens of 1 USD a million and 10 of 2.
    EXPECT_NEAR(made[0]["cost"]["usd"].get<double>(), 120e-6, 1e-12);
}

TEST_F(BatchCommands, WriteAndReadConversations) {
    const auto conversation = [](const std::string& id, const std::string& text) {
        const std::string content = "Revise the text below\n### Text:\n" + text;
        return Json({{"id", id}, {"messages", {{{"role", "user"}, {"content", content}}}}}).dump() + "\n";
    };
    folder_.file("r.jsonl", conversation("a", "A very good day.") + conversation("b", "A very bad day."));
    const Arguments common = {"--model",       "openai:own", "--config",   at("hosted.json"),  "--answers", at("answers"),
                              "--batch",       at("batch"),  "--requests", at("r.jsonl"),      "--samples", "2",
                              "--temperature", "0.7",        "--set",      "openai.own.seed=5"};
    Arguments write = {"batch", "write"}, read = {"batch", "read", "--output", at("o.jsonl")};
    write.insert(write.end(), common.begin(), common.end());
    read.insert(read.end(), common.begin(), common.end());
    const Outcome written = run_command(write);
    ASSERT_EQ(written.code, 0) << written.err;
    Json sent = asked(1);
    ASSERT_EQ(sent.size(), 4u);
    EXPECT_EQ(sent[0]["body"]["seed"], 5);
    EXPECT_EQ(sent[1]["body"]["seed"], 6) << "samples are drawn apart";
    put("out.jsonl", answered(sent[0]) + answered(sent[1]) + answered(sent[3]));
    const Outcome brought = run_command(read);
    ASSERT_EQ(brought.code, 0) << brought.err;
    EXPECT_THAT(brought.err, HasSubstr("requests=1"));
    const Json made = rows("o.jsonl");
    ASSERT_EQ(made.size(), 3u) << "the one without an answer has no row";
    EXPECT_EQ(made[0], Json({{"id", "a"}, {"sample", 0}, {"text", "A good day."}}));
    EXPECT_EQ(made[2], Json({{"id", "b"}, {"sample", 1}, {"text", "A bad day."}}));

    ASSERT_EQ(run_command(write).code, 0);
    EXPECT_EQ(asked(2).size(), 1u) << "what the cache has is not asked again";

    ASSERT_EQ(run_command({"answers", "export", "--answers", at("answers"), "--output", at("e.jsonl")}).code, 0);
    const Json exported = rows("e.jsonl");
    ASSERT_EQ(exported.size(), 3u);
    EXPECT_EQ(exported[0]["text"], "A good day.");
    EXPECT_EQ(exported[0]["model"], "openai:own");
    EXPECT_EQ(exported[0]["request"]["messages"][0]["content"], sent[0]["body"]["messages"][0]["content"]);
    const Json described = parse_json(run_command({"inspect", at("answers"), "--format", "json"}).out, "inspect");
    EXPECT_EQ(described["kind"], "recorded answers");
    EXPECT_EQ(described["answers"], 3);
    EXPECT_EQ(described["requests"], 2) << "samples share theirs";
}

TEST_F(BatchCommands, LookingMakesNoCache) {
    EXPECT_THAT(failure_of({"answers", "export", "--answers", at("none"), "--output", "-"}),
                StartsWith("1: " + at("none") + ": expected a cache of answers (answers.sqlite), got none"));
    EXPECT_FALSE(fs::exists(at("none")));
}

}  // namespace
}  // namespace craft
