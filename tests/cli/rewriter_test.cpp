// `constraints --rewriter` beside a server: what is taken, what stays, and that a second run asks for nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"
#include "tests/systems/hosted/chat_server.h"

namespace craft {
namespace {

using test::run_command;

// Puts words before every second request, and forgets what the others ask for.
std::string reworded(const Json& body, int64_t /*choice*/) {
    const auto prompt = body["messages"][0]["content"].get<std::string>();
    const std::string mark = "### Request:\n";
    const std::string request = prompt.substr(prompt.find(mark) + mark.size());
    return request.size() % 2 == 0 ? "Kindly do this for me. " + request : "Make it better.";
}

class Rewriter : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    test::Arguments arguments(const std::string& output, const std::string& base_url) const {
        return {"constraints",
                "--texts",
                test_source() + "/share/texts/select.jsonl",
                "--domain",
                "c1,c2",
                "--count",
                "40",
                "--output",
                at(output),
                "--report",
                at(output + ".report"),
                "--proof",
                at(output + ".proof"),
                "--rewriter",
                "openai:test",
                "--answers",
                at("answers"),
                "--set",
                "openai.test.model=test-model",
                "--set",
                "openai.test.base_url=" + base_url};
    }
    TemporaryFolder folder_;
};

TEST_F(Rewriter, TakesWhatKeepsTheValuesAndCountsTheRest) {
    auto server = std::make_unique<chat_server::ChatServer>(chat_server::ChatServerOptions{.answer = reworded});
    const std::string base_url = server->base_url();
    const auto first = run_command(arguments("first.jsonl", base_url));
    ASSERT_EQ(first.code, 0) << first.err;

    int64_t taken = 0, stayed = 0, number = 0;
    JsonLinesReader rows(at("first.jsonl")), proofs(at("first.jsonl.proof"));
    while (const auto row = rows.next()) {
        const auto proof = proofs.next();
        ASSERT_TRUE(proof);
        EXPECT_EQ((*row)["id"], (*proof)["id"]) << "rows in another order than proofs";
        EXPECT_TRUE((*row)["id"].get<std::string>().find("-" + std::to_string(number) + "-") != std::string::npos) << *row;
        ++number;
        const auto text = (*row)["instruction"].get<std::string>();
        EXPECT_EQ(text.starts_with("Kindly do this for me. "), (*row)["wording"] == "model") << *row;
        EXPECT_EQ(row->contains("phrases"), (*row)["wording"] == "template") << *row;
        ++((*row)["wording"] == "model" ? taken : stayed);
    }
    EXPECT_EQ(taken + stayed, 40);
    EXPECT_GT(taken, 5);
    EXPECT_GT(stayed, 5);
    const Json report = read_json_file(at("first.jsonl.report"));
    EXPECT_EQ(report["rewriting"]["taken"], taken);
    int64_t refused = 0;
    for (const auto& [reason, count] : report["rewriting"]["refused"].items()) refused += count.get<int64_t>();
    EXPECT_EQ(refused, stayed);
    EXPECT_GT(report["rewriting"]["refused"].value("lost limit", 0), 0);
    EXPECT_TRUE(report["usage"]["roles"].contains("rewriter")) << report["usage"];

    server.reset();  // what was answered is not asked again
    const auto second = run_command(arguments("second.jsonl", base_url));
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(read_file(at("second.jsonl")), read_file(at("first.jsonl")));
}

TEST_F(Rewriter, FailsWhereNoAnswerCanBeUsedAndLeavesTheRowsAsTheyWere) {
    const auto forgets = [](const Json&, int64_t) { return std::string("Make it better."); };
    const chat_server::ChatServer server(chat_server::ChatServerOptions{.answer = forgets});
    const auto result = run_command(arguments("none.jsonl", server.base_url()));
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_NE(
        result.err.find("answers of --rewriter: expected a usable answer, got none of 40 (lost limit 39, unrelated 1)"),
        std::string::npos)
        << result.err;
    int64_t stayed = 0;
    JsonLinesReader rows(at("none.jsonl"));
    while (const auto row = rows.next()) stayed += (*row)["wording"] == "template" ? 1 : 0;
    EXPECT_EQ(stayed, 40);
    EXPECT_EQ(read_json_file(at("none.jsonl.report"))["rewriting"]["refused"]["lost limit"], 39);
}

TEST_F(Rewriter, WithABatchNothingIsWrittenBeforeTheAnswersAreThere) {
    test::Arguments batched = arguments("batched.jsonl", "http://127.0.0.1:9/v1");
    batched.insert(batched.end(), {"--batch", at("batch")});
    const auto result = run_command(batched);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.err.find("waiting for batch results"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(at("batched.jsonl")));
}

}  // namespace
}  // namespace craft
