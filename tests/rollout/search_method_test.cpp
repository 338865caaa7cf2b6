// The search as a method: whose conditions count, what a tree depends on and what not, and candidates that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "judge/flowing_judge.h"
#include "rollout/methods.h"
#include "systems/flowing_systems.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kBarn = "The barn is old. It fell.";

// A response whose thought is a number, drawn from what was asked: the same ask gets the same response.
Reply numbered_response(const ScriptedSystem::Ask& ask, size_t) {
    const uint64_t drawn = (ask.item % 97 + 31 * ask.sample + ask.messages.size()) % 5;
    PlannerResponse response;
    response.thought = std::to_string(ask.sampling.temperature > 0 ? drawn : 9);
    // Only the greedy one asks for conditions.
    response.tools = ask.sampling.temperature > 0 ? "text_eval()"
                                                  : "sentence_count_check(3, \"equal\")\nword_count_check(8, \"less than\")";
    return {.text = print_response(response), .usage = {.prompt_tokens = 10, .new_tokens = 5, .cached_tokens = 4}};
}

// As many letters more before the last full stop as the response's thought says; of 3 a sentence more.
Revised add_letters(const RevisionRequest& request, size_t) {
    const int letters = std::stoi(request.response->parts.thought);
    std::string text = request.text;
    if (letters == 3) return {text + " Aha."};
    return {text.insert(text.size() - 1, static_cast<size_t>(letters), 'a')};
}

MethodOptions small_search() {
    MethodOptions options;
    options.method = Method::search;
    options.search.iterations = 6;
    options.search.depth = 3;
    options.search.patience = 0;
    return options;
}

struct Found {
    RevisionResult result;
    std::vector<ScriptedSystem::Ask> asks;
};

Found search_barn(const MethodOptions& options, const Instruction& task = scripted_task(kBarn),
                  const ScriptedReviser::Revise& revise = add_letters,
                  const ScriptedSystem::Answer& answer = numbered_response) {
    ScriptedSystem planner(answer);
    ScriptedReviser reviser(revise);
    ScriptedParts all(&planner, &reviser, counting_judge());
    RevisionResult result = revise_text(task, all.parts, options);
    return {std::move(result), planner.asks};
}

// The nodes that were evaluated, without the root.
std::vector<Json> evaluated(const Json& tree) {
    std::vector<Json> nodes;
    for (const Json& node : tree["nodes"])
        if (node.contains("reward")) nodes.push_back(node);
    return nodes;
}

}  // namespace

TEST(SearchMethod, TheConditionsAreTheGreedyResponses) {
    const Found found = search_barn(small_search());
    EXPECT_EQ(found.asks.at(0).sampling.temperature, 0);
    EXPECT_EQ(found.asks.at(0).sample, 0u);
    for (size_t i = 1; i < found.asks.size(); ++i) EXPECT_EQ(found.asks[i].sampling.temperature, 0.7);
    EXPECT_EQ(found.asks.size(), 1u + 6 * 3) << "six leaves, three responses each";
    EXPECT_THAT(found.result.calls, ElementsAre("sentence_count_check(3, \"equal\")", "word_count_check(8, \"less than\")"));
    const auto nodes = evaluated(found.result.tree);
    ASSERT_GT(nodes.size(), 3u);
    for (const Json& node : nodes) {
        EXPECT_EQ(node["payload"]["conditions"].size(), 2u);
        // By hand: the original has two sentences and eight Treebank tokens ("The barn is old . It fell .").
        const std::string revision = node["revision"];
        size_t added = 0;  // sentences
        for (size_t at = revision.find(" Aha"); at != std::string::npos; at = revision.find(" Aha", at + 1)) ++added;
        EXPECT_EQ(node["payload"]["conditions"][0]["met"], added == 1);
        EXPECT_EQ(node["r_c"], (node["payload"]["conditions"][0]["met"].get<bool>() +
                                node["payload"]["conditions"][1]["met"].get<bool>()) /
                                   2.0);
        const auto letters = std::count(revision.begin(), revision.end(), 'a');
        EXPECT_DOUBLE_EQ(node["r_g"].get<double>(), std::min(1.0, static_cast<double>(letters) / 10));
    }
}

