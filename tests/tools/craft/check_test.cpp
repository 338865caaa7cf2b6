#include "tools/craft/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CheckTest : public testing::Test {
protected:
    CheckResult run(const std::string& call, Scoring scoring = Scoring::strict) const {
        return check(parse_call(call), original, revision, scoring);
    }
    bool met(const std::string& call, Scoring scoring = Scoring::strict) const { return run(call, scoring).met; }

    // 4 sentences; in the revision the second is changed and the fourth is gone.
    MeasuredText original{"The cat sat. A dog can't bark! Is the Cat 'cat' here? Yes."};
    MeasuredText revision{"The cat sat. Dogs cannot bark at it all. Is the Cat 'cat' here?"};
};

TEST_F(CheckTest, WordCountIsTreebankTokens) {
    // The cat sat . | Dogs can not bark at it all . | Is the Cat 'cat ' here ?  (a leading apostrophe stays with its word)
    EXPECT_EQ(run("word_count_check(19, 'equal')").measured, 19);
    EXPECT_TRUE(met("word_count_check(19, 'equal')"));
    EXPECT_TRUE(met("word_count_check(20, 'less than')"));
    EXPECT_FALSE(met("word_count_check(19, 'less than')"));
    EXPECT_FALSE(met("word_count_check(19, 'more than')"));
    EXPECT_THAT(run("word_count_check(19, 'more than')").detail, HasSubstr("19 words, not more than 19"));
}

TEST_F(CheckTest, Sentences) {
    EXPECT_TRUE(met("sentence_count_check(3, 'equal')"));
    EXPECT_FALSE(met("sentence_count_check(3, 'more than')"));
    // Lengths without the last mark: 3, 6, 5.
    EXPECT_THAT(revision.sentence_lengths(), ElementsAre(3, 6, 5));
    EXPECT_TRUE(met("sentence_length_check(7, 'less than')"));
    EXPECT_FALSE(met("sentence_length_check(6, 'less than')"));
    EXPECT_TRUE(met("sentence_length_check(2, 'more than')"));
    const CheckResult result = run("sentence_length_check(5, 'less than')");
    EXPECT_FALSE(result.met);
    EXPECT_EQ(result.measured, 6);
    EXPECT_EQ(result.detail, "sentences 2, 3 not less than 5 words");
}

TEST_F(CheckTest, Keywords) {
    EXPECT_TRUE(met("keyword_keep_removal_check('CAT', 'keep')"));  // three times in both
    EXPECT_FALSE(met("keyword_keep_removal_check('dog ', 'keep')"));
    EXPECT_FALSE(met("keyword_keep_removal_check('at', 'keep')"));     // one more than before: as many, not at least as many
    EXPECT_FALSE(met("keyword_keep_removal_check('dog', 'remove')"));  // a substring of Dogs
    EXPECT_TRUE(met("keyword_keep_removal_check('yes', 'remove')"));
    EXPECT_EQ(run("keyword_frequency_check('cat', 3, 'equal')").measured, 3);
    EXPECT_TRUE(met("keyword_frequency_check('cat', 3, 'equal')"));
    EXPECT_TRUE(met("keyword_frequency_check('cat', 2, 'more than')"));
    EXPECT_FALSE(met("keyword_frequency_check('cat', 3, 'less than')"));
}

TEST_F(CheckTest, SentenceModification) {
    EXPECT_TRUE(met("sentence_modification_check([1, 3], 'unchange')"));
    EXPECT_FALSE(met("sentence_modification_check([1, 2], 'unchange')"));
    EXPECT_TRUE(met("sentence_modification_check([2, 4], 'change')"));
    EXPECT_FALSE(met("sentence_modification_check([1, 2], 'change')"));
    EXPECT_THAT(run("sentence_modification_check([1, 2], 'change')").detail, HasSubstr("sentence 1 still as before"));
    for (const char* call : {"sentence_modification_check(5, 'change')", "sentence_modification_check(5, 'unchange')",
                             "sentence_modification_check(0, 'change')"}) {
        EXPECT_FALSE(met(call)) << call;
        EXPECT_THAT(run(call).detail, HasSubstr("the text has no sentence"));
    }
    EXPECT_THAT(sentences_touched_besides({2}, original, revision), ElementsAre(4));
    EXPECT_THAT(sentences_touched_besides({4}, original, revision), ElementsAre(2));
}

TEST_F(CheckTest, NotConditions) {
    EXPECT_TRUE(met("text_eval()"));
    EXPECT_TRUE(met("detect_keyword()"));
}

TEST_F(CheckTest, PublishedDefects) {
    const auto published = [&](const std::string& call) { return met(call, Scoring::published); };
    EXPECT_TRUE(published("word_count_check(1, 'less than')"));
    EXPECT_FALSE(published("sentence_check([1], 'unchange')"));
    EXPECT_TRUE(published("sentence_modification_check([1], 'unchange')"));
    EXPECT_TRUE(met("sentence_check([1], 'unchange')"));
    // `keep` overlooks 'cat; `remove` knows no other case.
    const MeasuredText quoted("A 'cat' and a cat."), unquoted("A cat.");
    EXPECT_TRUE(check(parse_call("keyword_keep_removal_check('cat', 'keep')"), quoted, unquoted, Scoring::published).met);
    EXPECT_FALSE(check(parse_call("keyword_keep_removal_check('cat', 'keep')"), quoted, unquoted).met);
    EXPECT_TRUE(check(parse_call("keyword_keep_removal_check('CAT', 'remove')"), quoted, unquoted, Scoring::published).met);
    EXPECT_FALSE(check(parse_call("keyword_keep_removal_check('CAT', 'remove')"), quoted, unquoted).met);
}

TEST(Check, EmptyRevision) {
    const MeasuredText original("One two. Three."), empty("");
    EXPECT_FALSE(check(WordCountCheck{0, Relation::more_than}, original, empty).met);
    EXPECT_TRUE(check(SentenceCountCheck{0, Relation::equal}, original, empty).met);
    EXPECT_TRUE(check(SentenceModificationCheck{{1}, true}, original, empty).met);
    EXPECT_FALSE(check(SentenceLengthCheck{9, Relation::less_than}, original, empty).measured.has_value());
}

}  // namespace
}  // namespace craft
