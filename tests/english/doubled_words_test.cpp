#include "english/doubled_words.h"

#include <gtest/gtest.h>

#include <sstream>

#include "text/utf8.h"

namespace craft {
namespace {

// "word/TAG" apart by blanks; the first two that are equal in small letters are asked about.
bool may_stand(const std::string& tagged) {
    EnglishDocument tokens;
    std::istringstream words(tagged);
    for (std::string word; words >> word;) {
        EnglishToken token;
        const size_t slash = word.find('/');
        token.text = word.substr(0, slash);
        token.lower = lowercase(token.text);
        if (slash != std::string::npos) token.tag = word.substr(slash + 1);
        tokens.push_back(token);
    }
    for (size_t i = 1; i < tokens.size(); ++i)
        if (tokens[i].lower == tokens[i - 1].lower) return may_stand_twice(tokens, i);
    ADD_FAILURE() << "no word twice in " << tagged;
    return false;
}

TEST(DoubledWords, MayBeMeant) {
    for (const char* sentence :
         {"He had/VBD had/VBN enough", "I know that/IN that/DT hurts", "very very old", "Duran/NNP Duran/NNP played",
          "at Wagga/NNP Wagga/NNP", "\" Bye bye ! \"", "What it is/VBZ is/VBZ a mistake", "who it was was you",
          "Do what you do/VBP do/VB well", "come in/RP in/IN the morning", "She has a/DT A/NN in/IN maths"})
        EXPECT_TRUE(may_stand(sentence)) << sentence;
    for (const char* sentence : {"The/DT the/DT dog", "He is/VBZ is/VBZ late", "I/PRP I/PRP went", "live in/IN in/IN London",
                                 "two cats cats", "You do/VBP do/VBP it", "In/IN In/IN London", "He saw a/DT a/DT dog/NN"})
        EXPECT_FALSE(may_stand(sentence)) << sentence;
}

}  // namespace
}  // namespace craft
