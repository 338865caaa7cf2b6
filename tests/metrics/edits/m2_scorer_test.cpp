#include "metrics/edits/m2_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "core/error.h"
#include "core/signals.h"
#include "metrics/edits/errant_compare.h"
#include "tests/core/temporary_folder.h"
#include "tests/metrics/edits/edit_oracles.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::HasSubstr;

M2Evaluation score(const std::vector<std::string>& hypotheses, const std::string& gold, const M2Options& options = {}) {
    return score_m2({"h.txt", hypotheses}, parse_m2(gold, "g.m2"), options);
}

void expect_case(const Json& expected, const M2Evaluation& evaluation, double beta, const std::string& id) {
    const M2Scores scores = m2_scores(evaluation.total, beta);
    EXPECT_EQ(evaluation.total.correct, expected.at("correct")) << id;
    EXPECT_EQ(evaluation.total.proposed, expected.at("proposed")) << id;
    EXPECT_EQ(evaluation.total.gold, expected.at("gold")) << id;
    EXPECT_NEAR(scores.precision, expected.at("precision"), 1e-12) << id;
    EXPECT_NEAR(scores.recall, expected.at("recall"), 1e-12) << id;
    EXPECT_NEAR(scores.f, expected.at("f"), 1e-12) << id;
}

TEST(M2Scorer, AgreesWithM2ScorerOnCorpora) {
    CRAFT_REFERENCE_FILE(file, "oracles/m2.jsonl");
    const test::EditOracles oracles = {test::reference_folder()};
    const auto cases = oracles.cases("m2_corpus");
    EXPECT_EQ(cases.size(), 57u);
    for (const Json& row : cases) {
        const Json &inputs = row.at("inputs"), &given = inputs.at("options");
        M2Options options;
        options.beta = given.at("beta");
        options.ignore_whitespace_casing = given.at("ignore_whitespace_casing");
        options.limits.max_unchanged_words = given.at("max_unchanged_words");
        expect_case(row.at("expected"),
                    score_m2(oracles.sentences(inputs.at("hypothesis")), oracles.m2(inputs.at("gold_m2")), options),
                    options.beta, row.at("id"));
    }
}

TEST(M2Scorer, AgreesWithM2ScorerOnSentences) {
    CRAFT_REFERENCE_FILE(file, "oracles/m2.jsonl");
    const test::EditOracles oracles = {test::reference_folder()};
    const auto cases = oracles.cases("m2_sentence");
    EXPECT_EQ(cases.size(), 132u);
    for (const Json& row : cases) {
        const Json& inputs = row.at("inputs");
        expect_case(row.at("expected"), score({inputs.at("hypothesis")}, inputs.at("gold_m2")), 0.5, row.at("id"));
    }
}

// "saw" and "a dog" are two edits of the hypothesis: sees|saw is an alternative of the first, the second is not gold.
TEST(M2Scorer, TakesAlternativesAndTheAnnotatorWithTheHigherF) {
    const std::string gold =
        "S She see the cat .\nA 1 2|||V|||sees||saw|||REQUIRED|||-NONE-|||0\nA 2 4|||N|||her cat|||REQUIRED|||-NONE-|||1\n";
    const M2Evaluation evaluation = score({"She saw a dog ."}, gold);
    EXPECT_EQ(evaluation.total, (M2Counts{1, 2, 1}));
    EXPECT_EQ(evaluation.sentences.at(0).annotator, 0);
    EXPECT_EQ(evaluation.by_type, (std::map<std::string, M2Counts>{{"V", {1, 0, 1}}}));
    const M2Scores scores = m2_scores(evaluation.total, 0.5);
    EXPECT_DOUBLE_EQ(scores.precision, 0.5);
    EXPECT_DOUBLE_EQ(scores.recall, 1);
    EXPECT_DOUBLE_EQ(scores.f, 1.25 * 0.5 / (0.25 * 0.5 + 1));
}

