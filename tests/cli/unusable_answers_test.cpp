// Servers that answer every request with something that is no answer: each command ends with exit 1 and says how often
// which it was; and answers that were cut are no answers anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/command_inputs.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::ChatServerOptions;
using chat_server::Fault;
using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

ChatServerOptions always(Fault fault) {
    ChatServerOptions options = test::revising_server();
    options.choose = [fault](const Json&, int64_t) { return std::optional(fault); };
    options.keep_requests = true;
    return options;
}

class UnusableAnswers : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("g.txt", "version: 7\naspects: Short\n---\nJudge them.\n");
        std::string groups, sentences, items, a, b;
        for (int i = 0; i < 4; ++i) {
            const std::string id = "{\"id\":\"" + std::to_string(i) + "\",";
            groups += id + "\"source\":\"" + std::to_string(i) +
                      R"(","candidates":[{"system":"x","text":"aaa"},{"system":"y","text":"a"}]})" + "\n";
            sentences += id + "\"text\":\"The task of clerk " + std::to_string(i) + " was never very facile.\"}\n";
            items += id + "\"text\":\"text " + std::to_string(i) + "\"}\n";
            a += id + "\"text\":\"short\"}\n";
            b += id + "\"text\":\"rather longer\"}\n";
        }
        folder_.file("groups.jsonl", groups);
        folder_.file("sentences.jsonl", sentences);
        folder_.file("items.jsonl", items);
        folder_.file("a.jsonl", a);
        folder_.file("b.jsonl", b);
        folder_.file("easy.jsonl", R"({"id":"1","text":"t","constraints":[{"kind":"style","text":"grand"}]})"
                                   "\n");
        folder_.file("made.jsonl", "{\"id\":\"1\",\"text\":\"a mill\"}\n");
        folder_.file("prompts.json", "{\"simplification\":[\"Simpler\"]}");
    }
    Arguments command(const std::string& name) const {
        const std::map<std::string, Arguments> all = {
            {"revise",
             {"revise", "--scorers", "none", "--method", "direct", "--reviser", "openai:own", "--input", texts(4),
              "--output", at("o.jsonl")}},
            {"revise by plans",
             {"revise", "--scorers", "none", "--method", "plan", "--planner", "openai:own", "--input", texts(4), "--output",
              at("o.jsonl")}},
            {"revise by search",
             {"revise", "--scorers", "none", "--method", "search", "--iterations", "2", "--planner", "openai:own", "--input",
              texts(4), "--output", at("o.jsonl")}},
            {"simplify run",
             {"simplify", "run", "--policy", "lexical", "--model", "openai:own", "--input", at("sentences.jsonl"),
              "--output", at("o.jsonl")}},
            {"simplify candidates",
             {"simplify", "candidates", "--policy", "lexical", "--systems", "rules:copy,openai:own", "--input",
              at("sentences.jsonl"), "--output", at("o.jsonl")}},
            {"gec",
             {"gec", "--model", "openai:own", "--set", "tools=none", "--input", at("sentences.jsonl"), "--output",
              at("o.jsonl")}},
            {"gec zero_shot",
             {"gec", "--method", "zero_shot", "--model", "openai:own", "--set", "tools=none", "--input",
              at("sentences.jsonl"), "--output", at("o.jsonl")}},
            {"judge",
             {"judge", "--judge", "openai:own", "--guideline", at("g.txt"), "--input", at("groups.jsonl"), "--output",
              at("o.jsonl"), "--judgements", at("j.jsonl")}},
            {"eval pairwise",
             {"eval", "pairwise", "--judge", "openai:own", "--items", at("items.jsonl"), "--a", at("a.jsonl"), "--b",
              at("b.jsonl"), "--criteria", "fluency", "--output", at("r.json")}},
            {"eval easy",
             {"eval", "easy", "--judge", "openai:own", "--items", at("easy.jsonl"), "--outputs", at("made.jsonl"),
              "--output", at("r.json")}},
            {"eval editeval",
             {"eval", "editeval", "--system", "openai:own", "--data", test::kShare + "/examples/editeval", "--tasks",
              "simplification", "--splits", "train,dev,test", "--prompts", at("prompts.json"), "--out", at("run")}},
        };
        Arguments found = all.at(name);
        const size_t words = name.starts_with("eval") || name.starts_with("simplify") ? 2 : 1;
        found.insert(found.begin() + static_cast<std::ptrdiff_t>(words),
                     {"--config", at("hosted.json"), "--answers", at("answers"), "--quiet"});
        return test::replacing(found);
    }
    void remove_outputs() const {
        std::filesystem::remove_all(at("run"));
        for (const std::string file : {"o.jsonl", "j.jsonl", "r.json"})
            for (const std::string beside : {"", ".partial", ".manifest.json", ".partial.manifest.json"})
                std::filesystem::remove(at(file + beside));
    }
    inline static const std::vector<std::string> kCommands = {
        "revise",        "revise by plans", "revise by search", "simplify run", "simplify candidates", "gec",
        "gec zero_shot", "judge",           "eval pairwise",    "eval easy",    "eval editeval"};
};

