// `judge` beside a server: pairs, judgements, figures, panels, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/revising_server.h"
#include "tests/core/piped.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

constexpr const char* kGuideline = "version: 7\naspects: Short (alignment), Long\n---\nJudge them.\n";

// The texts of the last message, in their places.
std::vector<std::string> shown_to(const Json& body) {
    const std::string asked = body.at("messages").back().at("content");
    return test::matches_of(asked, "Candidate [0-9]+:\n> ([^\n]*)");
}

std::string verdict(const std::string& aspect, size_t best, size_t worst) {
    return "Aspect: " + aspect + ", Best: " + std::to_string(best) + ", Worst: " + std::to_string(worst) + "\n";
}

// The shortest one is best for Short, the longest one for Long.
std::string fair(const Json& body, int64_t /*choice*/) {
    const std::vector<std::string> texts = shown_to(body);
    size_t shortest = 0, longest = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].size() < texts[shortest].size()) shortest = i;
        if (texts[i].size() > texts[longest].size()) longest = i;
    }
    return verdict("Short", shortest, longest) + verdict("Long", longest, shortest);
}

std::string by_place(const Json& body, int64_t /*choice*/) {
    const size_t last = shown_to(body).size() - 1;
    return verdict("Short", 0, last) + verdict("Long", 0, last);
}

class JudgeCommand : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("g.txt", kGuideline);
        folder_.file(
            "c.jsonl",
            R"({"id":"1","source":"one","candidates":[{"system":"x","text":"aaa"},{"system":"y","text":"a"},{"system":"z","text":"aa"}]})"
            "\n"
            R"({"id":"2","source":"two","candidates":[{"system":"x","text":"bb"},{"system":"y","text":"bbbb"},{"system":"test-model","text":"b"}]})"
            "\n"
            R"({"id":"3","source":"three","candidates":[{"system":"x","text":"same"},{"system":"y","text":"same"}]})"
            "\n"
            R"({"id":4,"source":"four","candidates":[{"system":"x","text":"alone"}]})"
            "\n");
    }
    // Options that stand there already get other values.
    Arguments judge(const Arguments& more = {}) const {
        Arguments all = {"judge",       "--config",    at("hosted.json"), "--answers",    at("answers"), "--input",
                         at("c.jsonl"), "--guideline", at("g.txt"),       "--aspect",     "Short",       "--judge",
                         "openai:own",  "--output",    at("p.jsonl"),     "--judgements", at("j.jsonl")};
        for (size_t i = 0; i + 1 < more.size(); i += 2) {
            const auto there = std::find(all.begin(), all.end(), more[i]);
            if (there == all.end())
                all.insert(all.end(), {more[i], more[i + 1]});
            else if (more[i + 1].empty())
                all.erase(there, there + 2);
            else
                *(there + 1) = more[i + 1];
        }
        return test::replacing(all);
    }
    Json manifest() const { return read_json_file(at("p.jsonl.manifest.json")); }
};

