#include "english/indefinite_article.h"

#include <gtest/gtest.h>

#include <sstream>

#include "text/utf8.h"

namespace craft {
namespace {

// Which article goes before which word stands in tests/cases/english/indefinite_article.cases.
TEST(IndefiniteArticle, KeepsTheCaseOfTheWordBefore) {
    EXPECT_EQ(article_before("A", "egg"), "An");
    EXPECT_EQ(article_before("An", "UK"), "A");
    EXPECT_EQ(article_before("an", "boat"), "a");
    EXPECT_EQ(article_before("an", "historic"), "an");
    EXPECT_EQ(article_before("the", "egg"), "the");
    EXPECT_EQ(article_before("", "egg"), "");
}

// Words apart by blanks, "/" and a tag after some; "-" stands without blanks. The article that is asked about follows "^".
bool for_itself(const std::string& tagged) {
    EnglishDocument tokens;
    size_t asked = 0, end = 0;
    std::istringstream words(tagged);
    for (std::string word; words >> word;) {
        if (word[0] == '^') {
            asked = tokens.size();
            word.erase(0, 1);
        }
        EnglishToken token;
        token.text = word.substr(0, word.find('/'));
        token.lower = lowercase(token.text);
        if (word != token.text) token.tag = word.substr(token.text.size() + 1);
        token.byte = end + (token.text == "-" ? 0 : 1);
        end = token.byte + token.text.size();
        tokens.push_back(token);
    }
    return stands_for_itself(tokens, asked);
}

TEST(IndefiniteArticle, IsToldFromTheLetter) {
    for (const char* letter : {"an ^A - level", "^A - levels are hard", "the ^A train", "an ^a in/IN it", "^a is a number",
                               "an ^A", "a ^A ,/, no", "^A and B", "an ^a - frame house", "vitamin/NN ^A in/IN milk"})
        EXPECT_TRUE(for_itself(letter)) << letter;
    for (const char* article : {"^A dog/NN barked", "a ^an engineer/NN", "the ^a dog/NN", "is ^an A", "saw/VBD ^A apple"})
        EXPECT_FALSE(for_itself(article)) << article;
}

}  // namespace
}  // namespace craft