// The reference counts both lines as correct, so that its precision is 2.
TEST(M2Scorer, AGoldEditThatIsListedTwiceIsOne) {
    const std::string once = "S She see the cat .\nA 1 2|||V|||sees||saw|||REQUIRED|||-NONE-|||0\n";
    const std::string twice = once + "A 1 2|||V:SVA|||sees||saw|||REQUIRED|||-NONE-|||0\n";
    EXPECT_EQ(score({"She saw the cat ."}, twice).total, (M2Counts{1, 1, 1}));
    EXPECT_EQ(score({"She see the cat ."}, twice).total, (M2Counts{0, 0, 1}));
    EXPECT_EQ(score({"She saw the cat ."}, twice).by_type, score({"She saw the cat ."}, once).by_type);
    // An insertion, too, and with an annotator of his own it is no repetition.
    const std::string inserted = "A 0 0|||M|||Now|||REQUIRED|||-NONE-|||1\n";
    EXPECT_EQ(score({"Now She see the cat ."}, twice + inserted + inserted).total, (M2Counts{1, 1, 1}));
    // Two that are not the same, of which one proposed edit is both.
    const std::string overlapping = once + "A 1 2|||V|||saw|||REQUIRED|||-NONE-|||0\n";
    EXPECT_EQ(score({"She saw the cat ."}, overlapping).total, (M2Counts{1, 1, 2}));
}

// The reference goes through the gold edits once, and has the first file with one correct edit.
TEST(M2Scorer, TheOrderInWhichGoldEditsAreListedDoesNotMatter) {
    const std::string source = "S She see cat in house .\n", see = "A 1 2|||V|||sees|||REQUIRED|||-NONE-|||0\n",
                      the = "A 2 2|||M|||the|||REQUIRED|||-NONE-|||0\n", a = "A 4 4|||M|||a|||REQUIRED|||-NONE-|||0\n";
    for (const std::string& gold : {a + the + see, see + the + a, the + a + see}) {
        const M2Evaluation evaluation = score({"She sees the cat in a house ."}, source + gold);
        EXPECT_EQ(evaluation.total, (M2Counts{3, 3, 3})) << gold;
        EXPECT_EQ(evaluation.spans.correct, 3) << gold;
        EXPECT_EQ(evaluation.by_type.at("M"), (M2Counts{2, 0, 2})) << gold;
    }
    // What is put in at one place stands in the order of the lines.
    const std::string all = "A 2 2|||M|||all|||REQUIRED|||-NONE-|||0\n";
    EXPECT_EQ(score({"She see all the cat in house ."}, source + all + the).total, (M2Counts{2, 2, 2}));
    EXPECT_LT(score({"She see all the cat in house ."}, source + the + all).total.correct, 2);
}

// "S " and "S" are sentences without tokens: what is written after them is inserted, and nothing of nothing is right.
TEST(M2Scorer, EmptySentencesAreSentences) {
    EXPECT_EQ(score({""}, "S \n\n").total, (M2Counts{0, 0, 0}));
    EXPECT_EQ(score({"a b"}, "S\n\n").total, (M2Counts{0, 1, 0}));
    EXPECT_EQ(score({""}, "S a b\nA 0 2|||U||||||REQUIRED|||-NONE-|||0\n").total, (M2Counts{1, 1, 1}));
    EXPECT_DOUBLE_EQ(m2_scores({0, 0, 0}, 0.5).f, 1);
    EXPECT_DOUBLE_EQ(m2_scores({0, 0, 3}, 0.5).f, 0);
}

TEST(M2Scorer, WhiteSpaceAndCaseCanBeIgnored) {
    const std::string gold = "S an apple tree\nA 1 3|||R|||appletree|||REQUIRED|||-NONE-|||0\n";
    M2Options options;
    EXPECT_EQ(score({"An appletree"}, gold, options).total, (M2Counts{1, 2, 1}));
    options.ignore_whitespace_casing = true;
    EXPECT_EQ(score({"An appletree"}, gold, options).total, (M2Counts{0, 0, 1}));
}

