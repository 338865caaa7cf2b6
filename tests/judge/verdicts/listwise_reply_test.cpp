#include "judge/verdicts/listwise_reply.h"

#include <gtest/gtest.h>

#include <random>

namespace craft {
namespace {

using Kinds = std::vector<std::string>;
const Kinds kAspects = {"Lexical", "Structural"};

ListwiseReply judged(const std::string& reply) {
    return read_listwise(reply, kAspects, 4);
}

// "2>0", or why there is none.
std::string lexical(const std::string& reply) {
    const ListwiseReply read = judged(reply);
    const auto found = read.verdicts.find("Lexical");
    if (found == read.verdicts.end()) return read.problems.at("Lexical");
    return std::to_string(found->second.best) + ">" + std::to_string(found->second.worst);
}

std::string whole(const std::string& reply) {
    const ListwiseReply read = read_listwise(reply, {}, 4);
    if (read.verdicts.empty()) return read.problems.at("");
    return std::to_string(read.verdicts.at("").best) + ">" + std::to_string(read.verdicts.at("").worst);
}

TEST(ListwiseReplies, ALineAnAspect) {
    const ListwiseReply read = judged(
        "Candidate 2 replaces both hard words.\nAspect: Lexical, Best: 2, Worst: 0\nAspect: Structural, Best: 1, Worst: 3");
    EXPECT_EQ(read.verdicts.at("Lexical"), (ListwiseVerdict{2, 0}));
    EXPECT_EQ(read.verdicts.at("Structural"), (ListwiseVerdict{1, 3}));
    EXPECT_TRUE(read.problems.empty());
    EXPECT_EQ(read.let_pass, Leniency());
    EXPECT_EQ(whole("Candidate 1 is clear.\nBest: 1, Worst: 2"), "1>2");
}

TEST(ListwiseReplies, WhatIsLetPassIsNamed) {
    const auto passes = [](const std::string& reply) {
        const ListwiseReply read = judged(reply);
        EXPECT_EQ(lexical(reply), "2>0") << reply;
        return leniency_kinds(read.let_pass);
    };
    EXPECT_EQ(passes("**Aspect: Lexical, Best: 2, Worst: 0**"), Kinds{"marks"});
    EXPECT_EQ(passes("**Aspect:** Lexical, **Best:** 2, **Worst:** 0."), Kinds{"marks"});
    EXPECT_EQ(passes("- Aspect: Lexical, Best: 2, Worst: 0"), Kinds{"marks"});
    EXPECT_EQ(passes("1. Aspect: Lexical, Best: 2, Worst: 0"), Kinds{"marks"});
    EXPECT_EQ(passes("```\nAspect: Lexical, Best: 2, Worst: 0\n```"), Kinds());
    EXPECT_EQ(passes("aspect: lexical, best: 2, worst: 0"), Kinds{"case"});
    EXPECT_EQ(passes("Aspect: Lexical; Best: 2; Worst: 0"), Kinds{"separator"});
    EXPECT_EQ(passes("Aspect: Lexical, Best = 2 Worst = 0"), Kinds{"separator"});
    EXPECT_EQ(passes("Aspect: Lexical, Worst: 0, Best: 2"), Kinds{"order"});
    EXPECT_EQ(passes("Lexical: Best: 2, Worst: 0"), Kinds{"label"});
    EXPECT_EQ(passes("Final verdict: Aspect: Lexical, Best: 2, Worst: 0"), Kinds{"label"});
    EXPECT_EQ(passes("Aspect: Lexical, Best: Candidate 2, Worst: [0]"), Kinds{"label"});
    EXPECT_EQ(passes("Aspect\uff1aLexical\uff0c Best\uff1a\uff12\uff0c Worst\uff1a\uff10"), Kinds{"full width"});
    EXPECT_EQ(passes("<think>Aspect: Lexical, Best: 1, Worst: 3</think>\nAspect: Lexical, Best: 2, Worst: 0"),
              Kinds{"thinking"});
    EXPECT_EQ(passes(R"({"aspect": "Lexical", "best": 2, "worst": "0"})"), Kinds{"json"});
    EXPECT_EQ(passes("```json\n[{\"aspect\": \"Lexical\",\n\"best\": 2, \"worst\": 0}]\n```"), Kinds{"json"});
    EXPECT_EQ(passes(R"({"Lexical": {"best": 2, "worst": 0}})"), Kinds{"json"});
    EXPECT_EQ(passes("Aspect: Lexical, Best: 2, Worst: 0\nAspect: Lexical, Best: 2, Worst: 0"), Kinds{"repeated"});
    EXPECT_EQ(passes("Aspect: Lexical, Best: 1, Worst: 0\nNo.\nAspect: Lexical, Best: 2, Worst: 0"), Kinds{"changed"});
    EXPECT_EQ(passes("Aspect: Lexical, Best: 2, Worst: 0\r\n"), Kinds());
}

TEST(ListwiseReplies, WhatIsRefusedHasAKind) {
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 4, Worst: 0"), "out of range");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 2, Worst: -1"), "out of range");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 99999999999999999999999, Worst: 0"), "out of range");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 2, Worst: 2"), "best is worst");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: none, Worst: 2"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: two, Worst: 0"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 2.0, Worst: 0"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 02, Worst: 0"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 1 and 2, Worst: 0"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 1, 2, Worst: 0"), "no number");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 2 (clear), Worst: 0"), "no number");
    EXPECT_EQ(lexical(R"({"aspect": "Lexical", "best": 2.5, "worst": 0})"), "no number");
    EXPECT_EQ(lexical(R"({"aspect": "Lexical", "best": null, "worst": 0})"), "no number");
    EXPECT_EQ(lexical(""), "empty");
    EXPECT_EQ(lexical(" \n"), "empty");
    EXPECT_EQ(lexical("<think>Aspect: Lexical, Best: 2, Worst: 0"), "thinking");
    EXPECT_EQ(lexical("I cannot tell."), "no verdict");
    EXPECT_EQ(lexical("So I say: the verdict is Aspect: Lexical, Best: 2, Worst: 0"), "no verdict");
    EXPECT_EQ(lexical("Best: 2, Worst: 0"), "no aspect");
    EXPECT_EQ(lexical("Aspect: Overall, Best: 2, Worst: 0"), "another aspect");
    EXPECT_EQ(lexical("Aspect: Structural, Best: 2, Worst: 0"), "no verdict");
    EXPECT_EQ(whole("Aspect: Lexical, Best: 2, Worst: 0"), "another aspect");
    EXPECT_EQ(judged("I cannot tell.").let_pass, Leniency());
}

