#include "metrics/edits/lancaster_stemmer.h"

#include <gtest/gtest.h>

#include <map>

namespace craft {
namespace {

// By the rules, one after the other: presumably - ably -> abl (ly), abl -> "" ; provision: sion -> j, ij -> id; maximum: um,
// as the word is intact; multiply is protected; string keeps its only vowel.
TEST(LancasterStemmer, TakesEndingsOff) {
    const std::map<std::string, std::string> stems = {{"maximum", "maxim"},
                                                      {"presumably", "presum"},
                                                      {"multiply", "multiply"},
                                                      {"provision", "provid"},
                                                      {"owed", "ow"},
                                                      {"ear", "ear"},
                                                      {"saying", "say"},
                                                      {"crying", "cry"},
                                                      {"string", "string"},
                                                      {"meant", "meant"},
                                                      {"cement", "cem"},
                                                      {"Happiness", "happy"},
                                                      {"analytic", "analys"},
                                                      {"", ""},
                                                      {"1st", "1st"},
                                                      {"a", "a"},
                                                      {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"}};
    for (const auto& [word, stem] : stems) EXPECT_EQ(lancaster_stem(word), stem) << word;
}

}  // namespace
}  // namespace craft
