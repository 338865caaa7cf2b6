#include "judge/verdicts/judging_figures.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "judge/verdicts/judge_panel.h"
#include "judge/verdicts/judging_report.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/model_family.h"
#include "judge/verdicts/preference_pairs.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::between;
using test::says;
using test::ScriptedJudge;

const std::vector<std::string> kSystems = {"a", "b", "c", "d"};

ListwiseJudge judge_of(System& system, const std::string& name = "own") {
    const auto prompt = std::make_shared<ListwisePrompt>(parse_guideline("---\nJudge.\n", "guideline"), PromptFiles());
    return {system, name, prompt, {}, ChoiceAsking{.attempts = 2}};
}

CandidateGroup group_of(int number) {
    const std::string id = std::to_string(number);
    return {id, "s" + id, "", {{"a", "a" + id}, {"b", "b" + id}, {"c", "c" + id}, {"d", "d" + id}}};
}

std::vector<JudgedGroup> judged(const std::vector<const CandidateJudge*>& judges, const JudgingPlan& plan, int groups) {
    const JudgePanel panel(judges, plan);
    std::vector<JudgedGroup> all;
    for (int i = 0; i < groups; ++i)
        all.push_back({std::to_string(i), kSystems, panel.judge(group_of(i), static_cast<uint64_t>(i))});
    return all;
}

Json figures_of(const std::vector<JudgedGroup>& groups) {
    JudgingFigures figures;
    for (const JudgedGroup& group : groups) figures.add(group);
    return figures.to_json();
}

// Where the text of this system stands.
std::string place_of(const std::string& asked, char system) {
    for (int place = 0; place < 4; ++place)
        if (between(asked, "Candidate " + std::to_string(place) + ":\n> ", "\n")[0] == system) return std::to_string(place);
    return "none";
}

// Calls who stands first best and who stands last worst, in every fifth group b and c instead.
Reply biased(const std::string& asked) {
    const int number = std::stoi(between(asked, "Source:\n> s", "\n"));
    if (number % 5 != 0) return says("Best: 0, Worst: 3");
    return says("Best: " + place_of(asked, 'b') + ", Worst: " + place_of(asked, 'c'));
}

// The deliberately biased judge comes out as built: 80 of 100 groups go by place.
TEST(JudgingFiguresMeasured, ABiasOfPlacesComesOutAsBuilt) {
    ScriptedJudge system(biased);
    const ListwiseJudge judge = judge_of(system);
    const auto groups = judged({&judge}, {.orders = CandidateOrders::both, .seed = 3}, 100);
    const Json aspect = figures_of(groups)["judges"]["own"]["aspects"][""];
    EXPECT_EQ(aspect["verdicts"], 200);
    int64_t best = 0, worst = 0;
    for (const Json& place : aspect["places"]) {
        EXPECT_EQ(place["shown"], 200);
        EXPECT_EQ(place["expected"], 50);
        best += place["best"].get<int64_t>();
        worst += place["worst"].get<int64_t>();
    }
    EXPECT_EQ(best, 200);
    EXPECT_EQ(worst, 200);
    // 160 by place, and of the 40 others those where b happens to stand first: in one of two orders wherever it is at an
    // end.
    int64_t b_first = 0, c_last = 0;
    for (int i = 0; i < 100; i += 5)
        for (const Judgement& judgement : groups[static_cast<size_t>(i)].judgements) {
            b_first += judgement.order[0] == 1 ? 1 : 0;
            c_last += judgement.order[3] == 2 ? 1 : 0;
        }
    EXPECT_EQ(aspect["places"][0]["best"], 160 + b_first);
    EXPECT_EQ(aspect["places"][3]["worst"], 160 + c_last);
    EXPECT_EQ(aspect["orders"]["compared"], 100);
    EXPECT_EQ(aspect["orders"]["same"], 20);
    EXPECT_EQ(aspect["orders"]["reversed"], 80);
    EXPECT_DOUBLE_EQ(aspect["orders"]["reversed_share"].get<double>(), .8);
    EXPECT_EQ(aspect["repeats"], nullptr);
    EXPECT_EQ(aspect["systems"]["b"]["stood"], 200);
    const std::string report = judging_report(figures_of(groups));
    EXPECT_NE(report.find("orders turned: 100 compared, 20 % the same, 80 % differ, 80 % reversed\n"), std::string::npos)
        << report;
}

