// `eval pairwise` and `eval easy` beside a server: verdicts, malformed answers, batches, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::run_command;

std::string shown_between(const std::string& prompt, const std::string& from, const std::string& to) {
    const size_t begin = prompt.find(from) + from.size();
    return prompt.substr(begin, prompt.find(to, begin) - begin);
}

// Of two candidates the shorter one, in a sentence where it says "long-winded"; of a requirement whether its words stand in
// the revision.
std::string judging_answer(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").at(0).at("content");
    if (asked.find("### Requirement:") != std::string::npos) {
        const std::string revision = shown_between(asked, "### Revision:\n", "\n\n###");
        return revision.find(shown_between(asked, "### Requirement:\n", "\n\nDoes")) == std::string::npos ? "no" : "Yes.";
    }
    const std::string a = shown_between(asked, "### Candidate A:\n", "\n\n###"),
                      b = shown_between(asked, "### Candidate B:\n", "\n\nWhich");
    const std::string better = a.size() < b.size() ? "A" : "B";
    return (a + b).find("long-winded") == std::string::npos ? better : better + " is better.";
}

class EvalJudges : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("items.jsonl",
                     "{\"id\":\"1\",\"text\":\"one\"}\n{\"id\":\"2\",\"text\":\"two\"}\n"
                     "{\"id\":\"3\",\"text\":\"three\"}\n{\"id\":\"4\",\"text\":\"four\"}\n");
        folder_.file("a.jsonl",
                     "{\"id\":\"1\",\"text\":\"short\"}\n{\"id\":\"2\",\"text\":\"the same\"}\n"
                     "{\"id\":\"3\",\"text\":\"long-winded\"}\n");
        folder_.file("b.jsonl",
                     "{\"id\":\"3\",\"text\":\"x\"}\r\n{\"id\":\"2\",\"text\":\"the same\"}\r\n"
                     "{\"id\":\"1\",\"text\":\"rather longer\"}\r\n{\"id\":\"4\",\"text\":\"four\"}");
        folder_.file(
            "easy.jsonl",
            R"({"id":"1","text":"t","constraints":[{"kind":"style","text":"grand"},{"kind":"semantic","text":"mill"}]})"
            "\n"
            R"({"id":"2","text":"t","constraints":[{"kind":"semantic","text":"mill"}]})"
            "\n");
        folder_.file("out.jsonl", "{\"id\":\"2\",\"text\":\"a house\"}\n{\"id\":\"1\",\"text\":\"a mill\"}\n");
    }
    Arguments judged(const std::string& command, const Arguments& more) const {
        Arguments all = {"eval", command, "--config", at("hosted.json"), "--answers", at("answers"), "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Arguments pairwise(const Arguments& more = {}) const {
        Arguments all = judged("pairwise", {"--items", at("items.jsonl"), "--a", at("a.jsonl"), "--b", at("b.jsonl"),
                                            "--judge", "openai:own", "--output", at("r.json")});
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
    Arguments easy(const Arguments& more = {}) const {
        Arguments all = judged("easy", {"--items", at("easy.jsonl"), "--outputs", at("out.jsonl"), "--judge", "openai:own",
                                        "--output", at("r.json")});
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
    Json result() const { return read_json_file(at("r.json")); }
};

TEST_F(EvalJudges, PairwiseCountsWinsAndWhatCouldNotBeRead) {
    ChatServer server({.answer = judging_answer});
    config(server.base_url());
    const auto outcome =
        run_command(pairwise({"--criteria", "fluency,coherence", "--attempts", "2", "--judgements", at("j.jsonl")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = result();
    const Json fluency = made["corpus"]["criteria"]["fluency"];
    EXPECT_EQ(fluency["wins"], 1);
    EXPECT_EQ(fluency["ties"], 1);
    EXPECT_EQ(fluency["equal"], 1);
    EXPECT_EQ(fluency["losses"], 0);
    EXPECT_EQ(fluency["unjudged"], 1);
    EXPECT_EQ(fluency["answers"]["malformed"], Json({{"more than the choice", 2}}));
    EXPECT_EQ(fluency["answers"]["asked_again"], 1);
    EXPECT_EQ(made["corpus"]["missing"], 1);
    EXPECT_EQ(made["corpus"]["missing_a"], 1);
    EXPECT_EQ(made["corpus"]["missing_b"], 0);
    EXPECT_EQ(made["corpus"]["empty_a"], 0);
    EXPECT_FALSE(made["corpus"]["criteria"].contains("grammaticality"));
    EXPECT_EQ(made["items"],
              Json::parse(R"([{"id":"1","coherence":1.0,"fluency":1.0},{"id":"2","coherence":0.5,"fluency":0.5},
        {"id":"3","coherence":null,"fluency":null}])"));
    EXPECT_EQ(made["options"]["model"], "test-model");
    EXPECT_TRUE(made["options"]["prompts"].contains("pairwise.fluency.txt"));
    EXPECT_EQ(server.counts().good, 2 * 3);  // item 1 once, item 3 twice, each under two criteria
    EXPECT_EQ(rows("j.jsonl").size(), 6u);
    const Json manifest = read_json_file(at("r.json.manifest.json"));
    EXPECT_EQ(manifest["usage"]["roles"]["judge"]["judge"]["requests"], 6) << manifest;
    EXPECT_EQ(manifest["finished"], true);

    // Answers are kept, and the order of files and of the work changes nothing.
    folder_.file("a.jsonl",
                 "{\"id\":\"3\",\"text\":\"long-winded\"}\n{\"id\":\"1\",\"text\":\"short\"}\n"
                 "{\"id\":\"2\",\"text\":\"the same\"}\n");
    ASSERT_EQ(run_command(pairwise({"--criteria", "fluency,coherence", "--attempts", "2", "--set", "flow.items=1"})).code,
              0);
    EXPECT_EQ(server.counts().good, 6);
    EXPECT_EQ(result(), made);
    const auto table = run_command({"eval", "table", "--layout", "t5", "--format", "csv", "A=" + at("r.json")});
    EXPECT_EQ(table.out, "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nA,-,-,-,1,1,-\r\n") << table.err;
}

TEST_F(EvalJudges, PairwiseSaysTheCasesOfBothSystems) {
    ChatServer server({.answer = judging_answer});
    config(server.base_url());
    const auto outcome = run_command(pairwise({"--criteria", "fluency", "--names", "Ours,Theirs"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto cases = [&](const char* system) {
        return result()["systems"][system]["corpus"]["criteria"]["fluency"]["wins"];
    };
    EXPECT_EQ(cases("Ours"), 1);
    EXPECT_EQ(cases("Theirs"), 0);
    const auto table = run_command({"eval", "table", "--layout", "t5", "Ours=" + at("r.json"), "Theirs=" + at("r.json")});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, testing::ContainsRegex("Ours .*[*]1[*].*\n.*Theirs .*>0<"));
    for (const char* names : {"Ours", "Ours,Ours", "Ours,Theirs,None"})
        EXPECT_THAT(failure_of(pairwise({"--names", names})),
                    testing::HasSubstr("--names: expected two different names, A,B, got '" + std::string(names) + "'"));
}

TEST_F(EvalJudges, PairwiseInBothOrdersFindsABias) {
    ChatServer server({.answer = [](const Json&, int64_t) { return std::string("A"); }});
    config(server.base_url());
    ASSERT_EQ(run_command(pairwise({"--orders", "both"})).code, 0);
    const Json grammar = result()["corpus"]["criteria"]["grammaticality"];
    EXPECT_EQ(grammar["ties"], 3);
    EXPECT_EQ(grammar["first"]["share"], 1);
    EXPECT_EQ(grammar["first"]["chosen"], 4);
    EXPECT_NEAR(grammar["first"]["p"].get<double>(), 2.0 / 16, 1e-12);
    EXPECT_EQ(result()["options"]["orders"], "both");
}

TEST_F(EvalJudges, EasyConstraintsAreMetOrNot) {
    ChatServer server({.answer = judging_answer});
    config(server.base_url());
    const auto outcome = run_command(easy());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json corpus = result()["corpus"];
    EXPECT_EQ(corpus["accuracy"], .25);  // 1 of 2, none of 1
    EXPECT_EQ(corpus["by_domain"]["style"]["accuracy"], 0);
    EXPECT_EQ(corpus["by_domain"]["semantic"]["accuracy"], .5);
    EXPECT_EQ(corpus["answers"]["let_pass"], Json({{"case", 1}, {"marks", 1}}));
    const auto table = run_command({"eval", "table", "--layout", "t9", "--format", "csv", "A=" + at("r.json")});
    EXPECT_THAT(table.out, testing::HasSubstr("\r\nA,0.00,-,-,-,50.00,-,-,-\r\n")) << table.err;
    // Two such results are compared like any others.
    const auto compared = run_command({"eval", "compare", "--a", at("r.json"), "--b", at("r.json")});
    EXPECT_EQ(Json::parse(compared.out)["metric"], "accuracy") << compared.err;
}

TEST_F(EvalJudges, EmptyRevisionsAreCountedAndToldOf) {
    ChatServer server({.answer = judging_answer});
    config(server.base_url());
    folder_.file("b.jsonl", "{\"id\":\"1\",\"text\":\" \"}\n{\"id\":\"4\",\"text\":\"\"}\n");
    auto outcome = run_command(pairwise());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(result()["corpus"]["empty_a"], 0);
    EXPECT_EQ(result()["corpus"]["empty_b"], 1) << "of the one item that has both revisions";
    EXPECT_THAT(outcome.err, testing::HasSubstr("empty revisions are scored like others empty_a=0 empty_b=1"));
    folder_.file("out.jsonl", "{\"id\":\"2\",\"text\":\"\"}\n{\"id\":\"1\",\"text\":\"a mill\"}\n");
    outcome = run_command(easy());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(result()["corpus"]["empty_outputs"], 1);
    EXPECT_THAT(outcome.err, testing::HasSubstr("empty revisions are scored like others empty_outputs=1"));
}

TEST_F(EvalJudges, AJudgeThatIsNeverUnderstoodIsAnError) {
    ChatServer server({.answer = [](const Json&, int64_t) { return std::string("I would rather not say."); }});
    config(server.base_url());
    EXPECT_EQ(failure_of(easy({"--judgements", at("j.jsonl")})),
              "1: openai:own: expected a usable answer, got none of 9 (no choice 9) (" + at("j.jsonl.partial") +
                  " has the raw answers)");
    EXPECT_FALSE(std::filesystem::exists(at("r.json")));
    EXPECT_FALSE(std::filesystem::exists(at("j.jsonl")));
    EXPECT_EQ(kept_rows("j.jsonl").size(), 9u) << "what it said is kept";
    ChatServer other({.answer = judging_answer});
    config(other.base_url());
    EXPECT_EQ(run_command(easy({"--judgements", at("j.jsonl"), "--record", "none"})).code, 0);
    EXPECT_EQ(rows("j.jsonl").size(), 3u);
    EXPECT_FALSE(std::filesystem::exists(at("j.jsonl.partial")));
}

TEST_F(EvalJudges, AJudgeThatFailsAlwaysIsAnError) {
    ChatServer server({.answer = [](const Json&, int64_t) { return std::string(); }});  // empty content is a failure
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}});
    EXPECT_EQ(
        failure_of(easy()),
        "1: openai:own: expected a usable answer, got none of 3 (no_content 3) (--judgements FILE keeps the raw answers)");
    EXPECT_FALSE(std::filesystem::exists(at("r.json")));
}

TEST_F(EvalJudges, VerdictsOfARunThatFailedAreKept) {
    chat_server::ChatServerOptions refusing{.answer = judging_answer};
    refusing.choose = [](const Json& body, int64_t) {
        const bool is_third = body.dump().find("long-winded") != std::string::npos;
        return is_third ? std::optional(chat_server::Fault::http_401) : std::nullopt;
    };
    ChatServer server(refusing);
    config(server.base_url());
    const Arguments command =
        pairwise({"--criteria", "fluency", "--attempts", "1", "--record", "none", "--set", "flow.items=1"});
    EXPECT_THAT(failure_of(command), testing::HasSubstr("401"));
    EXPECT_EQ(kept_rows("r.json").size(), 2u);
    ChatServer other({.answer = judging_answer});
    config(other.base_url());
    ASSERT_EQ(run_command(command).code, 0);
    EXPECT_EQ(other.counts().good, 1) << "the third item's question alone";
    EXPECT_EQ(result()["items"].size(), 3u);
    const std::string resumed = read_file(at("r.json"));
    ASSERT_EQ(run_command(test::replacing(command)).code, 0);
    EXPECT_EQ(read_file(at("r.json")), resumed) << "as if it had not failed";
}

TEST_F(EvalJudges, BatchesAreWrittenAndWaitedFor) {
    ChatServer server({.answer = judging_answer});
    config(server.base_url());
    const auto outcome = run_command(easy({"--batch", at("batch")}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(server.counts().good, 0);
    EXPECT_FALSE(std::filesystem::exists(at("r.json"))) << "there is no result yet";
    EXPECT_EQ(read_json_file(at("r.json.partial.manifest.json"))["finished"], false);
    EXPECT_FALSE(std::filesystem::is_empty(at("batch")));
}

TEST_F(EvalJudges, WhatDoesNotFitIsRefused) {
    config("http://127.0.0.1:1/v1");
    // Options that stand there already get other values.
    const auto pair = [&](const Arguments& more) {
        Arguments all = pairwise();
        for (size_t i = 0; i + 1 < more.size(); i += 2) {
            const auto there = std::find(all.begin(), all.end(), more[i]);
            if (there != all.end())
                *(there + 1) = more[i + 1];
            else
                all.insert(all.end(), {more[i], more[i + 1]});
        }
        return failure_of(all);
    };
    EXPECT_EQ(pair({"--judge", "rules"}), "2: --judge: expected local:MODEL[+ADAPTER] or openai:PROFILE, got rules");
    EXPECT_EQ(pair({"--criteria", "fluency,fluency"}), "2: --criteria: expected each once, got 'fluency' again");
    EXPECT_THAT(pair({"--criteria", "beauty"}), testing::StartsWith("2: --criteria"));
    EXPECT_THAT(pair({"--attempts", "0"}), testing::StartsWith("2: --attempts"));
    EXPECT_THAT(pair({"--judgements", at("r.json")}), testing::StartsWith("2: --judgements: expected another file"));
    EXPECT_EQ(
        pair({"--judgements", at("r.json.manifest.json")}),
        "2: --judgements: expected another file than what is written beside --output, got " + at("r.json.manifest.json"));
    EXPECT_THAT(pair({"--a", "-", "--b", "-"}), testing::StartsWith("2: "));
    folder_.file("a.jsonl", "{\"id\":\"9\",\"text\":\"x\"}\n");
    EXPECT_EQ(pair({}), "1: " + at("a.jsonl") + ":1: expected an id of the items, got '9' (do both files belong together?)");
    folder_.file("a.jsonl", "{\"id\":\"1\",\"text\":\"x\"}\n{\"id\":\"1\",\"text\":\"x\"}\n");
    EXPECT_EQ(pair({}), "1: " + at("a.jsonl") + ":2: expected each id once, got '1' again");
    folder_.file("a.jsonl", "");
    EXPECT_THAT(pair({}), testing::StartsWith("1: " + at("a.jsonl")));
    folder_.file("easy.jsonl", R"({"id":"1","text":"t","constraints":[{"kind":"tone","text":"x"}]})");
    EXPECT_EQ(failure_of(easy()),
              "1: " + at("easy.jsonl") + ":1: field 'constraints'[0]: field 'kind': expected style or semantic, got 'tone'");
}

}  // namespace
}  // namespace craft
