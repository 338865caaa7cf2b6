#include "judge/verdicts/principles/principles_judge.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "judge/verdicts/principles/principles_reporter.h"
#include "simple_sources.h"

namespace craft {
namespace {

const std::map<std::string, double>& difficulties() {
    static const std::map<std::string, double> words = {
        {"utilise", .7},    {"utilised", .7}, {"used", .1}, {"use", .1},  {"large", .3},
        {"big", .1},        {"quickly", .3},  {"fast", .1}, {"huge", .3}, {"banal", .8},
        {"prodigious", .9}, {"obsolete", .8}, {"tiny", .3}, {"small", .1}};
    return words;
}

// `better` wins, and leads by this principle alone: where it is ignored, `worse` has as much reward or more.
struct PrinciplePair {
    Principle principle;
    std::string source, better, worse;
};

bool is_lexical(Principle principle) {
    return principle <= Principle::hard_added;
}

class EachPrinciple : public testing::TestWithParam<PrinciplePair> {};

TEST_P(EachPrinciple, DecidesAVerdictByItself) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const auto& [principle, source, better, worse] = GetParam();
    const std::string aspect = is_lexical(principle) ? "Lexical" : "Structural";
    const PrincipleSources sources = test::simple_sources(difficulties());
    const CandidateGroup group{"1", source, "", {{"a", better}, {"b", worse}}};
    const PrinciplesJudge judge("rules", {aspect}, sources);
    for (const std::vector<size_t>& order : {std::vector<size_t>{0, 1}, std::vector<size_t>{1, 0}}) {
        const Judgement judgement = judge.judge(group, order, 0);
        ASSERT_TRUE(judgement.verdicts.contains(aspect));
        EXPECT_EQ(judgement.verdicts.at(aspect).best, 0u) << judgement.attempts[0].reply;
    }
    PrincipleLimits limits;
    limits.ignored = {principle};
    const auto findings = candidate_findings(source, {better, worse}, sources, limits);
    const auto total = [&](const CandidateFindings& one) {
        return total_reward(is_lexical(principle) ? one.lexical : one.structural);
    };
    EXPECT_LE(total(findings[0]), total(findings[1])) << judge.judge(group, {0, 1}, 0).attempts[0].reply;
}

INSTANTIATE_TEST_SUITE_P(
    Words, EachPrinciple,
    testing::Values(
        PrinciplePair{Principle::easier_for_hard, "The workers utilised a large hammer in a huge house.",
                      "The workers used a large hammer in a huge house.",
                      "The workers utilised a big hammer in a big house."},
        PrinciplePair{Principle::easier_for_easy, "The workers used a prodigious hammer in a large and huge and tiny house.",
                      "The workers used a prodigious hammer in a big and big and small house.",
                      "The workers used a hammer in a large and huge and tiny house."},
        PrinciplePair{Principle::harder_word, "The workers used a large hammer in a huge house.",
                      "The workers used a large hammer in a huge house.",
                      "The workers used a prodigious hammer in a big house."},
        PrinciplePair{Principle::meaning_changed, "The workers did not use a large hammer.",
                      "The workers did not use a large hammer.", "The workers did use a big hammer."},
        PrinciplePair{Principle::hard_deleted,
                      "The workers used a prodigious obsolete hammer in a large and huge and tiny house.",
                      "The workers used a hammer in a large and huge and tiny house.",
                      "The workers used a prodigious obsolete hammer in a big and big and small house."},
        PrinciplePair{Principle::easy_deleted, "The workers used a large hammer in an old red house.",
                      "The workers used a large hammer in an old red house.", "The workers used a big hammer in a house."},
        PrinciplePair{Principle::important_deleted, "The large workers sang songs.", "The large workers sang songs.",
                      "The big workers sang."},
        PrinciplePair{Principle::name_lost, "Anna read the large book.", "Anna read the large book.",
                      "She read the big book."},
        PrinciplePair{Principle::hard_kept, "The workers used a prodigious obsolete hammer in an old red large house.",
                      "The workers used a hammer in a large house.",
                      "The workers used a prodigious obsolete hammer in an old red big house."},
        PrinciplePair{Principle::hard_added, "The workers used a large hammer.", "The workers used a large hammer.",
                      "The banal workers used a big hammer."}),
    [](const auto& one) { return principle_name(one.param.principle); });

INSTANTIATE_TEST_SUITE_P(
    Structure, EachPrinciple,
    testing::Values(
        PrinciplePair{
            Principle::hard_simplified,
            "The bridge, which the farmers built when they were young, collapsed because the storm was strong.",
            "The storm was strong. The bridge collapsed. The farmers built it in their youth.",
            "The bridge collapsed because the storm was strong. The farmers who were young built it when they came."},
        PrinciplePair{Principle::simple_simpler, "The bridge was built by the farmers who lived there.",
                      "The local farmers built the bridge.", "The bridge was built by the farmers who lived there."},
        PrinciplePair{Principle::structure_harder, "The farmers built the bridge.", "The farmers built the bridge.",
                      "The bridge, which was needed, was built by the farmers who lived there."},
        PrinciplePair{Principle::split,
                      "The old farmers built a bridge over the river near the mill in the spring and their sons painted the "
                      "rails in the summer.",
                      "The old farmers built a bridge over the river near the mill in the spring. Their sons painted the "
                      "rails in the summer.",
                      "The old farmers built a bridge over the river near the mill in the spring and their sons painted the "
                      "rails in the summer."},
        PrinciplePair{Principle::reordered, "In the spring of the year after the flood the farmers built a bridge.",
                      "The farmers built a bridge in the spring of the year after the flood.",
                      "In the spring of the year after the flood the farmers built a bridge."},
        PrinciplePair{Principle::useless_change, "The farmers built a bridge in the spring of that year.",
                      "The farmers built a bridge in the spring of that year.",
                      "In the spring of that year the farmers built a bridge."},
        PrinciplePair{Principle::hard_structure_kept,
                      "The bridge that the farmers built when they were young collapsed because the storm was strong.",
                      "The bridge that the farmers who lived there built when they were young collapsed because the storm "
                      "that came was strong.",
                      "Because the storm was strong the bridge that the farmers built when they were young collapsed."}),
    [](const auto& one) { return principle_name(one.param.principle); });

TEST(PrinciplesJudge, RefusesAspectsThatItDoesNotKnow) {
    EXPECT_THROW(PrinciplesJudge("rules", {"Lexical", "Colour"}, {}), Error);
    EXPECT_THROW(PrinciplesJudge("rules", {}, {}), Error);
}

// What a clause with "because" says is gone, and so is what an apposition says: the former matters.
TEST(PrinciplesJudge, AStatementMattersAndADetailDoesNot) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const auto lost = [](const std::string& source, const std::string& candidate) {
        const auto findings = candidate_findings(source, {candidate}, test::simple_sources(difficulties()));
        return std::count_if(findings[0].lexical.begin(), findings[0].lexical.end(),
                             [](const PrincipleFinding& one) { return one.principle == Principle::important_deleted; });
    };
    EXPECT_EQ(lost("The farmers left the village because soldiers burned their houses.", "The farmers left the village."),
              3);
    EXPECT_EQ(lost("The farmers left and their sons sold the cattle.", "The farmers left."), 3);
    EXPECT_EQ(lost("The farmers, old men with tired horses, left the village.", "The farmers left the village."), 0);
    EXPECT_EQ(lost("The farmers who owned the mill left the village.", "The farmers left the village."), 0);
}