TEST_F(UnusableAnswers, ARunOfThemFailsInEveryCommand) {
    for (const auto& [fault, reason] : std::vector<std::pair<Fault, std::string>>{{Fault::no_choices, "no_choices"},
                                                                                  {Fault::wrong_json, "broken_reply"},
                                                                                  {Fault::error_in_200, "server_error"},
                                                                                  {Fault::empty_content, "no_content"},
                                                                                  {Fault::html, "not_json"},
                                                                                  {Fault::length, "cut"}}) {
        ChatServer server(always(fault));
        config(server.base_url(), {{"retries", {{"max_retries", 0}}}, {"error_rate", {{"share", 1}}}});
        for (const std::string& name : kCommands) {
            remove_outputs();
            EXPECT_THAT(failure_of(command(name)),
                        testing::AllOf(testing::StartsWith("1: "), testing::ContainsRegex(reason + " [1-9]")))
                << name;
        }
    }
}

// What came in is not lost, and says itself that it is as it was: a stream has the rows whatever came of them.
TEST_F(UnusableAnswers, RowsSayThatTheyAreAsTheyWere) {
    ChatServer server(always(Fault::no_choices));
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}});
    for (const std::string name : {"revise", "revise by plans", "simplify run", "gec", "gec zero_shot"}) {
        Arguments asked = command(name);
        *(std::find(asked.begin(), asked.end(), "--output") + 1) = "-";
        const auto outcome = run_command(asked);
        EXPECT_EQ(outcome.code, 1) << name;
        EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << name;
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);) {
            const Json row = parse_json(line, "a row");
            EXPECT_EQ(row["status"], "failed") << name;
            EXPECT_EQ(row["reason"], "no_choices") << name;
        }
    }
}

