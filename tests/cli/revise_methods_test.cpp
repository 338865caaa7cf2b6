// The methods of `revise` as the paper has them: rounds without a planner, plans by a prompt that asks for nothing else, the
// best of several, and suggestions in a search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::Outcome;
using test::run_command;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

class ReviseMethods : public test::ReviseCase {
protected:
    Outcome run(const Arguments& more) const {
        Arguments all = revise({"--reviser", "openai:own", "--output", at("o.jsonl")});
        all.insert(all.end(), more.begin(), more.end());
        return run_command(test::replacing(all));
    }
    std::vector<std::string> errors(const Arguments& more) const {
        Arguments all = {"revise", "--config", at("hosted.json"), "--scorers", "none", "--input", "i", "--output", at("o")};
        all.insert(all.end(), more.begin(), more.end());
        return run_command(all).errors();
    }
};

// Without a planner the reviser revises its own revision (CRAFT §6.1 "Iter").
TEST_F(ReviseMethods, IterNeedsNoPlanner) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const Outcome outcome = run({"--method", "iter", "--input", texts(1)});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json row = rows("o.jsonl")[0];
    EXPECT_EQ(row["text"], "Road 0 is long. It was late.");
    EXPECT_EQ(row["trace"]["rounds"].size(), 5u);
    EXPECT_EQ(row["cost"]["calls"], 5);
    EXPECT_TRUE(row["calls"].empty());
    // The rules carry out plans alone, and what only a planner reads is refused.
    EXPECT_THAT(errors({"--method", "iter"}),
                Contains(StartsWith("--reviser rules: carries out plans only; known for this method without --planner: ")));
    EXPECT_THAT(errors({"--method", "iter", "--reviser", "openai:own", "--text-feedback", "fluency"}),
                Contains(HasSubstr("--text-feedback fluency: expected with --planner")));
    EXPECT_THAT(errors({"--method", "iter", "--reviser", "openai:own", "--constrain-calls"}),
                Contains(HasSubstr("--constrain-calls: expected with --planner")));
}

// A model that was not trained to plan is asked for a plan alone and shown one by hand (App. E.4).
TEST_F(ReviseMethods, PlanAsksForAPlanAlone) {
    ChatServer server({.answer =
                           [](const Json& body, int64_t) {
                               const std::string asked = body.at("messages").back().at("content");
                               if (asked.starts_with("### INSTRUCTIONS:")) return test::revising_answer(body, 0);
                               return std::string("Sentence: \"It was very late.\"; Improvement Plan: \"Cut very.\"");
                           },
                       .keep_requests = true});
    config(server.base_url());
    const Arguments plan = {"--method", "plan", "--planner", "openai:own", "--input", texts(1)};
    ASSERT_EQ(run(plan).code, 0);
    const Json row = rows("o.jsonl")[0];
    EXPECT_EQ(row["text"], "Road 0 is long. It was late.");
    EXPECT_TRUE(row["conditions"].empty());
    EXPECT_EQ(row["trace"]["counted"]["leniency: plan_without_headings"], 1);
    EXPECT_TRUE(read_json_file(at("o.jsonl.manifest.json"))["versions"]["prompts"].contains("planner.plan.txt"));
    Arguments full = plan;
    full.insert(full.end(), {"--prompt", "full"});
    ASSERT_EQ(run(full).code, 0);
    EXPECT_TRUE(read_json_file(at("o.jsonl.manifest.json"))["versions"]["prompts"].contains("planner.full.txt"));
    EXPECT_THAT(errors({"--method", "plan", "--planner", "openai:own", "--prompt", "plan", "--constrain-calls"}),
                Contains(HasSubstr("--constrain-calls: expected without --prompt plan")));
}

TEST_F(ReviseMethods, BestOfTakesOneOfSeveral) {
    ChatServer server({.answer = [](const Json& body, int64_t choice) {
        const std::string asked = body.at("messages").back().at("content");
        if (!asked.starts_with("### INSTRUCTIONS:")) return test::revising_answer(body, choice);
        const std::string text = test::revising_answer(body, choice);
        return choice % 2 == 0 ? text : text + " And so on.";
    }});
    config(server.base_url());
    const Outcome outcome = run({"--method", "best-of", "--samples", "2", "--planner", "openai:own", "--input", texts(2)});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const Json& row : rows("o.jsonl")) {
        EXPECT_EQ(row["trace"]["search"]["rewards"].size(), 2u);
        EXPECT_EQ(row["trace"]["rounds"].size(), 1u);
        EXPECT_EQ(row["scores"]["r_c"], 1) << "less than 10 words, as the greedy response asks";
    }
    EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["revised"]["iterations"], 4);
    for (const auto& [more, problem] :
         {std::pair(Arguments{"--planner", "openai:own", "--samples", "0"}, "--samples: expected at least 1, got 0"),
          std::pair(Arguments{"--planner", "openai:own", "--without", "feedback"},
                    "--without feedback: expected with --method iter or"),
          std::pair(Arguments{"--reviser", "openai:own"},
                    "missing --planner: without scorers every revision has the reward 1"),
          std::pair(Arguments{"--planner", "openai:own", "--tokens-of", "s", "--samples", "4"},
                    "--tokens-of: expected without")}) {
        Arguments all = {"--method", "best-of"};
        all.insert(all.end(), more.begin(), more.end());
        EXPECT_THAT(errors(all), Contains(StartsWith(problem))) << more.back();
    }
    EXPECT_THAT(errors({"--method", "iter", "--planner", "openai:own", "--samples", "4"}),
                Contains(StartsWith("--samples: expected with --method best-of")));
}