// What is between quotation marks was said by somebody else: by a candidate, say.
TEST(ListwiseReplies, QuotedVerdictsAreNotTheJudges) {
    const std::string own = "Aspect: Lexical, Best: 2, Worst: 0\n";
    for (const std::string quoted :
         {"> Aspect: Lexical, Best: 1, Worst: 3", "\"Aspect: Lexical, Best: 1, Worst: 3\"",
          "\u201cAspect: Lexical, Best: 1, Worst: 3\u201d", "- \"Aspect: Lexical, Best: 1, Worst: 3\""}) {
        EXPECT_EQ(lexical(quoted), "quoted") << quoted;
        EXPECT_EQ(lexical(own + quoted), "2>0") << quoted;
        EXPECT_EQ(lexical(quoted + "\n" + own), "2>0") << quoted;
    }
    EXPECT_EQ(lexical(own + "Candidate 1: Aspect: Lexical, Best: 1, Worst: 3"), "2>0");
}

// An earlier verdict does not stand in for a later one that is refused.
TEST(ListwiseReplies, TheLastOneCounts) {
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 1, Worst: 0\nAspect: Lexical, Best: 7, Worst: 0"), "out of range");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 7, Worst: 0\nAspect: Lexical, Best: 1, Worst: 0"), "1>0");
    EXPECT_EQ(lexical("Aspect: Lexical, Best: 1, Worst: 0\nand so on"), "1>0");
}

TEST(ListwiseReplies, AnyBytes) {
    std::mt19937 draw(7);
    const Kinds parts = {"Aspect", ":",      " ",       "Lexical",  ",", "Best",   "Worst",  "0",
                         "12",     "\n",     "<think>", "</think>", "{", "}",      "[",      "\"",
                         "\xff",   "\uff12", "```",     ">",        "-", "best=1", "worst=2"};
    for (int i = 0; i < 20000; ++i) {
        std::string reply;
        for (size_t k = draw() % 14; k > 0; --k) reply += parts[draw() % parts.size()];
        const ListwiseReply read = judged(reply);
        EXPECT_EQ(read.verdicts.size() + read.problems.size(), kAspects.size());
        for (const auto& [aspect, verdict] : read.verdicts) {
            EXPECT_LT(std::max(verdict.best, verdict.worst), 4u) << reply;
            EXPECT_NE(verdict.best, verdict.worst) << reply;
        }
    }
    EXPECT_EQ(lexical(std::string(200000, '[')), "no verdict");
    EXPECT_EQ(lexical(std::string(100000, 'x') + "\nAspect: Lexical, Best: 2, Worst: 0"), "2>0");
}

}  // namespace
}  // namespace craft
