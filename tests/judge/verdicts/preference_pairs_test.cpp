#include "judge/verdicts/preference_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/rng.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using Dropped = std::map<std::string, int64_t>;

PromptText source_as_prompt(const CandidateGroup& group) {
    return "Simplify: " + group.source;
}

CandidateGroup group_of(const std::string& source, const std::string& better, const std::string& worse) {
    return {"g1", source, "", {{.system = "x", .text = worse}, {.system = "y", .text = better}}};
}

const CandidateGroup kPlain = group_of("It was utilised by many.", "Many used it.", "It was used by a lot of persons.");

ChosenCandidates second_over_first(std::optional<double> gap = std::nullopt) {
    return {.chosen = 1, .rejected = 0, .gap = gap};
}

// Why this group makes no pair with these filters; empty: it makes one.
std::string dropped_by(const PairFilters& filters, const CandidateGroup& group,
                       const ChosenCandidates& chosen = second_over_first()) {
    PreferencePairs pairs(filters, source_as_prompt);
    const bool made = pairs.add(group, chosen).has_value();
    const Json dropped = pairs.counts()["dropped"];
    EXPECT_EQ(made, dropped.empty());
    return made ? "" : dropped.begin().key();
}

TEST(PreferencePairs, APairIsPromptAndSides) {
    PreferencePairs strings({}, source_as_prompt);
    const auto pair = strings.add(kPlain, second_over_first());
    ASSERT_TRUE(pair);
    EXPECT_EQ(std::get<std::string>(pair->prompt), "Simplify: It was utilised by many.");
    EXPECT_EQ(std::get<std::string>(pair->chosen), "Many used it.");
    EXPECT_EQ(std::get<std::string>(pair->rejected), "It was used by a lot of persons.");
    PreferencePairs messages({}, [](const CandidateGroup& group) {
        return Conversation{{Role::system, "S"}, {Role::user, group.source}};
    });
    const Json row = to_json(*messages.add(kPlain, second_over_first()));
    EXPECT_EQ(row["chosen"], Json::parse(R"([{"role":"assistant","content":"Many used it."}])"));
    EXPECT_EQ(row["prompt"].size(), 2u);
}

TEST(PreferencePairs, ProvenanceSaysHowItCameToBe) {
    CandidateGroup group = kPlain;
    group.policy = "lexical";
    Judgement judgement;
    judgement.judge = "local:m";
    judgement.order = {1, 0};
    judgement.verdicts = {{"Lexical", {1, 0}}, {"Overall", {0, 1}}};
    judgement.scores = {.5, std::nullopt};
    Judgement other;
    other.judge = "rules";
    other.order = {0, 1};
    other.repeat = 1;
    other.reasons = {{"Lexical", "quoted"}};
    const PairOrigin origin{.judge = "local:m,rules",
                            .aspect = "Lexical",
                            .guideline_version = "2",
                            .guideline_hash = "xxh64:1",
                            .seed = 7,
                            .judgements = {judgement, other}};
    PreferencePairs pairs({}, source_as_prompt);
    const auto pair = pairs.add(group, ChosenCandidates{1, 0, 1.5, pair_origin(origin)});
    ASSERT_TRUE(pair);
    Json expected = Json::parse(R"({"judge":"local:m,rules","aspect":"Lexical","guideline":{"version":"2","hash":"xxh64:1"},
        "seed":7,"judgements":[
            {"judge":"local:m","order":[1,0],"repeat":0,"verdict":{"best":1,"worst":0},"scores":[0.5,null]},
            {"judge":"rules","order":[0,1],"repeat":1,"verdict":null,"reason":"quoted"}],
        "source_id":"g1","source_hash":"","policy":"lexical","chosen_system":"y","rejected_system":"x",
        "systems":["x","y"],"verdict":{"best":1,"worst":0},"gap":1.5})");
    expected["source_hash"] = hash128_text(group.source);
    EXPECT_EQ(pair->provenance, expected);
    EXPECT_EQ(pair_origin({.judge = "scores:fkgl"}), Json::parse(R"({"judge":"scores:fkgl","judgements":[]})"));
}

TEST(PreferencePairs, GroupsWithoutAVerdictHaveItsReason) {
    PreferencePairs pairs({}, source_as_prompt);
    for (const char* reason : {"", "tie", "out of range", "empty", "out of range", "no verdict"})
        EXPECT_FALSE(pairs.add(kPlain, std::nullopt, reason));
    EXPECT_EQ(pairs.counts(), Json::parse(R"({"groups":6,"pairs":0,"dropped":{"no verdict":2,"no verdict: empty":1,
                  "no verdict: out of range":2,"tie":1},"one_system":0})"));
}

