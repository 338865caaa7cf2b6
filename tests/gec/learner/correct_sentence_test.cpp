#include "gec/learner/correct_sentence.h"

#include <gtest/gtest.h>

#include "tests/gec/learner/learner_english.h"

namespace craft {
namespace {

std::string with_error(const CorrectSentence& sentence, const LearnerError& error) {
    std::string text = sentence.text();
    return text.replace(error.begin, error.end - error.begin, error.written);
}

TEST(CorrectSentence, IsWrittenOtherwiseInPlaces) {
    CRAFT_NEEDS_LEARNER_ENGLISH();
    const test::LearnerEnglish english;
    const auto sentence = english.read("The cat, I think, didn't sleep.");  // The cat , I think , did n't sleep .
    ASSERT_EQ(sentence->size(), 10u);
    EXPECT_EQ(with_error(*sentence, sentence->without(0)), "Cat, I think, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->without(2)), "The cat I think, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->without(8)), "The cat, I think, didn't.");
    EXPECT_EQ(with_error(*sentence, sentence->without(9)), "The cat, I think, didn't sleep");
    EXPECT_EQ(with_error(*sentence, sentence->instead_of(0, "a")), "A cat, I think, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->instead_of(3, 4, "we know")), "The cat, we know, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->put_in_before(0, "all")), "All the cat, I think, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->put_in_before(4, "do")), "The cat, I do think, didn't sleep.");
    EXPECT_EQ(with_error(*sentence, sentence->put_in_after(8, ",")), "The cat, I think, didn't sleep,.");
    const LearnerError error = sentence->instead_of(4, "thought").because_of(7);
    EXPECT_EQ(error.first, 3u);  // the neighbours of what is changed, and what it is wrong for
    EXPECT_EQ(error.last, 7u);
}

TEST(CorrectSentence, KnowsItsWholeWords) {
    CRAFT_NEEDS_LEARNER_ENGLISH();
    const test::LearnerEnglish english;
    const auto sentence = english.read("The well-known cat didn't sleep.");  // The well - known cat did n't sleep .
    ASSERT_EQ(sentence->size(), 9u);
    for (const size_t token : {0u, 4u, 7u}) EXPECT_TRUE(sentence->is_whole_word(token)) << token;
    for (const size_t token : {1u, 2u, 3u, 5u, 6u, 8u, 9u}) EXPECT_FALSE(sentence->is_whole_word(token)) << token;
    EXPECT_EQ(sentence->final_marks(), 8u);
}

}  // namespace
}  // namespace craft