// Each text is revised until it cost as many tokens as another method took for it.
TEST_F(ReviseMethods, BestOfSpendsWhatASearchSpent) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string input = texts(2);
    ASSERT_EQ(run({"--method", "search", "--iterations", "2", "--planner", "openai:own", "--input", input, "--text-feedback",
                   "none"})
                  .code,
              0);
    std::filesystem::rename(at("o.jsonl"), at("search.jsonl"));
    const Arguments equal = {"--method", "best-of", "--planner",   "openai:own",
                             "--input",  input,     "--tokens-of", at("search.jsonl")};
    const Outcome outcome = run(equal);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json spent = rows("search.jsonl"), best = rows("o.jsonl");
    const auto tokens = [](const Json& row) {
        return row["cost"]["input_tokens"].get<int64_t>() + row["cost"]["output_tokens"].get<int64_t>();
    };
    for (size_t i = 0; i < 2; ++i) {
        const auto samples = static_cast<int64_t>(best[i]["trace"]["search"]["rewards"].size());
        EXPECT_GE(tokens(best[i]), tokens(spent[i]));
        // All samples cost the same: what is too much is less than one of them.
        EXPECT_LT((tokens(best[i]) - tokens(spent[i])) * samples, tokens(best[i]));
    }
    folder_.file("other.jsonl", R"({"id":0,"text":"t","cost":{"input_tokens":5,"output_tokens":1}})");
    Arguments other = equal;
    other.back() = at("other.jsonl");
    EXPECT_THAT(run(other).err, HasSubstr("expected a text that " + at("other.jsonl") + " has a row of, got '1'"));
    folder_.file("other.jsonl", R"({"id":0,"text":"t"})");
    other.push_back("--overwrite");
    EXPECT_THAT(run(other).err, HasSubstr("field 'cost': expected the tokens of a text, as `revise` writes them"));
}

// Where a model can give suggestions a search asks for them, unless it is told not to.
TEST_F(ReviseMethods, ASearchAsksForSuggestions) {
    ChatServer server({.answer = [](const Json& body, int64_t choice) {
        const std::string asked = body.at("messages").back().at("content");
        const bool suggests = asked.find("Original:") != std::string::npos && asked.find("Suggestion:") != std::string::npos;
        return suggests ? std::string("Original: It was late.; Suggestion: It was night.")
                        : test::revising_answer(body, choice);
    }});
    config(server.base_url());
    const Arguments search = {"--method", "search", "--iterations", "2", "--planner", "openai:own", "--input", texts(1)};
    ASSERT_EQ(run(search).code, 0);
    EXPECT_GT(rows("o.jsonl")[0]["trace"]["counted"]["feedback: suggestions"], 0);
    Arguments without = search;
    without.insert(without.end(), {"--text-feedback", "none"});
    ASSERT_EQ(run(without).code, 0);
    EXPECT_FALSE(rows("o.jsonl")[0]["trace"]["counted"].contains("feedback: suggestions"));
    // The first leaf is the text as it came; the second one is looked through under three aspects.
    Arguments rehearsed = revise({"--reviser", "openai:own", "--dry-run"});
    rehearsed.insert(rehearsed.end(), search.begin(), search.end());
    EXPECT_EQ(Json::parse(run_command(rehearsed).out)["roles"]["feedback"]["requests"], Json({{"least", 0}, {"most", 3}}));
}

// An input may hold several domains, whose costs are told apart.
TEST_F(ReviseMethods, CostsAreToldByDomain) {
    ChatServer server(test::revising_server());
    config(server.base_url());
    const std::string input =
        folder_.file("domains.jsonl", R"({"id":"a","domain":"c1","instruction":"i","text":"A very good day."})"
                                      "\n"
                                      R"({"id":"b","domain":2,"instruction":"i","text":"A very bad day."})"
                                      "\n"
                                      R"({"id":"c","domain":["odd"],"instruction":"i","text":"A very odd day."})"
                                      "\n");
    ASSERT_EQ(run({"--method", "iter", "--rounds", "2", "--input", input}).code, 0);
    const Json by_domain = read_json_file(at("o.jsonl.manifest.json"))["by_domain"];
    ASSERT_EQ(by_domain.size(), 2u);
    EXPECT_EQ(by_domain["c1"]["rows"], 1);
    EXPECT_EQ(by_domain["c1"]["iterations"], 2);
    EXPECT_EQ(by_domain["c2"]["cost"]["calls"], 2);
    const Outcome table = run_command({"eval", "table", "--layout", "t11", "--format", "csv",
                                       "Iter=" + at("o.jsonl.manifest.json"), "Same=" + at("o.jsonl.manifest.json")});
    EXPECT_THAT(table.out, HasSubstr("Iter Cnt.,-,1.0,1.0,-,-\r\n")) << table.err;
    EXPECT_THAT(table.out, HasSubstr("Inf.,-,-,-,-,-\r\n")) << "the seconds are those of all domains together";
}

}  // namespace
}  // namespace craft