TEST(PreferencePairs, SidesThatTeachNothing) {
    CandidateGroup cut = kPlain;
    cut.candidates[0].is_cut = true;
    EXPECT_EQ(dropped_by({}, cut), "cut");
    EXPECT_EQ(dropped_by({}, group_of("S", " \n", "b")), "empty");
    EXPECT_EQ(dropped_by({}, group_of("S", "a", "")), "empty");
    EXPECT_EQ(dropped_by({}, group_of("S", "a  b\n", " a b")), "identical");
    EXPECT_EQ(dropped_by({}, group_of("S", "a b", "ab")), "");
}

TEST(PreferencePairs, GapsOfScores) {
    EXPECT_EQ(dropped_by({}, kPlain, second_over_first(0)), "tie");
    EXPECT_EQ(dropped_by({}, kPlain, second_over_first(1e-10)), "tie");
    EXPECT_EQ(dropped_by({}, kPlain, second_over_first(1e-8)), "");
    EXPECT_EQ(dropped_by({.min_gap = 2}, kPlain, second_over_first(1.9)), "gap");
    EXPECT_EQ(dropped_by({.min_gap = 2}, kPlain, second_over_first(2)), "");
    EXPECT_EQ(dropped_by({.min_gap = .1 + .2}, kPlain, second_over_first(.3)), "") << "but for rounding";
}

TEST(PreferencePairs, OneSystemIsCountedAndLeftOutWhereAsked) {
    CandidateGroup own = kPlain;
    own.candidates[1].system = "x";
    EXPECT_EQ(dropped_by({.different_systems = true}, own), "one system");
    EXPECT_EQ(dropped_by({.different_systems = true}, kPlain), "");
    PreferencePairs pairs({}, source_as_prompt);
    EXPECT_TRUE(pairs.add(own, second_over_first()));
    EXPECT_EQ(pairs.counts()["one_system"], 1);
}

TEST(PreferencePairs, LengthsAndCopies) {
    const CandidateGroup lengths = group_of("S", "one two", "one two three four five");  // 2.5
    EXPECT_EQ(dropped_by({.max_length_ratio = 2.4}, lengths), "length ratio");
    EXPECT_EQ(dropped_by({.max_length_ratio = 2.5}, lengths), "");
    EXPECT_EQ(dropped_by({.max_length_ratio = 2.4}, lengths, {.chosen = 0, .rejected = 1}), "length ratio");
    // "abcd" and "abcx" share 3 of 4 characters on either side: 6 / 8.
    const CandidateGroup near = group_of("abcd", "abcx", "zz");
    EXPECT_EQ(dropped_by({.max_source_copy = .74}, near), "near copy");
    EXPECT_EQ(dropped_by({.max_source_copy = .75}, near), "");
    EXPECT_EQ(dropped_by({.max_source_copy = .74}, near, {.chosen = 0, .rejected = 1}), "") << "of the chosen side alone";
    EXPECT_EQ(dropped_by({.max_source_copy = .99}, group_of("a b", " a\nb ", "c")), "near copy");
    EXPECT_EQ(dropped_by({}, group_of("a b", "a b", "c")), "") << "1: none is left out";
}

TEST(PreferencePairs, LeaksOfSourceAndSides) {
    const auto check = std::make_shared<LeakCheck>(2);
    check->add("red green");
    PreferencePairs pairs({}, source_as_prompt, check);
    for (const auto& group :
         {group_of("Red, green!", "a", "b"), group_of("s", "so red green", "b"), group_of("s", "a", "red green it is")})
        EXPECT_FALSE(pairs.add(group, second_over_first()));
    EXPECT_TRUE(pairs.add(group_of("green red", "a", "b"), second_over_first()));
    EXPECT_EQ(pairs.counts()["dropped"], (Json{{"leak", 3}}));
}

TEST(PreferencePairs, ADuplicateHasPromptAndBothSidesOfAnother) {
    PreferencePairs pairs({}, source_as_prompt);
    EXPECT_TRUE(pairs.add(group_of("s", "a", "b"), second_over_first()));
    EXPECT_FALSE(pairs.add(group_of("s", " a", "b\n"), second_over_first()));
    EXPECT_TRUE(pairs.add(group_of("t", "a", "b"), second_over_first()));
    EXPECT_TRUE(pairs.add(group_of("s", "b", "a"), second_over_first())) << "the other way round";
    EXPECT_TRUE(pairs.add(group_of("s", "a", "c"), second_over_first()));
    EXPECT_TRUE(pairs.add(group_of("s", "ab", ""), {{.chosen = 1, .rejected = 0}}) == std::nullopt);
    EXPECT_EQ(pairs.counts()["pairs"], 4);
    EXPECT_EQ(pairs.counts()["dropped"], (Json{{"duplicate", 1}, {"empty", 1}}));
}