// Easier words do not make up for what is no longer said, and a loss weighs as much in Overall.
TEST(PrinciplesJudge, LosingWhatIsSaidIsWorseThanAnyHardWord) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const CandidateGroup group{
        "1",
        "The workers utilised a prodigious hammer and obsolete songs.",
        "",
        {{"a", "The workers used a big hammer."}, {"b", "Workers utilised a banal hammer and obsolete songs."}}};
    const auto sources = test::simple_sources(difficulties());
    for (const char* aspect : {"Lexical", "Overall"})
        EXPECT_EQ(PrinciplesJudge("rules", {aspect}, sources).judge(group, {0, 1}, 0).verdicts.at(aspect),
                  (ListwiseVerdict{1, 0}))
            << aspect;
}

// Words without links that stand in one place stand for each other where they are as alike as linked ones have to be.
TEST(PrinciplesJudge, AlikeWordsInOnePlaceReplaceEachOther) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string source = "The workers utilised 12 hammers in 1990.";
    const auto found = [&](const std::string& candidate, std::vector<std::pair<size_t, size_t>> links,
                           std::vector<WordSimilarity> unlinked) {
        PrincipleSources sources = test::simple_sources(difficulties());
        sources.align = [&](const auto& pairs) {
            WordAlignment one = test::simple_alignment(pairs[0].first, pairs[0].second);
            one.links = links;
            one.unlinked = unlinked;
            return std::vector{one};
        };
        const auto findings = candidate_findings(source, {candidate}, sources);
        std::vector<Principle> principles;
        for (const PrincipleFinding& one : findings[0].lexical) principles.push_back(one.principle);
        return principles;
    };
    using P = std::vector<Principle>;
    const std::vector<std::pair<size_t, size_t>> same = {{0, 0}, {1, 1}, {3, 3}, {4, 4}, {5, 5}, {6, 6}};
    const std::string used = "The workers used 12 hammers in 1990.";
    EXPECT_EQ(found(used, same, {{2, 2, 0.3}}), P{Principle::easier_for_hard});
    EXPECT_EQ(found(used, same, {{2, 2, 0.1}}), P{Principle::important_deleted});
    EXPECT_EQ(found(used, same, {}), P{Principle::important_deleted});
    // A number has no kin: linked with another one it is changed, otherwise lost.
    const std::string changed = "The workers utilised 15 hammers in 1990.";
    const std::vector<std::pair<size_t, size_t>> all = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}};
    EXPECT_EQ(found(changed, all, {}), (P{Principle::hard_kept, Principle::meaning_changed}));
    EXPECT_EQ(found(changed, {{0, 0}, {1, 1}, {2, 2}, {4, 4}, {5, 5}, {6, 6}}, {{3, 3, 0.9}}),
              (P{Principle::hard_kept, Principle::important_deleted}));
    EXPECT_EQ(found("The workers utilised twelve hammers in 1990.", all, {}), P{Principle::hard_kept});
}

