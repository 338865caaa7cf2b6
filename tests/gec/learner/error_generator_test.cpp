#include "gec/learner/error_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/gec/learner/learner_english.h"
#include "text/words.h"

namespace craft {
namespace {

using testing::ElementsAre;

constexpr const char* kSentence = "When the weather is good, my brother walks to the station with his two dogs.";

LearnerError written_instead(const std::string& sentence, const std::string& right, const std::string& wrong) {
    LearnerError error;
    error.begin = sentence.find(right);
    error.end = error.begin + right.size();
    error.written = wrong;
    return error;
}

TEST(ErrorShapes, AreThoseOfTheWords) {
    const std::string text = "The dog sat on the mat.";
    const auto shape = [&](const char* right, const char* wrong) {
        return shape_of(written_instead(text, right, wrong), text);
    };
    EXPECT_EQ(shape("on ", ""), ErrorShape::missing);
    EXPECT_EQ(shape("The dog", "Dog"), ErrorShape::missing);
    EXPECT_EQ(shape("mat", "big mat"), ErrorShape::redundant);
    EXPECT_EQ(shape("", "the "), ErrorShape::redundant);
    EXPECT_EQ(shape("sat", "sit"), ErrorShape::substituted);
    EXPECT_EQ(shape("dog sat", "sat dog"), ErrorShape::other);
    EXPECT_EQ(shape("dog sat", "dogs at"), ErrorShape::other);
    EXPECT_EQ(shape("The", "the"), ErrorShape::other);  // marks and capitals are no words
    EXPECT_EQ(shape(".", ""), ErrorShape::other);
}

class ErrorGenerator : public testing::Test {
protected:
    void SetUp() override {
        CRAFT_NEEDS_LEARNER_ENGLISH();
        english_ = std::make_unique<test::LearnerEnglish>();
        sentence_ = english_->read(kSentence);
    }
    std::optional<SentencePair> pair(LearnerErrorOptions options, const std::string& id = "a") const {
        return LearnerErrorGenerator(english_->language(), std::move(options)).pair_of(id, *sentence_);
    }
    std::unique_ptr<test::LearnerEnglish> english_;
    std::unique_ptr<CorrectSentence> sentence_;
};

TEST_F(ErrorGenerator, DrawsBySeedAndId) {
    LearnerErrorOptions options;
    options.correct = 0;
    options.per_sentence = {0, 0, 1};
    const auto first = pair(options);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->target, kSentence);
    EXPECT_NE(first->source, kSentence);
    EXPECT_EQ(first->error_types.size(), 3u);
    EXPECT_EQ(pair(options)->source, first->source);
    std::set<std::string> sources;
    for (int i = 0; i < 20; ++i) sources.insert(pair(options, std::to_string(i))->source);
    EXPECT_GT(sources.size(), 10u);
    options.seed = 2;
    EXPECT_NE(pair(options)->source, first->source);
}

TEST_F(ErrorGenerator, LeavesItsShareOfSentencesAlone) {
    LearnerErrorOptions options;
    options.correct = .25;
    LearnerErrorGenerator generator(english_->language(), options);
    for (int i = 0; i < 400; ++i) {
        const auto one = generator.pair_of(std::to_string(i), *sentence_);
        ASSERT_TRUE(one);
        EXPECT_EQ(one->source == one->target, one->error_types.empty());
    }
    // 100 expected, with a deviation of 8.7.
    EXPECT_NEAR(static_cast<double>(generator.report().errors.at(0)), 100, 35);
    int64_t errors = 0, sentences = 0;
    for (const auto& [number, count] : generator.report().errors) errors += number * count, sentences += count;
    EXPECT_EQ(sentences, 400);
    int64_t by_kind = 0;
    for (const auto& [kind, count] : generator.report().kinds) by_kind += count;
    EXPECT_EQ(errors, by_kind);
}

TEST_F(ErrorGenerator, TakesTheKindsAndTheShapeThatAreAskedFor) {
    LearnerErrorOptions options;
    options.correct = 0;
    options.kinds = {"agreement"};
    options.per_sentence = {1};
    const auto agreement = pair(options);
    ASSERT_TRUE(agreement);
    EXPECT_THAT(agreement->error_types, ElementsAre("agreement"));
    options.kinds = {};
    options.shape = ErrorShape::missing;
    for (int i = 0; i < 20; ++i) {
        const auto missing = pair(options, std::to_string(i));
        ASSERT_TRUE(missing);
        EXPECT_EQ(whitespace_words(missing->source).size(), 14u);  // of 15
    }
    options.kinds = {"agrement"};
    EXPECT_THROW(LearnerErrorGenerator(english_->language(), options), Error);
    options.kinds = {};
    options.per_sentence = {0, 0};
    EXPECT_THROW(LearnerErrorGenerator(english_->language(), options), Error);
}

TEST_F(ErrorGenerator, CountsSentencesWithoutAPlace) {
    LearnerErrorOptions options;
    options.correct = 0;
    options.kinds = {"tense"};
    LearnerErrorGenerator generator(english_->language(), options);
    EXPECT_FALSE(generator.pair_of("a", *sentence_));
    EXPECT_FALSE(generator.pair_of("b", *english_->read("He left. She stayed.")));
    EXPECT_EQ(generator.report().dropped.at("no place for an error"), 1);
    EXPECT_EQ(generator.report().dropped.at("parsed as several sentences"), 1);
}

}  // namespace
}  // namespace craft