TEST(JudgingFiguresMeasured, AFairJudgeHasNoBias) {
    ScriptedJudge system(
        [](const std::string& asked) { return says("Best: " + place_of(asked, 'd') + ", Worst: " + place_of(asked, 'a')); });
    const ListwiseJudge judge = judge_of(system);
    const Json aspect =
        figures_of(judged({&judge}, {.orders = CandidateOrders::both, .repeats = 3}, 40))["judges"]["own"]["aspects"][""];
    EXPECT_EQ(aspect["orders"]["same"], 120);
    EXPECT_EQ(aspect["repeats"]["compared"], 240);  // 3 pairs of repeats, 2 orders, 40 groups
    EXPECT_EQ(aspect["repeats"]["same_share"], 1);
    EXPECT_EQ(aspect["systems"]["d"]["best_share"], 1);
    EXPECT_EQ(aspect["systems"]["a"]["worst_share"], 1);
    EXPECT_EQ(aspect["systems"]["a"]["best_share"], 0);
    for (const Json& place : aspect["places"]) EXPECT_NEAR(place["best"].get<double>(), 60, 5 * 6.7);  // sd of 240 / 4
}

TEST(JudgingFiguresMeasured, JudgesAgainstEachOtherAndWhatCameOfAnswers) {
    ScriptedJudge one(
        [](const std::string& asked) { return says("Best: " + place_of(asked, 'a') + ", Worst: " + place_of(asked, 'b')); });
    int asked = 0;
    ScriptedJudge other([&](const std::string& prompt) {
        switch (asked++) {
            case 0:
                return says("**Best: " + place_of(prompt, 'b') + ", Worst: " + place_of(prompt, 'a') + "**");  // reversed
            case 1:
                return says("Best: 9, Worst: 0");
            case 2:
                return says("<think>Hm.</think>Best: " + place_of(prompt, 'a') + ", Worst: " + place_of(prompt, 'b'));
            case 3:
                return says("nothing");
            case 4:
                return says("nothing");
            default:
                return Reply::failed(Failure::server_error, "500");
        }
    });
    const ListwiseJudge a = judge_of(one, "a"), b = judge_of(other, "b");
    const Json figures = figures_of(judged({&a, &b}, {}, 4));
    const Json of_b = figures["judges"]["b"];
    EXPECT_EQ(of_b["judgements"], 4);
    EXPECT_EQ(of_b["answers"], 6);
    EXPECT_EQ(of_b["asked_again"], 2);
    EXPECT_EQ(of_b["thought"], 1);
    EXPECT_EQ(of_b["malformed"], Json({{"no verdict", 2}, {"out of range", 1}}));
    EXPECT_EQ(of_b["failed"], Json({{"server_error", 1}}));
    EXPECT_EQ(of_b["let_pass"], Json({{"marks", 1}, {"thinking", 1}}));
    EXPECT_EQ(of_b["aspects"][""]["without"], Json({{"no verdict", 1}, {"server_error", 1}}));
    ASSERT_EQ(figures["between_judges"].size(), 1u);
    const Json between = figures["between_judges"][0];
    EXPECT_EQ(between["compared"], 2);
    EXPECT_EQ(between["same"], 1);
    EXPECT_EQ(between["reversed"], 1);
    EXPECT_NE(judging_report(figures).find("a and b: 2 compared, 50 % the same"), std::string::npos)
        << judging_report(figures);
}

JudgedGroup said(const std::string& id, std::optional<ListwiseVerdict> verdict) {
    Judgement judgement{.judge = "own", .order = {0, 1, 2, 3}};
    if (verdict)
        judgement.verdicts["L"] = *verdict;
    else
        judgement.reasons["L"] = "no verdict";
    return {id, kSystems, {judgement}};
}

TEST(VerdictAgreements, AreReversedWhereBothEndsAre) {
    VerdictAgreement agreement;
    agreement.add({0, 1}, {1, 0});
    agreement.add({0, 1}, {2, 0});  // the best one became the worst, and another one the best
    agreement.add({0, 1}, {0, 2});
    agreement.add({0, 1}, {0, 1});
    const Json told = to_json(agreement);
    EXPECT_EQ(told["compared"], 4);
    EXPECT_EQ(told["reversed"], 1);
    EXPECT_EQ(told["same"], 1);
    EXPECT_EQ(told["best_same"], 2);
    EXPECT_EQ(told["worst_same"], 1);
    EXPECT_EQ(told["differ_share"], .75);
    EXPECT_EQ(to_json(VerdictAgreement())["same_share"], nullptr);
}