// Two candidates are equally bad: which of them is the worst one follows the order.
TEST(PrinciplesJudge, EqualsFollowTheOrder) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const PrinciplesJudge judge("rules", {"Lexical"}, test::simple_sources(difficulties()));
    const CandidateGroup group{"1",
                               "The workers used a large hammer.",
                               "",
                               {{"a", "The workers used a large hammer."},
                                {"b", "The workers used a big hammer."},
                                {"c", "The workers used a large hammer!"}}};
    EXPECT_EQ(judge.judge(group, {0, 1, 2}, 0).verdicts.at("Lexical"), (ListwiseVerdict{1, 0}));
    EXPECT_EQ(judge.judge(group, {2, 1, 0}, 0).verdicts.at("Lexical"), (ListwiseVerdict{1, 2}));
}

TEST(PrinciplesJudge, GivesNoVerdictWithoutADifference) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const PrinciplesJudge judge("rules", {"Lexical", "Overall"}, test::simple_sources(difficulties()));
    const auto reason = [&](const std::vector<std::string>& texts) {
        CandidateGroup group{"1", "The workers used a hammer.", "", {}};
        std::vector<size_t> order;
        for (const std::string& text : texts) {
            order.push_back(order.size());
            group.candidates.push_back({"s", text});
        }
        const Judgement judgement = judge.judge(group, order, 0);
        EXPECT_TRUE(judgement.verdicts.empty());
        return judgement.reasons.at("Lexical");
    };
    EXPECT_EQ(reason({"The workers used a hammer."}), "one candidate");
    EXPECT_EQ(reason({"The workers used a hammer.", "The workers used a hammer."}), "equal");
    EXPECT_EQ(reason({"The workers used a hammer.", "The workers used a hammer ."}), "tie");
}

TEST(PrinciplesReports, SayOfOneCandidateWhatItMeets) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const PrinciplesJudge judge("rules", {"Lexical"}, test::simple_sources(difficulties()));
    const PrinciplesReporter reporter(judge, "Lexical");
    const auto said = [&](const std::string& candidate) {
        const CandidateReport report = reporter.report("1", "The workers utilised a hammer.", candidate, 1);
        EXPECT_EQ(report.problem, "");
        return report.text;
    };
    EXPECT_EQ(said("The workers used a hammer."),
              "\"utilised\" -> \"used\": " + principle_words(Principle::easier_for_hard) + " (+2).");
    EXPECT_EQ(said("The workers utilised a hammer."), "\"utilised\": " + principle_words(Principle::hard_kept) + " (-1).");
    EXPECT_EQ(reporter.name(), "rules");
    EXPECT_THROW(judge.report("a", "b", "Tone"), Error);
}

}  // namespace
}  // namespace craft