TEST(M2Scorer, GoldEditsBehindTheSentenceAreLeftOut) {
    EXPECT_EQ(score({"a b"}, "S a b\nA 3 3|||M|||c|||REQUIRED|||-NONE-|||0\n").total, (M2Counts{0, 0, 0}));
}

TEST(M2Scorer, LinesAndSentencesMustBeAsMany) {
    EXPECT_THAT(message_of([] {
                    score({"a", "b"}, "S a\n");
                }),
                HasSubstr("h.txt:2: expected 1 lines, one per sentence of g.m2, got 2"));
    EXPECT_THAT(message_of([] { score({}, ""); }), HasSubstr("expected at least one sentence, got none"));
}

// Long sentences that differ little have a narrow band and a small lattice; those that differ much are refused.
TEST(M2Scorer, LongSentences) {
    std::string source, hypothesis, other;
    for (int i = 0; i < 5000; ++i) {
        const std::string token = "t" + std::to_string(i % 977);
        source += token + " ";
        hypothesis += (i == 2500 ? "new" : token) + " ";
        if (i < 300) other += "o" + std::to_string(i) + " ";
    }
    const std::string gold = "S " + source + "\nA 2500 2501|||R|||new|||REQUIRED|||-NONE-|||0\n";
    EXPECT_EQ(score({hypothesis}, gold).total, (M2Counts{1, 1, 1}));
    M2Options options;
    options.limits.max_arcs = 100000;
    EXPECT_THAT(message_of([&] { score({other}, "S " + source.substr(0, 1000) + "\n", options); }),
                AllOf(HasSubstr("g.m2:1"), HasSubstr("a lattice of at most 100000 edits")));
    options.limits.max_cells = 1000;
    EXPECT_THAT(message_of([&] { score({other}, gold, options); }),
                HasSubstr("g.m2:1: expected source and hypothesis that differ less"));
}

TEST(M2Scorer, SaysWhereTheShorterFileEnds) {
    const std::string gold = "S a\n\nS b\n";
    EXPECT_THAT(message_of([&] { score({"a"}, gold); }),
                HasSubstr("h.txt:1: expected 2 lines, one per sentence of g.m2, got 1"));
    EXPECT_THAT(message_of([&] { score({"a", "b", "c", "d"}, gold); }), HasSubstr("h.txt:3: expected 2 lines"));
    EXPECT_THAT(message_of([&] { score({}, gold); }), HasSubstr("h.txt: expected 2 lines"));
    const M2File one = parse_m2("S a\n", "1.m2"), two = parse_m2(gold, "2.m2");
    EXPECT_THAT(message_of([&] { compare_edits(one, two, {}); }),
                HasSubstr("1.m2:1: expected 2 sentences, as in 2.m2, got 1"));
    EXPECT_THAT(message_of([&] { compare_edits(two, one, {}); }),
                HasSubstr("2.m2:3: expected 1 sentences, as in 1.m2, got 2"));
}

// In a process of its own, since the flag stays set.
TEST(M2ScorerDeathTest, AStopIsNoEnd) {
    const auto stop = [](bool errant) {
        install_signal_flags();
        std::raise(SIGINT);
        const M2File gold = parse_m2("S a\n", "g.m2");
        try {
            if (errant)
                compare_edits(gold, gold, {});
            else
                score_m2({"h.txt", {"a"}}, gold, {});
        } catch (const Stopped& stopped) {
            std::_Exit(100 + stopped.signal());
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(stop(false), testing::ExitedWithCode(100 + SIGINT), "");
    EXPECT_EXIT(stop(true), testing::ExitedWithCode(100 + SIGINT), "");
}

}  // namespace
}  // namespace craft