TEST(PreferencePairs, WhatCannotBeIsAnErrorAndNotCounted) {
    PreferencePairs pairs({.min_gap = 1}, source_as_prompt);
    const auto refusal = [&](const ChosenCandidates& chosen) { return message_of([&] { pairs.add(kPlain, chosen); }); };
    EXPECT_EQ(refusal({.chosen = 2, .rejected = 0, .gap = 2}),
              "preference pair of 'g1': expected two of the 2 candidates, got 2 and 0");
    EXPECT_EQ(refusal({.chosen = 1, .rejected = 1, .gap = 2}),
              "preference pair of 'g1': expected two of the 2 candidates, got 1 and 1");
    EXPECT_NE(refusal(second_over_first(-1)).find("a gap of 0 or more"), std::string::npos);
    EXPECT_NE(refusal(second_over_first(NAN)).find("a gap of 0 or more"), std::string::npos);
    EXPECT_NE(refusal(second_over_first()).find("got a verdict without numbers"), std::string::npos);
    EXPECT_EQ(pairs.counts()["groups"], 0);
    EXPECT_EQ(message_of([] {
                  PreferencePairs wrong({-1, .5, 2}, source_as_prompt);
              }),
              "min_gap: expected a number of 0 or more, got -1.0\n"
              "max_length_ratio: expected 0 (any) or a number of 1 or more, got 0.5\n"
              "max_source_copy: expected a number from 0 to 1, got 2.0");
}

// Of random groups under random filters each is a pair or one reason, whatever came before.
TEST(PreferencePairs, CountsAddUp) {
    const std::vector<std::string> texts = {
        "", " ", "a", "a b", "a b c d", "the red house", "A", "a\tb", "red green blue", "x y z x y z x"};
    Dropped seen;
    for (uint64_t run = 0; run < 60; ++run) {
        Rng rng(11, "pairs", run);
        const PairFilters filters{.min_gap = rng.below(2) ? .5 : 0,
                                  .max_length_ratio = rng.below(2) ? 2.0 : 0,
                                  .max_source_copy = rng.below(2) ? .8 : 1,
                                  .different_systems = rng.below(2) != 0};
        const auto leaks = std::make_shared<LeakCheck>(3);
        leaks->add("red green blue");
        PreferencePairs pairs(filters, source_as_prompt, rng.below(2) ? leaks : nullptr);
        int64_t made = 0, one_system = 0;
        constexpr int64_t kGroups = 200;
        for (int64_t i = 0; i < kGroups; ++i) {
            CandidateGroup group{std::to_string(i), rng.pick(texts), "", {}};
            for (int n = 0; n < 3; ++n)
                group.candidates.push_back(
                    {.system = std::to_string(rng.below(2)), .text = rng.pick(texts), .is_cut = rng.below(8) == 0});
            std::optional<ChosenCandidates> chosen;
            const size_t best = rng.below(3);
            if (rng.below(5) != 0)
                chosen = ChosenCandidates{best, (best + 1 + rng.below(2)) % 3, rng.below(4) == 0 ? 0 : rng.uniform(), {}};
            const auto pair = pairs.add(group, chosen, rng.below(2) ? "tie" : "quoted");
            if (!pair) continue;
            ++made;
            if (pair->provenance["chosen_system"] == pair->provenance["rejected_system"]) ++one_system;
        }
        const Json counts = pairs.counts();
        int64_t dropped = 0;
        for (const auto& [reason, count] : counts["dropped"].items()) {
            EXPECT_GT(count.get<int64_t>(), 0);
            dropped += count.get<int64_t>();
            seen[reason] += count.get<int64_t>();
        }
        EXPECT_EQ(counts["groups"], kGroups);
        EXPECT_EQ(counts["pairs"], made);
        EXPECT_EQ(counts["one_system"], one_system);
        EXPECT_EQ(made + dropped, kGroups) << run;
    }
    for (const char* reason : {"tie", "no verdict: quoted", "cut", "empty", "identical", "gap", "one system", "length ratio",
                               "near copy", "leak", "duplicate"})
        EXPECT_GT(seen[reason], 0) << reason;
}

}  // namespace
}  // namespace craft
