// Values of single constraints: read from the revision, violated by the original where the revision allows it.
#include "data/constraints/values.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "text/words.h"

namespace craft {
namespace {

// 4 sentences of 4, 3, 5 and 2 words (bare), 14 words and 4 full stops: 18 Treebank tokens.
const std::string kOriginal = "The old mill turned. Agnes bought it. She paints every single door. Nobody knows.";
// 5 sentences of 4, 3, 4, 3 and 3 words: 17 + 5 = 22 tokens. 1 and 2 are kept, 3 and 4 changed; "single" and "knows" are
// gone.
const std::string kRevision =
    "The old mill turned. Agnes bought it. She paints every door. Then she rests. Nobody knew Agnes.";

class Values : public testing::Test {
protected:
    std::vector<Constraint> draws(Shape shape, const std::string& original, const std::string& revision, Split split,
                                  std::vector<std::string> in_use = {}) {
        const MeasuredText before(original), after(revision);
        const ValueSource source{before, after, split, std::move(in_use)};
        std::vector<Constraint> out;
        for (uint64_t seed = 0; seed < 300; ++seed) {
            Rng rng(seed, "values");
            if (auto c = draw_constraint(shape, source, rng)) out.push_back(std::move(*c));
        }
        return out;
    }
    std::set<int64_t> numbers(Shape shape, const std::string& original = kOriginal,
                              const std::string& revision = kRevision) {
        std::set<int64_t> out;
        for (const Constraint& c : draws(shape, original, revision, Split::all)) out.insert(c.n);
        return out;
    }
    std::set<std::vector<int64_t>> ids(Shape shape, const std::string& original = kOriginal,
                                       const std::string& revision = kRevision) {
        std::set<std::vector<int64_t>> out;
        for (const Constraint& c : draws(shape, original, revision, Split::all)) out.insert(c.ids);
        return out;
    }
    std::set<std::string> keywords(Shape shape, const std::vector<std::string>& in_use = {}) {
        std::set<std::string> out;
        for (const Constraint& c : draws(shape, kOriginal, kRevision, Split::all, in_use)) out.insert(c.keyword);
        return out;
    }
};

using Numbers = std::set<int64_t>;
using Ids = std::set<std::vector<int64_t>>;
using Words = std::set<std::string>;

TEST_F(Values, BoundsLieBetweenOriginalAndRevision) {
    EXPECT_EQ(numbers(Shape::words_more), (Numbers{18, 19, 20, 21}));  // 18 > 18 fails, 22 > 21 holds
    EXPECT_EQ(numbers(Shape::sentences_more), (Numbers{4}));
    EXPECT_EQ(numbers(Shape::sentences_exactly), (Numbers{5}));
    EXPECT_EQ(numbers(Shape::length_less), (Numbers{5}));  // the longest has 5, then 4
    EXPECT_EQ(numbers(Shape::length_more), (Numbers{2}));  // the shortest has 2, then 3
    // The other way round, what was the original is the revision.
    EXPECT_EQ(numbers(Shape::words_less, kRevision, kOriginal), (Numbers{19, 20, 21, 22}));
    EXPECT_EQ(numbers(Shape::sentences_less, kRevision, kOriginal), (Numbers{5}));
}

TEST_F(Values, BoundsThatTheOriginalMeetsOnlyWhereThereAreNoOthers) {
    // The revision has more words and sentences than the original: "less than" holds before too.
    EXPECT_EQ(numbers(Shape::words_less), (Numbers{23, 24, 25, 26, 27}));  // slack max(5, 22 / 6) = 5
    EXPECT_EQ(numbers(Shape::sentences_less), (Numbers{6, 7, 8}));
    EXPECT_EQ(numbers(Shape::sentences_more, kRevision, kOriginal), (Numbers{1, 2, 3}));
    EXPECT_TRUE(numbers(Shape::sentences_exactly, "Two. Now.", "One now.").empty());
    EXPECT_TRUE(numbers(Shape::length_more, "One.", "One.").empty());  // more than 0 asks for nothing
}

TEST_F(Values, RangesHoldTheRevisionAndNotTheOriginal) {
    const auto ranges = draws(Shape::words_range, kOriginal, kRevision, Split::all);
    ASSERT_EQ(ranges.size(), 300u);
    std::set<int64_t> lows, highs;
    for (const Constraint& c : ranges) {
        EXPECT_LT(c.m, 22);
        EXPECT_GT(c.n, 22);
        EXPECT_GE(c.m, 18);
        lows.insert(c.m);
        highs.insert(c.n);
    }
    EXPECT_EQ(lows, (Numbers{18, 19, 20, 21}));
    EXPECT_EQ(highs, (Numbers{23, 24, 25, 26, 27}));
}

TEST_F(Values, RoundNumbersComeUpMoreOften) {
    std::string original, revision;
    for (int i = 0; i < 16; ++i) original += "It is so. ";  // 16 * 4 = 64 tokens
    for (int i = 0; i < 24; ++i) revision += "It is so. ";  // 96
    std::map<int64_t, int> counts;
    for (const Constraint& c : draws(Shape::words_more, original, revision, Split::all)) ++counts[c.n];
    // From 80 (96 - 96 / 6) to 95: two multiples of ten get half of the 300 draws and their share of the rest.
    EXPECT_EQ(counts.begin()->first, 80);
    EXPECT_EQ(counts.rbegin()->first, 95);
    EXPECT_GT(counts[80] + counts[90], 120);
    EXPECT_LT(counts[80] + counts[90], 220);
}

TEST_F(Values, IdsAreThoseLeftAloneOrChanged) {
    EXPECT_EQ(ids(Shape::keep_one), (Ids{{1}, {2}}));
    EXPECT_EQ(ids(Shape::keep_two), (Ids{{1, 2}}));
    EXPECT_TRUE(ids(Shape::keep_three).empty());
    EXPECT_EQ(ids(Shape::modify_one), (Ids{{3}, {4}}));
    EXPECT_EQ(ids(Shape::modify_two), (Ids{{3, 4}}));
    EXPECT_TRUE(ids(Shape::modify_three).empty());
    EXPECT_TRUE(ids(Shape::modify_one, kOriginal, kOriginal).empty());
    EXPECT_EQ(ids(Shape::keep_three, kOriginal, kOriginal), (Ids{{1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}}));
}

TEST_F(Values, KeywordsAreWordsOfTheOriginal) {
    EXPECT_EQ(keywords(Shape::keyword_remove), (Words{"single", "knows"}));
    // Not "the", which stands in "then" too, nor "she" and "Agnes", which came again.
    EXPECT_EQ(keywords(Shape::keyword_keep),
              (Words{"old", "mill", "turned", "bought", "paints", "every", "door", "Nobody"}));
    EXPECT_EQ(keywords(Shape::frequency_at_least), (Words{"The", "She", "Agnes"}));
    EXPECT_EQ(keywords(Shape::frequency_exactly), (Words{"The", "She", "Agnes"}));
    // Neither keyword may hold the other.
    EXPECT_EQ(keywords(Shape::keyword_remove, {"SINGLE-minded"}), (Words{"knows"}));
    EXPECT_EQ(keywords(Shape::keyword_remove, {"know", "sing"}), Words{});
}

// Words of any script, whole, as the tools find them; what holds a digit or an apostrophe is none.
TEST_F(Values, KeywordsOfEveryScript) {
    const auto kept = [&](const std::string& text) {
        Words out;
        for (const Constraint& c : draws(Shape::keyword_keep, text, text, Split::all)) {
            EXPECT_GT(count_keyword(text, c.keyword), 0) << c.keyword;
            out.insert(c.keyword);
        }
        return out;
    };
    EXPECT_EQ(kept("“Beyoncé” sang; cafés, naïve."), (Words{"Beyoncé", "sang", "cafés", "naïve"}));
    EXPECT_EQ(kept("Старая мельница — кое-где."), (Words{"Старая", "мельница", "кое-где"}));
    EXPECT_EQ(kept("我喜欢苹果，他喜欢香蕉。"), (Words{"我喜欢苹果", "他喜欢香蕉"}));
    EXPECT_EQ(kept("हिन्दी भाषा"), (Words{"हिन्दी", "भाषा"}));
    EXPECT_EQ(kept("_mill_ well-worn- 20th-century 1990s COVID-19 don't it’s (door)"), (Words{"mill", "well-worn", "door"}));
    // Code points count, not bytes: two are too few, twenty-three are not too many.
    EXPECT_EQ(kept("éé ééééééééééééééééééééééé"), (Words{"ééééééééééééééééééééééé"}));
}

TEST_F(Values, FrequenciesAreMetAndNewWhereTheTextAllows) {
    for (const Shape shape : {Shape::frequency_exactly, Shape::frequency_at_least, Shape::frequency_less}) {
        const auto drawn = draws(shape, kOriginal, kRevision, Split::all);
        ASSERT_FALSE(drawn.empty());
        const MeasuredText before(kOriginal), after(kRevision);
        for (const Constraint& c : drawn) {
            EXPECT_TRUE(check(c.calls()[0], before, after).met) << normal_form(c.calls()[0]);
            // Of "less than", nothing: no word stands there twice that could become rarer.
            EXPECT_TRUE(shape == Shape::frequency_less || !check(c.calls()[0], before, before).met)
                << normal_form(c.calls()[0]);
            EXPECT_GE(c.n, shape == Shape::frequency_at_least ? 0 : shape == Shape::frequency_exactly ? 1 : 2);
        }
    }
}

TEST_F(Values, SplitsDivideEveryShape) {
    for (const Shape shape : {Shape::words_more, Shape::words_less, Shape::words_range, Shape::keyword_keep}) {
        for (const Split split : {Split::train, Split::dev, Split::sealed}) {
            const auto drawn = draws(shape, kOriginal, kRevision, split);
            EXPECT_TRUE(drawn.empty() || drawn.size() == 300) << drawn.size();
            EXPECT_TRUE(!drawn.empty() || split != Split::train) << shape_name(shape);
            for (const Constraint& c : drawn) EXPECT_EQ(split_of(c), split) << shape_name(shape) << " " << c.n;
        }
    }
}

// A shape whose few small values fell to one split by chance would leave development sets without it.
// In training there are four in five. Of the others, sealed sets have every third.
TEST(ValuesKeptFromTraining, AreOneNumberInFiveAllAlong) {
    for (int i = 0; i < kShapes; ++i) {
        Constraint c;
        c.shape = static_cast<Shape>(i);
        if (sub_type(c.shape) >= SubType::keyword_keep) continue;
        const bool named = sub_type(c.shape) <= SubType::modify_sentence;
        std::vector<int64_t> kept, dev, sealed, round, sealed_round;
        for (int64_t n = 1; n <= 500; ++n) {
            if (named)
                c.ids = {n};
            else
                c.n = n;
            if (split_of(c) == Split::train) continue;
            kept.push_back(n);
            const bool is_sealed = split_of(c) == Split::sealed;
            (is_sealed ? sealed : dev).push_back(n);
            if (n % 10 == 0) (is_sealed ? sealed_round : round).push_back(n);
        }
        EXPECT_NEAR(static_cast<double>(kept.size()), 100, 2) << shape_name(c.shape);
        EXPECT_NEAR(static_cast<double>(sealed.size()), 33, 2) << shape_name(c.shape);
        EXPECT_LE(kept.front(), 5);
        EXPECT_LE(dev.front(), 10) << shape_name(c.shape);
        EXPECT_LE(sealed.front(), 15) << shape_name(c.shape);
        for (size_t k = 1; k < kept.size(); ++k)
            EXPECT_LE(kept[k] - kept[k - 1], 6) << shape_name(c.shape) << " " << kept[k];
        EXPECT_TRUE(named || (round.size() >= 4 && sealed_round.size() >= 2 && round.size() + sealed_round.size() <= 13))
            << "round numbers in all: " << shape_name(c.shape);
    }
}

TEST(ValuesKeptFromTraining, KeywordsBelongToOneSplitWhateverTheShape) {
    std::map<Split, int> counts;
    for (int i = 0; i < 1000; ++i) {
        const std::string word = "Word" + std::to_string(i);
        const Split expected = split_of({Shape::keyword_keep, {}, 0, 0, word});
        EXPECT_EQ(split_of({Shape::keyword_remove, {}, 0, 0, "w" + word.substr(1)}), expected);
        EXPECT_EQ(split_of({Shape::frequency_less, {}, 3, 0, word}), expected);
        ++counts[expected];
    }
    EXPECT_NEAR(counts[Split::train], 800, 64);  // five standard deviations of sqrt(1000 * 0.2 * 0.8) = 12.6
    EXPECT_NEAR(counts[Split::dev], 133, 54);    // sqrt(1000 * 0.133 * 0.867) = 10.7
    EXPECT_NEAR(counts[Split::sealed], 67, 40);  // sqrt(1000 * 0.067 * 0.933) = 7.9
}

}  // namespace
}  // namespace craft