TEST(JudgingsCompared, ThinkAgainstNoThink) {
    const std::vector<JudgedGroup> think = {said("1", ListwiseVerdict{0, 1}), said("2", ListwiseVerdict{0, 1}),
                                            said("3", ListwiseVerdict{0, 2}), said("4", ListwiseVerdict{0, 1}),
                                            said("5", std::nullopt),          said("6", ListwiseVerdict{0, 1})};
    const std::vector<JudgedGroup> plain = {said("4", ListwiseVerdict{1, 0}), said("3", ListwiseVerdict{0, 3}),
                                            said("2", ListwiseVerdict{0, 1}), said("1", ListwiseVerdict{0, 1}),
                                            said("5", ListwiseVerdict{0, 1}), said("7", ListwiseVerdict{0, 1})};
    const Json compared = compare_judgings(think, plain);
    EXPECT_EQ(compared["groups"], 5);
    EXPECT_EQ(compared["only_a"], 1);
    EXPECT_EQ(compared["only_b"], 1);
    const Json aspect = compared["aspects"]["L"];
    EXPECT_EQ(aspect["without_a"], 1);
    EXPECT_EQ(aspect["without_b"], 0);
    EXPECT_EQ(aspect["compared"], 4);
    EXPECT_EQ(aspect["differ_share"], .5);
    EXPECT_EQ(aspect["reversed_share"], .25);
    EXPECT_EQ(aspect["systems"]["a"], Json({{"best_a", 1}, {"best_b", .75}, {"worst_a", 0}, {"worst_b", .25}}));
    EXPECT_EQ(aspect["systems"]["b"], Json({{"best_a", 0}, {"best_b", .25}, {"worst_a", .75}, {"worst_b", .5}}));
    EXPECT_NE(comparison_report(compared).find("4 compared, 50 % the same, 50 % differ, 25 % reversed"), std::string::npos);
    EXPECT_THROW(compare_judgings({said("1", std::nullopt)}, {said("2", std::nullopt)}), Error);
    JudgedGroup others = said("1", std::nullopt);
    others.systems[0] = "x";
    EXPECT_THROW(compare_judgings({others}, {said("1", std::nullopt)}), Error);
}

TEST(JudgementRowsKept, GiveTheSameFigures) {
    int asked = 0;
    ScriptedJudge system([&](const std::string& prompt) {
        if (++asked % 7 == 0) return Reply::failed(Failure::server_error, "500");
        return asked % 3 == 0 ? says("?\n> Best: 1, Worst: 0") : biased(prompt);
    });
    const ListwiseJudge judge = judge_of(system);
    const auto groups = judged({&judge}, {.orders = CandidateOrders::both, .repeats = 2}, 12);
    const TemporaryFolder folder;
    JsonLinesWriter writer((folder.path() / "j.jsonl").string());
    for (const JudgedGroup& group : groups)
        for (const Json& row : rows_of(group)) writer.write(row);
    writer.close();
    const auto read = read_judgements((folder.path() / "j.jsonl").string());
    ASSERT_EQ(read.size(), groups.size());
    EXPECT_EQ(figures_of(read), figures_of(groups));
    for (size_t i = 0; i < read.size(); ++i) EXPECT_EQ(rows_of(read[i]), rows_of(groups[i]));
}