// With --overwrite, too: the older output is replaced by a run that has answers.
TEST_F(UnusableAnswers, AFailedRunLeavesOutputsAsTheyWere) {
    const std::string older = "of an earlier run\n", manifest = "{\"program\":\"craft-train\"}\n";
    const std::vector<std::string> outputs = {"o.jsonl", "j.jsonl", "r.json"};
    for (const std::string& name : kCommands) {
        remove_outputs();
        Arguments asked = command(name);
        if (name == "eval editeval") continue;  // a run folder, below
        if (name.starts_with("eval")) asked.insert(asked.end(), {"--judgements", at("j.jsonl")});
        for (const std::string& output : outputs) folder_.file(output, older);
        for (const std::string& output : outputs) folder_.file(output + ".manifest.json", manifest);
        const std::string rows_in = name.starts_with("eval") ? "j.jsonl.partial" : "o.jsonl.partial";
        std::filesystem::remove_all(at("answers"));
        {
            ChatServer server(always(Fault::no_choices));
            config(server.base_url(), {{"retries", {{"max_retries", 0}}}});
            Arguments anew = asked;
            anew.emplace_back("--overwrite");
            EXPECT_THAT(failure_of(anew), testing::AllOf(testing::StartsWith("1: "), HasSubstr(at(rows_in)))) << name;
            for (const std::string& output : outputs) {
                EXPECT_EQ(read_file(at(output)), older) << name;
                EXPECT_EQ(read_file(at(output + ".manifest.json")), manifest) << name;
            }
            EXPECT_THAT(read_file(at(rows_in)), HasSubstr(name == "eval easy" ? "\"item\"" : "\"id\"")) << name;
            if (!name.starts_with("eval")) {
                EXPECT_EQ(read_json_file(at("o.jsonl.partial.manifest.json"))["finished"], false) << name;
                EXPECT_THAT(failure_of(asked), testing::AllOf(testing::StartsWith("1: "), HasSubstr(at(rows_in))))
                    << name << ": the same rows again";
            }
        }
        if (name != "revise" && !name.starts_with("simplify")) continue;  // to others this server says nothing usable
        ChatServer good(test::revising_server());
        config(good.base_url());
        asked.emplace_back("--overwrite");
        const auto outcome = run_command(asked);
        EXPECT_EQ(outcome.code, 0) << name << outcome.err;
        EXPECT_NE(read_file(at("o.jsonl")), older) << name;
        EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["finished"], true) << name;
        EXPECT_FALSE(std::filesystem::exists(at("o.jsonl.partial")));
        EXPECT_FALSE(std::filesystem::exists(at("o.jsonl.partial.manifest.json")));
    }
}

TEST_F(UnusableAnswers, TheSameCommandAsksAnewWhenTheServerIsBack) {
    bool is_down = true;
    ChatServerOptions options = always(Fault::no_choices);
    options.choose = [&](const Json&, int64_t) { return is_down ? std::optional(Fault::no_choices) : std::nullopt; };
    ChatServer server(options);
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}, {"error_rate", {{"share", 1}}}});
    for (const std::string name : {"revise", "simplify run", "simplify candidates", "gec", "judge"}) {
        remove_outputs();
        is_down = true;
        const int64_t before = server.counts().requests;
        EXPECT_THAT(failure_of(command(name)), HasSubstr("rerun to retry")) << name;
        const int64_t asked = server.counts().requests - before;
        EXPECT_EQ(run_command(command(name)).code, 1) << name;
        EXPECT_EQ(server.counts().requests - before, 2 * asked) << name << ": no row is the earlier run's";
        is_down = false;
        if (name == "revise" || name.starts_with("simplify")) {  // to others this server says nothing usable
            const auto outcome = run_command(command(name));
            EXPECT_EQ(outcome.code, 0) << name << outcome.err;
            EXPECT_FALSE(std::filesystem::exists(at("o.jsonl.partial"))) << name;
        }
    }
}

TEST_F(UnusableAnswers, AFailedRunLeavesARunFolderAsItWas) {
    const Arguments asked = command("eval editeval");
    {
        ChatServer good(test::revising_server());
        config(good.base_url());
        ASSERT_EQ(run_command(asked).code, 0);
    }
    const std::string before = read_file(at("run/editeval.json"));
    ChatServer server(always(Fault::no_choices));
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}});
    std::filesystem::remove_all(at("answers"));
    Arguments anew = asked;
    anew.emplace_back("--overwrite");
    EXPECT_EQ(run_command(anew).code, 1);
    EXPECT_EQ(read_file(at("run/editeval.json")), before);
    EXPECT_FALSE(std::filesystem::exists(at("run/.former")));
}

