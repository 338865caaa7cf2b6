#include "text/treebank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/json.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Treebank, Clitics) {
    EXPECT_THAT(treebank_tokens("They can't say we'll've lost."),
                ElementsAre("They", "ca", "n't", "say", "we'll", "'ve", "lost", "."));
    EXPECT_THAT(treebank_tokens("Ann's, I'M and the boys' ball"),
                ElementsAre("Ann", "'s", ",", "I", "'M", "and", "the", "boys", "'", "ball"));
    EXPECT_THAT(treebank_tokens("You cannot; gimme wanna go, 'twas"),
                ElementsAre("You", "can", "not", ";", "gim", "me", "wan", "na", "go", ",", "'t", "was"));
    EXPECT_THAT(treebank_tokens("wanna"), ElementsAre("wan", "na"));
    EXPECT_THAT(treebank_tokens("wanna!x cannot'tis"), ElementsAre("wan", "na", "!", "x", "can", "not", "'t", "is"));
}

TEST(Treebank, OnlyTheLastPeriodIsATokenOfItsOwn) {
    EXPECT_THAT(treebank_tokens("No. 5 left."), ElementsAre("No.", "5", "left", "."));
    EXPECT_THAT(treebank_tokens("(He left.)"), ElementsAre("(", "He", "left", ".", ")"));
    EXPECT_THAT(treebank_tokens("Well... so."), ElementsAre("Well", "...", "so", "."));
    EXPECT_THAT(treebank_tokens("."), ElementsAre("."));
    EXPECT_THAT(treebank_tokens("so.. "), ElementsAre("so", ".."));
}

TEST(Treebank, QuotesAndNumbers) {
    EXPECT_THAT(treebank_tokens("\"Go\" (\"now\")"), ElementsAre("``", "Go", "''", "(", "``", "now", "''", ")"));
    EXPECT_THAT(treebank_tokens("“Go” ‘x’"), ElementsAre("“", "Go", "”", "‘", "x", "’"));
    EXPECT_THAT(treebank_tokens("1,000 at 3:30, $5.50--50%"),
                ElementsAre("1,000", "at", "3:30", ",", "$", "5.50", "--", "50", "%"));
}

TEST(Treebank, Release310SetsApostrophesAndDashesApart) {
    const auto tokens = [](const char* text) { return treebank_tokens(text, NltkRelease::v3_10); };
    EXPECT_THAT(tokens("'no' 'tis"), ElementsAre("'", "no", "'", "'", "tis"));
    EXPECT_THAT(tokens("a 're b 'ret"), ElementsAre("a", "'re", "b", "'", "ret"));
    EXPECT_THAT(tokens("one—two–3"), ElementsAre("one", "—", "two", "–", "3"));
    EXPECT_THAT(treebank_tokens("'no one—two"), ElementsAre("'no", "one—two"));
}

TEST(Treebank, AnyBytes) {
    EXPECT_THAT(treebank_tokens(""), IsEmpty());
    EXPECT_THAT(treebank_tokens(" \n"), IsEmpty());
    EXPECT_THAT(treebank_tokens("a\xFF, \xE2\x82."), ElementsAre("a\xFF", ",", "\xE2\x82", "."));
}

TEST(Treebank, EqualsNltk) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/treebank_tokens.jsonl");
    JsonLinesReader rows(oracle.string());
    int64_t lines = 0;
    while (const auto row = rows.next()) {
        const auto& expected = row->at("expected");
        const char* key = expected.contains("tokens_nltk_3_7_to_3_9_2") ? "tokens_nltk_3_7_to_3_9_2" : "tokens";
        const auto text = row->at("inputs").at("text").get<std::string>();
        const auto tokens = expected.at(key).get<std::vector<std::string>>();
        EXPECT_EQ(treebank_tokens(text), tokens) << row->at("id");
        EXPECT_EQ(treebank_tokens(text, NltkRelease::v3_10), expected.at("tokens").get<std::vector<std::string>>())
            << row->at("id");
        EXPECT_EQ(count_treebank_tokens(text), static_cast<int64_t>(tokens.size())) << row->at("id");
        ++lines;
    }
    EXPECT_EQ(lines, 300);
}

// Every pass is linear: a megabyte of what makes backtracking patterns slow is done in well under a second.
TEST(Treebank, LinearOnNastyInput) {
    const auto start = std::chrono::steady_clock::now();
    for (const char* piece : {"'", ". ", ")", " '", "a'", "''", "``", ",", " \t", "cannot", "-", ".)"}) {
        std::string text;
        while (text.size() < 1'000'000) text += piece;
        EXPECT_GT(count_treebank_tokens(text + "x"), 0);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace craft