// Of four candidates six pairs: in both orders the same draws, flips and unread ones.
TEST(JudgementRowsKept, DuelsAreCountedAndKept) {
    JudgedGroup group = said("1", ListwiseVerdict{0, 3});
    using enum PairVerdict;
    group.judgements[0].duels["L"] = {{0, 1, win}, {0, 2, win}, {0, 3, win}, {1, 2, tie}, {1, 3, win}, {2, 3, std::nullopt}};
    group.judgements.push_back(group.judgements[0]);
    group.judgements[1].duels["L"][4] = {3, 1, win};
    const Json counts = figures_of({group})["judges"]["own"]["aspects"]["L"]["duels"];
    EXPECT_EQ(counts, (Json{{"met", 6}, {"drawn", 2}, {"unjudged", 1}}));
    EXPECT_NE(judging_report(figures_of({group})).find("two at a time: 6 pairs of candidates, 2 drawn, 1 unjudged\n"),
              std::string::npos);
    std::vector<JudgedGroup> read;
    for (const Json& row : rows_of(group)) add_row(read, row, "row");
    EXPECT_EQ(rows_of(group)[1]["duels"]["L"][4], Json::parse(R"([3, 1, "win"])"));
    EXPECT_EQ(read[0].judgements[1].duels, group.judgements[1].duels);
    Json bad = rows_of(group)[0];
    for (const char* duel : {R"([0,1])", R"([0,0,"win"])", R"([0,4,"win"])", R"([0,1,"wins"])", R"("win")"}) {
        bad["duels"]["L"][0] = Json::parse(duel);
        EXPECT_THROW(add_row(read, bad, "row"), Error) << duel;
    }
}

TEST(JudgementRowsKept, TellAReasonFromAProblem) {
    JudgedGroup group = said("1", ListwiseVerdict{2, 0});
    Judgement& judgement = group.judgements[0];
    judgement.reasons = {{"M", "no verdict"}};  // of an aspect that nobody needed
    judgement.attempts.push_back({.reply = "r", .shown = judgement.order, .verdicts = judgement.verdicts});
    std::vector<JudgedGroup> read;
    for (const Json& row : rows_of(group)) {
        EXPECT_EQ(row["reason"], "no verdict");
        add_row(read, row, "row");
    }
    ASSERT_EQ(read[0].judgements[0].attempts.size(), 1u);
    EXPECT_EQ(read[0].judgements[0].attempts[0].problem, "");
    EXPECT_EQ(figures_of(read), figures_of({group}));
}

TEST(JudgementRowsKept, HaveTheirForm) {
    JudgedGroup group = said("1", ListwiseVerdict{2, 0});
    group.judgements[0].attempts.push_back(
        {.reply = "r", .thinking = "t", .shown = {0, 1, 2, 3}, .verdicts = group.judgements[0].verdicts});
    EXPECT_EQ(rows_of(group)[0],
              Json::parse(R"({"id":"1","judge":"own","systems":["a","b","c","d"],"order":[0,1,2,3],"repeat":0,"reply":"r",
        "thinking":"t","verdict":{"L":{"best":2,"worst":0}},"reason":null,"let_pass":[]})"));
    const Json nobody = rows_of(said("2", std::nullopt))[0];
    EXPECT_EQ(nobody["reply"], nullptr);
    EXPECT_EQ(nobody["verdict"], nullptr);
    EXPECT_EQ(nobody["reason"], "no verdict");
    std::vector<JudgedGroup> groups;
    for (const char* bad :
         {R"({"id":"1","systems":["a"],"order":[0]})", R"({"id":"1","judge":"j","systems":["a"],"order":[1]})",
          R"({"id":"1","judge":"j","systems":["a","b"],"order":[0,0]})",
          R"({"id":"1","judge":"j","systems":["a"],"verdict":{"L":{"best":0,"worst":1}}})",
          R"({"id":"1","judge":"j","systems":["a"],"verdict":"L"})", R"({"id":"1","judge":"j","systems":"a"})"}) {
        groups.clear();
        EXPECT_THROW(add_row(groups, Json::parse(bad), "row"), Error) << bad;
    }
}

TEST(ModelFamilies, StandInNames) {
    EXPECT_EQ(model_family("Qwen/Qwen3-32B"), "qwen");
    EXPECT_EQ(model_family("local:weights/smollm2-135m-instruct.gguf"), "smollm");
    EXPECT_EQ(model_family("gpt-4o"), "gpt");
    EXPECT_EQ(model_family("meta-llama/Llama-3.1-8B"), "llama");
    EXPECT_EQ(model_family("rules:split"), std::nullopt);
    EXPECT_EQ(model_family("option"), std::nullopt);
    EXPECT_EQ(shared_family("openai:qwen3", "Qwen2.5-7B"), "qwen");
    EXPECT_EQ(shared_family("openai:own", "openai:OWN"), "openai:own");
    EXPECT_EQ(shared_family("gpt-4o", "llama-3"), std::nullopt);
}

}  // namespace
}  // namespace craft