TEST_F(UnusableAnswers, OneUsableAnswerIsARun) {
    ChatServerOptions options = test::revising_server();
    options.choose = [](const Json& body, int64_t) {
        const bool is_second = body.dump().find("Road 1 ") != std::string::npos;
        return is_second ? std::optional<Fault>() : std::optional(Fault::no_choices);
    };
    ChatServer server(options);
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}, {"error_rate", {{"share", 1}}}});
    const auto outcome = run_command(command("revise"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = rows("o.jsonl");
    EXPECT_EQ(made[0]["status"], "failed");
    EXPECT_EQ(made[1]["status"], "revised");
    EXPECT_FALSE(made[1].contains("reason"));
    EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["revised"]["status"], Json({{"failed", 3}, {"revised", 1}}));

    // Rows of one run as the input of another: what they said of themselves goes.
    std::filesystem::rename(at("o.jsonl"), at("again.jsonl"));
    ChatServer good(test::revising_server());
    config(good.base_url());
    Arguments again = command("revise");
    *(std::find(again.begin(), again.end(), "--input") + 1) = at("again.jsonl");
    ASSERT_EQ(run_command(again).code, 0);
    EXPECT_EQ(rows("o.jsonl")[0]["status"], "revised");
    EXPECT_FALSE(rows("o.jsonl")[0].contains("reason"));
    EXPECT_EQ(rows("o.jsonl")[1]["status"], "unchanged");
}

// Without a limit: what the window leaves, at most 4,096 tokens; where that cuts an answer, once more with twice as many. A
// configured one is final.
TEST_F(UnusableAnswers, WhatIsAskedForAfterACut) {
    const auto limits_of = [&](const std::string& name, const Arguments& more) {
        ChatServer server(always(Fault::length));
        config(server.base_url());
        std::filesystem::remove_all(at("answers"));
        remove_outputs();
        Arguments all = command(name);
        all.insert(all.end(), more.begin(), more.end());
        EXPECT_EQ(run_command(all).code, 1) << name;
        std::map<int64_t, int64_t> limits;
        for (const auto& request : server.requests())
            if (!request.body.empty())  // one asks which models it has
                ++limits[parse_json(request.body, "request")["max_tokens"].get<int64_t>()];
        return limits;
    };
    using Limits = std::map<int64_t, int64_t>;
    for (const std::string name : {"revise", "simplify run", "gec", "judge", "eval pairwise", "eval editeval"}) {
        const Limits free = limits_of(name, {});
        EXPECT_EQ(free, (Limits{{4096, 4}, {8192, 4}})) << name << ": each item once, and once again";
        const bool is_reviser = name == "revise";  // whose limit --max-new-tokens is not
        EXPECT_EQ(limits_of(name, is_reviser ? Arguments{"--set", "reviser_sampling.max_new_tokens=4096"}
                                             : Arguments{"--max-new-tokens", "4096"}),
                  (Limits{{4096, 4}}))
            << name;
    }
    EXPECT_EQ(limits_of("revise by plans", {"--max-new-tokens", "64"}), (Limits{{64, 4}}));
}

// What was cut before its limit, by the server's window, is not recorded, and is asked for again; the longer answer is.
TEST_F(UnusableAnswers, AskingForMoreIsRecorded) {
    ChatServerOptions options = test::revising_server();
    options.choose = [](const Json& body, int64_t) {
        return body["max_tokens"] == 4096 ? std::optional(Fault::length) : std::optional<Fault>();
    };
    options.keep_requests = true;
    ChatServer server(options);
    config(server.base_url());
    for (int run = 0; run < 2; ++run) {
        const auto outcome = run_command(command("revise"));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        for (const Json& row : rows("o.jsonl")) EXPECT_EQ(row["status"], "revised");
        const auto asked = server.requests();
        const auto questions = std::count_if(asked.begin(), asked.end(), [](const auto& one) { return !one.body.empty(); });
        EXPECT_EQ(questions, run == 0 ? 8 : 12);
        EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["usage"]["roles"]["reviser"]["revise"]["requests"], 8);
    }
    EXPECT_EQ(rows("o.jsonl")[0]["cost"]["calls"], 1) << "one answer, which cost two requests";
}

}  // namespace
}  // namespace craft