TEST(SearchMethod, TheResultIsTheBestNodeWithItsPath) {
    const RevisionResult result = search_barn(small_search()).result;
    double highest = 0;
    for (const Json& node : evaluated(result.tree)) highest = std::max(highest, node["reward"].get<double>());
    EXPECT_EQ(result.search["reward"], highest);
    EXPECT_EQ(result.search["ended"], "iterations");
    const Json& path = result.search["path"];
    ASSERT_EQ(path.size(), result.rounds.size());
    for (size_t i = 0; i < path.size(); ++i) {
        const Json& node = result.tree["nodes"][path[i].get<size_t>()];
        EXPECT_EQ(node["revision"], result.rounds[i].text);
        EXPECT_EQ(node["payload"]["conditions"], to_json(result.rounds[i].conditions));
        EXPECT_EQ(node["payload"]["response"], result.rounds[i].response);
        EXPECT_EQ(node["r_g"].get<double>() * 100, result.rounds[i].s_r);
        EXPECT_EQ(node["parent"], i == 0 ? Json(0) : path[i - 1]);
    }
    EXPECT_EQ(result.text, result.rounds.back().text);
    // One greedy response, then 6 leaves whose samples share a prompt of 10 tokens.
    EXPECT_EQ(result.planner_tokens.plain, (10 + 5) + 6 * (10 + 3 * 5));
    EXPECT_EQ(result.planner_tokens.computed, (6 + 5) + 6 * (6 + 3 * 5));
    EXPECT_EQ(result.cost.calls, 1 + 6 * 3);
}

TEST(SearchMethod, TheSameTreeWithAndWithoutGold) {
    for (const int64_t leaves : {1, 3}) {
        MethodOptions options = small_search();
        options.search.leaves = leaves;
        Instruction with_gold = scripted_task(kBarn);
        with_gold.domain = 2;
        with_gold.gold = {{SentenceCountCheck{3, Relation::equal}}, {KeywordKeepRemovalCheck{"barn", false}}};
        const Found plain = search_barn(options), gold = search_barn(options, with_gold);
        EXPECT_EQ(plain.result.tree.dump(), gold.result.tree.dump());
        EXPECT_EQ(plain.result.row().dump(), gold.result.row().dump());
        ASSERT_EQ(plain.asks.size(), gold.asks.size());
        for (size_t i = 0; i < plain.asks.size(); ++i) EXPECT_EQ(plain.asks[i].messages, gold.asks[i].messages);
    }
}

TEST(SearchMethod, TheSameTreeBesideOtherTexts) {
    for (const int64_t leaves : {1, 2}) {
        MethodOptions options = small_search();
        options.search.leaves = leaves;
        const auto task = [](int64_t number) {
            return scripted_task(kBarn + " It is number " + std::to_string(number) + ".", "t" + std::to_string(number));
        };
        Flow flow({.items_at_once = 5, .items_ahead = 8});
        ComputedSystem planner(flow, std::make_shared<ScriptedSystem>(numbered_response));
        FlowingJudge judge(flow, counting_judge());
        ScriptedParts all(nullptr, nullptr);
        all.parts.planner = &planner;
        all.parts.judge = &judge;
        int64_t given = 0;
        std::vector<std::string> rows;
        flow.run<Instruction, RevisionResult>(
            [&]() -> std::optional<Instruction> { return given < 12 ? std::optional(task(given++)) : std::nullopt; },
            [&](Instruction& one) {
                ScriptedReviser reviser(add_letters);  // keeps what it was asked: one each
                MethodParts own = all.parts;
                own.reviser = &reviser;
                return revise_text(one, own, options);
            },
            [&](Instruction& one, RevisionResult& result) {
                const RevisionResult alone = search_barn(options, one).result;
                EXPECT_EQ(result.tree.dump(), alone.tree.dump()) << one.id;
                rows.push_back(result.row().dump());
                EXPECT_EQ(rows.back(), alone.row().dump());
            });
        EXPECT_EQ(rows.size(), 12u);
    }
}