TEST_F(JudgeCommand, MakesPairsAndKeepsWhatWasSaid) {
    ChatServer server({.answer = fair});
    config(server.base_url());
    folder_.file("system.txt", "Be brief.\n");
    const auto outcome = run_command(judge({"--system-prompt", at("system.txt")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json pairs = rows("p.jsonl");
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0]["prompt"],
              Json::parse(R"([{"role":"system","content":"Be brief."},{"role":"user","content":"one"}])"));
    EXPECT_EQ(pairs[0]["chosen"], Json::parse(R"([{"role":"assistant","content":"a"}])"));
    EXPECT_EQ(pairs[0]["rejected"], Json::parse(R"([{"role":"assistant","content":"aaa"}])"));
    const std::string all = pairs[1].dump();
    for (const char* part :
         {"\"aspect\":\"Short\"", "\"judge\":\"openai:own\"", "\"version\":\"7\"", "\"best\":2", "\"seed\":1"})
        EXPECT_THAT(all, HasSubstr(part));
    const Json said = rows("j.jsonl");
    ASSERT_EQ(said.size(), 4u);
    EXPECT_EQ(said[0]["verdict"]["Long"], Json({{"best", 0}, {"worst", 1}}));
    EXPECT_FALSE(said[0].contains("reason"));  // null, which the reader leaves out
    EXPECT_EQ(said[2]["reason"], "equal");
    EXPECT_FALSE(said[2].contains("reply"));
    EXPECT_EQ(said[3]["reason"], "one candidate");
    EXPECT_EQ(said[3]["id"], "4");
    EXPECT_EQ(server.counts().good, 2);
    const Json told = manifest();
    EXPECT_EQ(told["finished"], true);
    EXPECT_EQ(told["pairs"]["groups"], 4);
    EXPECT_EQ(told["pairs"]["pairs"], 2);
    EXPECT_EQ(told["pairs"]["dropped"], Json({{"no verdict: equal", 1}, {"no verdict: one candidate", 1}}));
    EXPECT_EQ(told["judged"]["judges"]["openai:own"]["aspects"]["Short"]["systems"]["y"]["best"], 1);
    EXPECT_EQ(told["versions"]["guideline"]["version"], "7");
    EXPECT_EQ(told["materials"]["lacking"], Json::array({"alignment"}));
    EXPECT_EQ(told["shared_families"][0]["system"], "test-model");
    EXPECT_THAT(outcome.err, HasSubstr("judges see only the texts"));
    EXPECT_THAT(outcome.err, HasSubstr("which judges may favour"));
    EXPECT_THAT(outcome.err, HasSubstr("Short: 2 verdicts; without: 1 equal, 1 one candidate"));
    EXPECT_FALSE(std::filesystem::exists(at("p.jsonl.partial")));
}

TEST_F(JudgeCommand, ReadsStdinAndWritesStdout) {
    ChatServer server({.answer = fair});
    config(server.base_url());
    const std::string input = read_file(at("c.jsonl"));
    const test::PipedStdin piped(input);
    const auto outcome = run_command(judge({"--input", "-", "--output", "-", "--judgements", ""}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
    EXPECT_THAT(outcome.out, testing::StartsWith("{\"prompt\":"));
}

TEST_F(JudgeCommand, InBothOrdersABiasIsATie) {
    ChatServer server({.answer = by_place});
    config(server.base_url());
    ASSERT_EQ(run_command(judge({"--orders", "both"})).code, 0);
    EXPECT_TRUE(rows("p.jsonl").empty());
    EXPECT_EQ(manifest()["pairs"]["dropped"],
              Json({{"no verdict: equal", 1}, {"no verdict: flipped", 2}, {"no verdict: one candidate", 1}}));
    const Json aspect = manifest()["judged"]["judges"]["openai:own"]["aspects"]["Long"];
    EXPECT_EQ(aspect["orders"]["reversed_share"], 1);
    EXPECT_EQ(aspect["places"][0]["best_share"], 1);
    EXPECT_EQ(aspect["places"][2]["worst_share"], 1);
    EXPECT_EQ(server.counts().good, 4);
}

TEST_F(JudgeCommand, TheOrderIsDrawnBySeedAndVerdictsFollowIt) {
    ChatServer server({.answer = fair});
    config(server.base_url());
    std::set<std::string> orders;
    for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
        ASSERT_EQ(run_command(judge({"--seed", seed})).code, 0);
        orders.insert(rows("j.jsonl")[0]["order"].dump());
        EXPECT_EQ(rows("j.jsonl")[0]["verdict"]["Short"], Json({{"best", 1}, {"worst", 0}}));
    }
    EXPECT_GT(orders.size(), 1u);
    ASSERT_EQ(run_command(judge({"--orders", "fixed", "--repeat", "2"})).code, 0);
    EXPECT_EQ(rows("j.jsonl")[1]["order"], Json({0, 1, 2}));
    EXPECT_EQ(rows("j.jsonl")[1]["repeat"], 1);
}

TEST_F(JudgeCommand, OtherFormsAskOtherQuestions) {
    ChatServer server({.answer = fair});
    config(server.base_url());
    ASSERT_EQ(run_command(judge({"--form", "pairwise"})).code, 0);
    EXPECT_EQ(server.counts().good, 6);
    EXPECT_EQ(rows("p.jsonl")[0]["chosen"][0]["content"], "a");
    EXPECT_EQ(rows("j.jsonl")[0]["attempts"].size(), 3u);

    ChatServer marks({.answer = [](const Json& body, int64_t) {
        return std::to_string(test::behind(body.at("messages")[0].at("content"), "### Revision:\n> ").find('\n'));
    }});
    config(marks.base_url(), {{"model", "other"}});
    ASSERT_EQ(run_command(judge({"--form", "pointwise", "--aspect", "fluency", "--guideline", ""})).code, 0);
    EXPECT_EQ(rows("p.jsonl")[1]["chosen"][0]["content"], "bbbb");
    EXPECT_EQ(rows("j.jsonl")[1]["scores"], Json({1.0, 3.0, 0.0}));
}

// What a question shows under the names of its texts, with marks: fluency by length, consistency by the first letter.
std::string marks_of_all(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages")[0].at("content");
    const Json question = Json::parse(asked.substr(asked.rfind("\n{") + 1));
    Json answer = {{"id", question.at("id")}};
    for (const auto& [name, shown] : question.items()) {
        if (!name.starts_with("output_")) continue;
        const std::string text = shown;
        answer[name] = {
            {"fluency", std::min<size_t>(text.size(), 5)}, {"coherence", 3}, {"consistency", text[0] == 'a' ? 5 : 1}};
    }
    return "```json\n" + answer.dump(1) + "\n```";
}

// From texts and what two systems made of them to Table 5 and the scores of App. E.5, without a file in between that
// somebody else would have to make.
TEST_F(JudgeCommand, MarksOfOneAnswerStandInTables) {
    ChatServer server({.answer = marks_of_all});
    config(server.base_url());
    folder_.file("items.jsonl",
                 "{\"id\":\"1\",\"text\":\"one\"}\n{\"id\":\"2\",\"text\":\"two\"}\n{\"id\":\"3\",\"text\":\"three\"}\n");
    folder_.file("x.jsonl", "{\"id\":\"2\",\"text\":\"aaaa\"}\n{\"id\":\"1\",\"text\":\"aa\"}\n");
    folder_.file("y.jsonl", "{\"id\":\"1\",\"text\":\"bbbb\"}\n{\"id\":\"2\",\"text\":\"aaaa\"}\n");
    const Arguments joint = judge({"--input", "", "--guideline", "", "--items", at("items.jsonl"), "--outputs",
                                   "X=" + at("x.jsonl") + ",Y=" + at("y.jsonl"), "--form", "joint", "--aspect", "fluency",
                                   "--marks", at("m.json")});
    const auto outcome = run_command(joint);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(server.counts().good, 2) << "one question a text; of the third there is no output";
    const Json marks = read_json_file(at("m.json"));
    EXPECT_EQ(marks["systems"]["X"]["corpus"]["fluency"], 3.0);      // (2 + 4) / 2
    EXPECT_EQ(marks["systems"]["Y"]["corpus"]["fluency"], 4.0);      // 4 twice
    EXPECT_EQ(marks["systems"]["Y"]["corpus"]["consistency"], 3.0);  // (1 + 5) / 2
    EXPECT_EQ(marks["options"]["judges"][0]["model"], "test-model");
    EXPECT_EQ(marks["options"]["form"], "joint");
    EXPECT_TRUE(marks["options"]["prompts"].contains("joint.refinement.txt"));
    EXPECT_EQ(manifest()["dropped"]["no output"], 1);
    EXPECT_EQ(manifest()["missing"]["X"], 1);
    ASSERT_EQ(rows("p.jsonl").size(), 1u) << "of two equal texts none is chosen";
    EXPECT_EQ(rows("p.jsonl")[0]["chosen"][0]["content"], "bbbb");
    EXPECT_EQ(rows("j.jsonl")[0]["marks"]["consistency"], Json({5.0, 1.0}));
    EXPECT_EQ(rows("j.jsonl")[1]["reason"], "equal");

    const auto table = [&](const std::string& layout) {
        return run_command(
                   {"eval", "table", "--layout", layout, "--format", "csv", "X=" + at("m.json"), "Y=" + at("m.json")})
            .out;
    };
    EXPECT_EQ(table("e5"),
              "System,Fluency,Coherence,Consistency,Semantics,Grammaticality,Over-correction\r\n"
              "X,3.00,3.00,5.00,-,-,-\r\nY,4.00,3.00,3.00,-,-,-\r\n");
    EXPECT_EQ(table("t5"), "System,F,C,G,F # Cases,C # Cases,G # Cases\r\nX,3.00,3.00,-,-,-,-\r\nY,4.00,3.00,-,-,-,-\r\n");

    // The same texts for both commands, whoever has revised which.
    Arguments sampled = joint;
    sampled.insert(sampled.end(), {"--sample", "2", "--seed", "3", "--overwrite"});
    ASSERT_EQ(run_command(sampled).code, 0);
    const Arguments compared = {"eval",      "pairwise",    "--config",   at("hosted.json"),
                                "--answers", at("answers"), "--items",    at("items.jsonl"),
                                "--a",       at("y.jsonl"), "--b",        at("y.jsonl"),
                                "--judge",   "openai:own",  "--criteria", "fluency",
                                "--sample",  "2",           "--seed",     "3",
                                "--output",  at("c.json"),  "--quiet"};
    const auto both = run_command(compared);
    ASSERT_EQ(both.code, 0) << both.err;
    std::vector<std::string> judged, equal;
    for (const Json& row : rows("j.jsonl")) judged.push_back(row["id"]);
    const Json comparison = read_json_file(at("c.json"));
    for (const Json& item : comparison["items"]) equal.push_back(item["id"]);
    EXPECT_EQ(judged, equal);
    EXPECT_EQ(judged.size() + manifest()["dropped"].value("no output", 0), 2u);

    ChatServer one_by_one({.answer = [](const Json& body, int64_t) {
        return std::to_string(test::behind(body.at("messages")[0].at("content"), "### Revision:\n> ").find('\n') % 3);
    }});
    config(one_by_one.base_url(), {{"model", "other"}});
    const auto pointwise = run_command(judge({"--input", "", "--guideline", "", "--items", at("items.jsonl"), "--outputs",
                                              "X=" + at("x.jsonl") + ",Y=" + at("y.jsonl"), "--form", "pointwise",
                                              "--aspect", "grammaticality", "--marks", at("g.json")}));
    ASSERT_EQ(pointwise.code, 0) << pointwise.err;
    // "aa" has 2 mistakes, which is no answer of one word; "aaaa" and "bbbb" have one.
    const Json faults = read_json_file(at("g.json"))["systems"];
    EXPECT_EQ(faults["X"]["corpus"]["grammaticality"], 1.0);
    EXPECT_EQ(faults["X"]["corpus"]["unmarked"], 1);
    EXPECT_EQ(faults["Y"]["corpus"]["marked"], 2);
}

TEST_F(JudgeCommand, MarksAndOutputsAreRefusedWhereTheyFitNothing) {
    config("http://127.0.0.1:9/v1");
    const auto problems = [&](const Arguments& more) { return run_command(judge(more)).errors(); };
    EXPECT_THAT(problems({"--marks", at("m.json")}),
                testing::Contains(testing::StartsWith("--marks: expected with --form pointwise or joint")));
    EXPECT_THAT(problems({"--form", "joint"}),
                testing::Contains(testing::StartsWith("--guideline: expected without --form")));
    EXPECT_THAT(
        problems({"--form", "joint", "--guideline", "", "--aspect", "beauty"}),
        testing::Contains(testing::StartsWith("--aspect: expected one of fluency, coherence, consistency, semantics")));
    EXPECT_THAT(problems({"--items", at("c.jsonl")}),
                testing::Contains(testing::StartsWith("--input: expected without --items")));
    EXPECT_THAT(problems({"--outputs", "X=x"}), testing::Contains(testing::StartsWith("--outputs: expected with --items")));
    EXPECT_THAT(problems({"--input", "", "--items", at("c.jsonl"), "--outputs", "x.jsonl"}),
                testing::Contains("--outputs: expected NAME=FILE, got 'x.jsonl'"));
    folder_.file("items.jsonl", "{\"id\":\"1\",\"text\":\"one\"}\n");
    folder_.file("x.jsonl", "{\"id\":\"9\",\"text\":\"a\"}\n");
    EXPECT_THAT(failure_of(judge({"--input", "", "--items", at("items.jsonl"), "--outputs", "X=" + at("x.jsonl")})),
                HasSubstr("x.jsonl:1: expected an id of the items, got '9'"));
}

TEST_F(JudgeCommand, APanelGoesOnWithoutAMemberThatIsDown) {
    ChatServer server({.answer = fair}), silent({.answer = [](const Json&, int64_t) { return std::string(); }});
    config(server.base_url());
    Json both = read_json_file(at("hosted.json"));
    both["openai"]["down"] = both["openai"]["own"];
    both["openai"]["down"]["model"] = "silent";
    both["openai"]["down"]["base_url"] = silent.base_url();
    both["openai"]["down"]["retries"]["max_retries"] = 0;
    both["openai"]["down"]["error_rate"] = {{"share", 1}};
    folder_.file("hosted.json", both.dump());
    for (const char* mode : {"all", "rotate"}) {
        ASSERT_EQ(run_command(judge({"--judge", "", "--panel", "openai:down,openai:own", "--panel-mode", mode})).code, 0);
        EXPECT_EQ(rows("p.jsonl").size(), 2u) << mode;
        const Json down = manifest()["judged"]["judges"]["openai:down"];
        EXPECT_EQ(down["failed"], Json({{"no_content", mode == std::string("all") ? 2 : 1}}));
    }
    EXPECT_THAT(failure_of(judge({"--judge", "openai:down"})),
                testing::StartsWith("1: openai:down: expected a usable answer, got none of 2 (no_content 2)"));
}

TEST_F(JudgeCommand, RunsAreCompared) {
    ChatServer one({.answer = fair});
    config(one.base_url());
    ASSERT_EQ(run_command(judge({"--aspect", "Long"})).code, 0);
    std::filesystem::rename(at("j.jsonl"), at("one.jsonl"));
    ChatServer turned({.answer = by_place});
    config(turned.base_url(), {{"model", "other"}});
    const auto outcome = run_command(judge({"--orders", "fixed", "--compare", at("one.jsonl")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    // By place: 0 > 2 in both groups; fair: Short 1 > 0 and 2 > 1, Long 0 > 1 and 1 > 2.
    EXPECT_EQ(manifest()["compared"]["aspects"]["Long"]["differ"], 2);
    EXPECT_EQ(manifest()["compared"]["aspects"]["Long"]["best_same"], 1);
    EXPECT_THAT(outcome.err, HasSubstr("2 compared, 0 % the same"));
    const auto files = run_command({"judge", "--compare", at("one.jsonl") + "," + at("j.jsonl"), "--output", at("r.json")});
    ASSERT_EQ(files.code, 0) << files.err;
    EXPECT_EQ(read_json_file(at("r.json"))["aspects"]["Long"]["best_same"], 1);
    const auto printed = run_command({"judge", "--compare", at("one.jsonl") + "," + at("j.jsonl")});
    EXPECT_THAT(printed.out, HasSubstr("4 groups in both runs"));
}

TEST_F(JudgeCommand, GoesOnWhereItStopped) {
    ChatServer server({.answer = fair});
    config(server.base_url(), {{"budget", {{"requests", 1}}}});
    const Arguments same = judge({"--record", "none", "--set", "flow.items=1"});
    EXPECT_NE(run_command(same).code, 0);
    EXPECT_TRUE(std::filesystem::exists(at("p.jsonl.partial")));
    EXPECT_EQ(read_json_file(at("p.jsonl.partial.manifest.json"))["finished"], false);
    config(server.base_url());
    const auto outcome = run_command(same);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("resuming where the command stopped rows=1"));
    EXPECT_EQ(server.counts().good, 2);
    EXPECT_EQ(rows("p.jsonl").size(), 2u);
    EXPECT_EQ(manifest()["resumes"], 1);
}

// Who answers "good" is best, and who answers "bad" worst; the texts say nothing.
std::string by_response(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").back().at("content");
    EXPECT_THAT(asked, HasSubstr("\nInstruction:\n> Be short.\n"));
    const auto responses = test::matches_of(asked, "Response:\n> ([^\n]*)");
    const auto place = [&](const char* response) {
        return std::to_string(std::find(responses.begin(), responses.end(), response) - responses.begin());
    };
    return responses.size() == 2 ? "Best: " + std::string(responses[0] < responses[1] ? "1, Worst: 0" : "0, Worst: 1")
                                 : "Best: " + place("good") + ", Worst: " + place("bad");
}

TEST_F(JudgeCommand, ResponsesAreShownWhereTheGuidelineAsksForThem) {
    ChatServer server({.answer = by_response});
    config(server.base_url());
    folder_.file("g.txt", "shows: instruction, responses\n---\nJudge the planners.\n");
    const auto group = [](const char* id) {
        return Json{{"id", id},
                    {"source", "one"},
                    {"instruction", "Be short."},
                    {"candidates",
                     {{{"system", "x"}, {"text", "aaa"}, {"response", "bad"}},
                      {{"system", "y"}, {"text", "aaa"}, {"response", "fair"}},
                      {{"system", "z"}, {"text", "a"}, {"response", "good"}}}}};
    };
    folder_.file("c.jsonl", dump_line(group("1")) + "\n");
    for (const char* form : {"listwise", "pairwise"}) {
        const auto outcome = run_command(judge({"--aspect", "", "--record", "none", "--form", form}));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json pairs = rows("p.jsonl");
        ASSERT_EQ(pairs.size(), 1u) << form;
        EXPECT_EQ(pairs[0]["chosen"][0]["content"], "a") << form;
        for (const char* part : {"\"best\":2", "\"worst\":0"}) EXPECT_THAT(pairs[0].dump(), HasSubstr(part)) << form;
    }
    const auto asked = server.counts().good;
    EXPECT_EQ(asked, 4) << "one question, and one for each two candidates";
    Json partly = group("2");
    partly["candidates"][1].erase("response");
    folder_.file("c.jsonl", dump_line(group("1")) + "\n" + dump_line(partly) + "\n");
    EXPECT_EQ(failure_of(judge({"--aspect", "", "--record", "none"})),
              "1: group 2: candidate 1: expected a response, which the guideline shows, got none");
    EXPECT_EQ(server.counts().good, asked) << "nobody is asked before";
    EXPECT_EQ(failure_of(judge({"--aspect", "", "--judge", "rules"})),
              "2: --guideline: " + at("g.txt") +
                  " shows instructions or responses, of which the judge rules sees nothing: expected a model as the judge, "
                  "or a guideline for texts");
}

TEST_F(JudgeCommand, ADryRunAsksNobody) {
    ChatServer server({.answer = fair});
    config(server.base_url());
    const auto outcome = run_command(judge({"--set", "dry_run=true", "--orders", "both", "--repeat", "3"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json told = Json::parse(outcome.out);
    EXPECT_EQ(told["groups"], 4);
    EXPECT_EQ(told["nothing_to_judge"], Json({{"equal", 1}, {"one candidate", 1}}));
    EXPECT_EQ(told["judges"]["openai:own"]["requests"], Json({{"least", 12}, {"most", 36}}));
    EXPECT_GT(told["judges"]["openai:own"]["usd"], 0);
    EXPECT_EQ(told["prompt"][0]["content"], "Judge them.");
    EXPECT_EQ(server.counts().good, 0);
}

TEST_F(JudgeCommand, AGuidelineBeyondTheWindowIsOneLine) {
    config("http://127.0.0.1:1/v1");
    std::string longer = "---\n";
    while (longer.size() < 30000) longer += "Judge them well and with care. ";
    folder_.file("long.txt", longer);
    const std::string model = "local:" + test::tiny_model();
    EXPECT_EQ(failure_of(judge({"--guideline", at("long.txt"), "--aspect", "", "--judge", model})),
              "1: " + model +
                  ": expected a usable answer, got none of 2 (prompt_too_long 2) (guideline, examples and candidates fill "
                  "the model's context: shorten the guideline, or use a judge with a longer context)");
    EXPECT_FALSE(std::filesystem::exists(at("p.jsonl")));
    EXPECT_EQ(kept_rows("p.jsonl").size(), 4u) << "what was said is kept";
}

TEST_F(JudgeCommand, WhatDoesNotFitIsRefused) {
    config("http://127.0.0.1:1/v1");
    const auto refused = [&](const Arguments& more) { return failure_of(judge(more)); };
    for (const char* none : {"rules:split", "scores:fkgl"})
        EXPECT_EQ(refused({"--judge", none}),
                  std::string("2: --judge: expected local:MODEL[+ADAPTER], openai:PROFILE, rules or scores, got ") + none);
    EXPECT_EQ(refused({"--judge", "rules"}),
              "1: judge rules: expected an aspect that the rules know: Lexical, Structural, Overall, got 'Short'");
    EXPECT_EQ(refused({"--judge", "scores"}),
              "2: --scores-metric, --scores-command and --scores-field: expected one of them, got none (what --judge scores "
              "goes by)");
    EXPECT_THAT(refused({"--min-gap", "1"}), HasSubstr("--judge scores"));
    EXPECT_THAT(refused({"--judge", "nobody"}), testing::StartsWith("2: --judge: "));
    EXPECT_EQ(refused({"--judge", ""}), "2: --judge and --panel: expected one of them, got none (who judges)");
    EXPECT_THAT(refused({"--panel", "openai:own"}), HasSubstr("expected one of them, got both"));
    EXPECT_THAT(refused({"--judge", "", "--panel", "openai:own,openai:own"}), HasSubstr("each judge once"));
    EXPECT_EQ(refused({"--panel-mode", "rotate"}), "2: --panel-mode: expected with --panel, got without");
    EXPECT_EQ(refused({"--aspect", "short"}), "2: --aspect: expected one of Short, Long, the aspects of " + at("g.txt") +
                                                  ", got short; did you mean 'Short'?");
    EXPECT_THAT(refused({"--aspect", ""}), HasSubstr("got nothing"));
    EXPECT_EQ(refused({"--guideline", ""}), "2: missing --guideline: the guideline for judges");
    EXPECT_THAT(refused({"--guideline", at("none.txt")}), testing::StartsWith("1: "));
    EXPECT_THAT(refused({"--form", "pointwise", "--guideline", ""}),
                HasSubstr("--aspect: expected one of fluency, coherence"));
    EXPECT_THAT(refused({"--form", "pointwise", "--aspect", "fluency"}),
                HasSubstr("--guideline: expected without --form pointwise"));
    EXPECT_THAT(refused({"--output", at("c.jsonl")}), testing::StartsWith("2: --output"));
    EXPECT_THAT(refused({"--judgements", at("p.jsonl.manifest.json")}), testing::StartsWith("2: --judgements"));
    EXPECT_THAT(refused({"--compare", at("g.txt") + "," + at("g.txt")}), testing::StartsWith("code 2"));
    folder_.file("c.jsonl", "{\"id\":\"1\",\"source\":\"s\",\"candidates\":[]}\n");
    EXPECT_THAT(refused({}), testing::StartsWith("1: " + at("c.jsonl") + ":1: field 'candidates'"));
    folder_.file("g.txt", "---\nOne verdict.\n");
    EXPECT_THAT(refused({}), HasSubstr("names no aspects"));
}

}  // namespace
}  // namespace craft
