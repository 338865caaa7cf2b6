#include <gtest/gtest.h>

#include "simple_sources.h"

namespace craft {
namespace {

const std::string kSource =
    "The workers utilised a prodigious hammer because the old house, which Anna loved, collapsed in the storm.";

CandidateFindings found(const std::string& candidate, const std::string& source = kSource) {
    return candidate_findings(source, {candidate},
                              test::simple_sources({{"utilised", .7}, {"utilise", .7}, {"prodigious", .9}, {"banal", .8}}))
        .at(0);
}

class PolicyFollowing : public testing::Test {
protected:
    void SetUp() override { CRAFT_NEEDS_ENGLISH_MODEL(); }
};

TEST_F(PolicyFollowing, LexicalParaphrasingMakesWordsEasierAndKeepsTheStructure) {
    const auto follows = [](const std::string& candidate) { return follows_lexical_paraphrasing(found(candidate)); };
    EXPECT_TRUE(
        follows("The workers used a prodigious hammer because the old house, which Anna loved, collapsed in the storm."));
    EXPECT_FALSE(follows(kSource));
    EXPECT_FALSE(follows(""));
    // No word easier; a name lost; what is said lost; a hard word added; another structure.
    EXPECT_FALSE(
        follows("The workers utilised a prodigious hammer because the old home, which Anna loved, collapsed in the storm."));
    EXPECT_FALSE(
        follows("The workers used a prodigious hammer because the old house, which she loved, collapsed in the storm."));
    EXPECT_FALSE(follows("The workers used a hammer."));
    EXPECT_FALSE(follows(
        "The banal workers used a prodigious hammer because the old house, which Anna loved, collapsed in the storm."));
    EXPECT_FALSE(follows("The old house collapsed in the storm. Anna loved it. So the workers used a prodigious hammer."));
}

TEST_F(PolicyFollowing, OverallRewritingMakesTheStructureEasier) {
    const auto follows = [](const std::string& candidate) { return follows_overall_rewriting(found(candidate)); };
    EXPECT_TRUE(
        follows("The old house collapsed in the storm. Anna loved the house. The workers utilised a prodigious hammer."));
    EXPECT_FALSE(follows(kSource));
    EXPECT_FALSE(
        follows("The workers used a prodigious hammer because the old house, which Anna loved, collapsed in the storm."))
        << "words alone";
    EXPECT_FALSE(follows("The old house collapsed in the storm. The workers utilised a prodigious hammer."))
        << "Anna is lost";
}

}  // namespace
}  // namespace craft