TEST(SearchMethod, EqualResponsesAreOneNode) {
    const Found found = search_barn(small_search(), scripted_task(kBarn), add_letters, [](const auto& ask, size_t number) {
        Reply reply = numbered_response(ask, number);
        reply.text = response_text("text_eval()");
        reply.text.replace(reply.text.find("A thought."), 10, "1");
        return reply;
    });
    // A chain of three nodes, at whose end nothing may be expanded: three leaves, of whose responses two are merged each.
    EXPECT_EQ(evaluated(found.result.tree).size(), 3u);
    EXPECT_EQ(found.result.search["merged"], 6);
    EXPECT_EQ(found.result.search["ended"], "nothing_left");
    EXPECT_EQ(found.result.text, "The barn is old. It fellaaa.");
}

TEST(SearchMethod, CandidatesWithoutARevisionFail) {
    // Of each leaf's three the first is unusable and the second not UTF-8.
    const auto revise = [](const RevisionRequest& request, size_t number) -> Revised {
        if (number % 3 == 0) return {request.text, "unrelated", {{"asked_again", 1}}, {Usage{}, Usage{}}};
        if (number % 3 == 1) return {request.text + "\xff"};
        return {request.text + "a"};
    };
    const RevisionResult result = search_barn(small_search(), scripted_task(kBarn), revise).result;
    EXPECT_EQ(result.search["failed"], 3 * 2);
    EXPECT_EQ(result.search["evaluated"], 3);
    EXPECT_EQ(result.text, kBarn + "aaa");
    EXPECT_EQ(result.counted, (std::map<std::string, int64_t>{
                                  {"noted: asked_again", 3}, {"unusable: not_utf8", 3}, {"unusable: unrelated", 3}}));
    EXPECT_EQ(result.tree["nodes"][1]["failure"], "unrelated");
    EXPECT_EQ(result.tree["nodes"][1]["visits"], 0);
    EXPECT_EQ(result.tree["nodes"][2]["failure"], "not_utf8");
    EXPECT_EQ(result.tree["nodes"][2]["revision"], kBarn);
    EXPECT_EQ(result.cost.calls, 1 + 9 + 3 * 2);
}

TEST(SearchMethod, WhereEveryCandidateFailsTheTextStays) {
    const auto revise = [](const RevisionRequest& request, size_t) -> Revised { return {request.text, "echo"}; };
    const RevisionResult result = search_barn(small_search(), scripted_task(kBarn), revise).result;
    EXPECT_EQ(result.text, kBarn);
    EXPECT_EQ(result.counted, (std::map<std::string, int64_t>{{"unusable: echo", 3}, {"unusable: every candidate", 1}}));
    EXPECT_EQ(result.search["ended"], "nothing_left");
    const Json row = result.row();
    EXPECT_EQ(row["text"], kBarn);
    EXPECT_EQ(row["calls"].size(), 2u);
    // The text as it was is held against the conditions, as in the other methods.
    EXPECT_EQ(row["trace"]["rounds"].size(), 1u);
    EXPECT_EQ(row["trace"]["rounds"][0]["unusable"], "echo");
    EXPECT_EQ(row["conditions"].size(), 2u);
    EXPECT_TRUE(row["scores"].contains("s_r"));
    EXPECT_LT(row["scores"]["r_c"].get<double>(), 1);
}

TEST(SearchMethod, APlannerThatFailsFailsTheCandidates) {
    const auto answer = [](const ScriptedSystem::Ask& ask, size_t number) {
        return ask.sample == 1 || number == 0 ? Reply::failed(Failure::declined, "no") : numbered_response(ask, number);
    };
    const RevisionResult result = search_barn(small_search(), scripted_task(kBarn), add_letters, answer).result;
    // The greedy one, and the root's second.
    EXPECT_EQ(result.counted, (std::map<std::string, int64_t>{{"unusable: declined", 2}}));
    EXPECT_THAT(result.calls, IsEmpty());
    EXPECT_EQ(result.rounds.back().conditions.share(), 1) << "no condition was set";
    EXPECT_EQ(result.search["failed"], 1);
}

