// Several revisions of a text: which is taken, what they cost, and that they are the search's first.
#include <gtest/gtest.h>

#include "rollout/methods.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {
namespace {

const std::string kMill = "The mill is old. It fell.";

// Sample 0 writes no letter more, sample 1 seven, sample 2 three and sample 3 seven once more.
Reply sampled(const ScriptedSystem::Ask& ask, size_t) {
    static const std::vector<int> letters = {0, 7, 3, 7};
    PlannerResponse response;
    response.thought = std::to_string(letters.at(ask.sample % letters.size()));
    response.tools = "sentence_count_check(2, \"equal\")\nword_count_check(5, \"less than\")";
    return {.text = print_response(response), .usage = {.prompt_tokens = 20, .new_tokens = 10}};
}

Revised with_letters(const RevisionRequest& request, size_t) {
    std::string text = request.text;
    return {text.insert(text.size() - 1, std::stoul(request.response->parts.thought), 'a')};
}

RevisionResult best_of(MethodOptions options, const ScriptedReviser::Revise& revise = with_letters,
                       const ScriptedSystem::Answer& answer = sampled) {
    options.method = Method::best_of;
    ScriptedSystem planner(answer);
    ScriptedReviser reviser(revise);
    ScriptedParts all(&planner, &reviser, counting_judge());
    return revise_text(scripted_task(kMill), all.parts, options);
}

// One of two conditions is met by all; letters are worth a tenth each: .5, 1.2, .8, 1.2. The first of equals is taken.
TEST(BestOf, TheHighestRewardIsTaken) {
    const RevisionResult result = best_of({.samples = 4});
    EXPECT_EQ(result.text, "The mill is old. It fellaaaaaaa.");
    EXPECT_EQ(result.search.at("sample"), 1);
    EXPECT_DOUBLE_EQ(result.search.at("reward").get<double>(), 1.2);
    ASSERT_EQ(result.search.at("rewards").size(), 4u);
    EXPECT_DOUBLE_EQ(result.search.at("rewards")[2].get<double>(), .8);
    EXPECT_EQ(result.search.at("iterations"), 4);
    ASSERT_EQ(result.rounds.size(), 1u);
    EXPECT_EQ(result.rounds[0].conditions.share(), .5);
    EXPECT_EQ(result.calls.size(), 2u) << "the greedy response's";
    // The greedy response, and four samples of a prompt that is computed once.
    EXPECT_EQ(result.cost.calls, 1 + 4);
    EXPECT_EQ(result.planner_tokens.plain, (20 + 10) + (20 + 4 * 10));
}

// The samples are those of a search's first leaf, so that what both ask is paid for once.
TEST(BestOf, BeginsAsASearchDoes) {
    MethodOptions search;
    search.method = Method::search;
    search.search.iterations = 1;
    ScriptedSystem planner(sampled);
    ScriptedReviser reviser(with_letters);
    ScriptedParts all(&planner, &reviser, counting_judge());
    const RevisionResult found = revise_text(scripted_task(kMill), all.parts, search);
    const RevisionResult best = best_of({.samples = 3});
    EXPECT_EQ(best.text, found.text);
    EXPECT_EQ(best.search.at("reward"), found.search.at("reward"));
    EXPECT_EQ(best.cost.input_tokens, found.cost.input_tokens);
    EXPECT_EQ(to_json(best.rounds[0]), to_json(found.rounds[0]));
}

// 30 tokens an answer: after the greedy one and two samples 90 are spent, which is less than 100; after a third 120.
TEST(BestOf, DrawsAsLongAsTokensAreLeft) {
    const RevisionResult result = best_of({.samples = 1, .tokens = 100});
    EXPECT_EQ(result.search.at("rewards").size(), 3u);
    EXPECT_EQ(result.cost.input_tokens + result.cost.output_tokens, 120);
    EXPECT_EQ(best_of({.tokens = 1}).search.at("rewards").size(), 1u) << "one in any case";
}

TEST(BestOf, WhatIsUnusableIsCountedAndNeverTaken) {
    const auto second_alone = [](const RevisionRequest& request, size_t number) {
        return number == 1 ? Revised{"It fell."} : Revised{request.text, "unrelated"};
    };
    const RevisionResult one = best_of({.samples = 3}, second_alone);
    EXPECT_EQ(one.text, "It fell.");
    EXPECT_TRUE(one.search.at("rewards")[0].is_null());
    EXPECT_EQ(one.counted.at("unusable: unrelated"), 2);
    const auto nothing = [](const RevisionRequest& request, size_t) { return Revised{request.text, "empty"}; };
    const RevisionResult none = best_of({.samples = 2}, nothing);
    EXPECT_EQ(none.text, kMill);
    EXPECT_EQ(none.problem(), "empty");
    EXPECT_EQ(none.counted.at("unusable: every candidate"), 1);
    EXPECT_FALSE(none.search.contains("reward"));
    // A server that fails costs nothing, and no number of its failures would come to the tokens.
    const auto failing = [](const ScriptedSystem::Ask&, size_t) { return Reply::failed(Failure::timed_out, "late"); };
    EXPECT_EQ(best_of({.tokens = 1000}, nothing, failing).search.at("rewards").size(), 1u);
}

TEST(BestOf, WithoutAPlannerTheReviserIsSampled) {
    std::vector<uint64_t> samples;
    MethodOptions options{.method = Method::best_of, .samples = 3, .use_plan = false};
    ScriptedReviser reviser([&](const RevisionRequest& request, size_t number) {
        EXPECT_EQ(request.response, nullptr);
        samples.push_back(request.sample);
        return Revised{request.text + std::string(number, 'a')};
    });
    ScriptedParts all(nullptr, &reviser, counting_judge());
    const RevisionResult result = revise_text(scripted_task(kMill), all.parts, options);
    EXPECT_EQ(result.text, kMill + "aa");
    EXPECT_EQ(samples, (std::vector<uint64_t>{0, 1, 2}));
    EXPECT_TRUE(result.calls.empty());
    EXPECT_DOUBLE_EQ(result.search.at("reward").get<double>(), 1.2) << "no condition is met by all: 1 and two letters";
    options.search.use_constraints = false;
    EXPECT_DOUBLE_EQ(revise_text(scripted_task(kMill), all.parts, options).search.at("reward").get<double>(), .5);
}

}  // namespace
}  // namespace craft