// As one that fails: half a plan is carried out by nobody, and half a list of calls sets no conditions.
TEST(SearchMethod, APlannerThatIsCutFailsTheCandidates) {
    const auto cut = [](size_t which) {
        return [which](const ScriptedSystem::Ask& ask, size_t number) {
            Reply reply = numbered_response(ask, number);
            if (number == 0 || ask.sample == which || which == 99) reply.status = Reply::Status::cut;
            return reply;
        };
    };
    const RevisionResult result = search_barn(small_search(), scripted_task(kBarn), add_letters, cut(1)).result;
    EXPECT_EQ(result.counted, (std::map<std::string, int64_t>{{"planner: cut", 2}, {"unusable: cut", 2}}));
    EXPECT_THAT(result.calls, IsEmpty());
    EXPECT_EQ(result.search["failed"], 1);
    EXPECT_EQ(result.problem(), "");

    const RevisionResult none = search_barn(small_search(), scripted_task(kBarn), add_letters, cut(99)).result;
    EXPECT_EQ(none.text, kBarn);
    EXPECT_EQ(none.problem(), "cut");
    EXPECT_EQ(none.search["evaluated"], 0);
}

TEST(SearchMethod, PartsOfTheRewardCanBeLeftOut) {
    // "Aha." brings the third sentence (R_c), letters bring R_g. Without R_c the most letters win, without R_g the
    // condition.
    MethodOptions options = small_search();
    options.search.iterations = 1;
    options.search.depth = 1;
    const auto answer = [](const ScriptedSystem::Ask& ask, size_t number) {
        Reply reply = numbered_response(ask, number);
        PlannerResponse response = parse_response(reply.text);
        response.thought = ask.sample == 1 ? "3" : "4";
        response.tools = "sentence_count_check(3, \"equal\")";
        reply.text = print_response(response);
        return reply;
    };
    const auto text = [&] { return search_barn(options, scripted_task(kBarn), add_letters, answer).result.text; };
    options.search.use_constraints = false;
    EXPECT_EQ(text(), "The barn is old. It fellaaaa.");
    options.search.use_constraints = true;
    options.search.use_quality = false;
    EXPECT_EQ(text(), kBarn + " Aha.");
    options.search.use_quality = true;
    EXPECT_EQ(text(), kBarn + " Aha.") << "1 + .2 is more than 0 + .5";
}

TEST(SearchMethod, WithoutAPlannerTheReviserDraws) {
    MethodOptions options = small_search();
    options.use_plan = false;
    options.search.leaves = 2;
    ScriptedReviser reviser([](const RevisionRequest& request, size_t) -> Revised {
        EXPECT_EQ(request.response, nullptr);
        EXPECT_EQ(request.original, kBarn);
        return {request.text + std::string(request.sample % 4, 'a')};
    });
    ScriptedParts all(nullptr, &reviser, counting_judge());
    const RevisionResult result = revise_text(scripted_task(kBarn), all.parts, options);
    std::set<std::pair<std::string, uint64_t>> streams;
    for (const RevisionRequest& ask : reviser.asks) streams.emplace(ask.text, ask.sample);
    EXPECT_EQ(streams.size(), reviser.asks.size()) << "no two draw alike";
    EXPECT_EQ(reviser.asks.size(), 6u * 3);
    EXPECT_THAT(result.calls, IsEmpty());
    EXPECT_EQ(result.planner_tokens.plain, 0);
    EXPECT_GT(result.rounds.back().s_r.value(), 20);
}

TEST(SearchMethod, ObservationsHoldWhatTheOptionsSay) {
    MethodOptions options = small_search();
    const auto observation = [&] {
        const Found found = search_barn(options);
        for (const auto& ask : found.asks)
            if (ask.messages.size() >= 3) return ask.messages.at(2).content;
        return std::string();
    };
    EXPECT_THAT(observation(), HasSubstr("text_eval() -> "));
    options.use_feedback = false;
    EXPECT_THAT(observation(), ::testing::MatchesRegex("###OBSERVATION:\n[^\n]*\n"));
}

TEST(SearchMethod, ATextThatIsNotUtf8IsAnError) {
    EXPECT_THROW(search_barn(small_search(), scripted_task("The barn \xff.")), Error);
}

}  // namespace craft
