#include "english/indefinite_article.h"

#include <gtest/gtest.h>

#include <sstream>

#include "text/utf8.h"

namespace craft {
namespace {

TEST(IndefiniteArticle, FollowsTheSound) {
    for (const char* word : {"unidentified",
                             "unimportant",
                             "uninterested",
                             "hour",
                             "Heir",
                             "honest",
                             "MRI",
                             "MRIs",
                             "8-bit",
                             "8",
                             "11th",
                             "18",
                             "18th-century",
                             "80",
                             "800",
                             "8,000",
                             "11,000",
                             "11000",
                             "18,000,000",
                             "11.5",
                             "$8",
                             "$11",
                             "£18m",
                             "EU",
                             "FBI",
                             "HTML",
                             "X-ray",
                             "x-ray",
                             "x",
                             "F",
                             "H",
                             "8th",
                             "umbrella",
                             "UMBRELLA",
                             "uninformed",
                             "urn",
                             "usher",
                             "utter",
                             "\"hour\"",
                             "“hour”",
                             "[an]",
                             "hour's",
                             "e-mail",
                             "iPhone",
                             "mRNA",
                             "MSc",
                             "LLM",
                             "LLMs",
                             "HTMLParser",
                             "LED",
                             "SUV",
                             "NGO",
                             "NGO's",
                             "à",
                             "état",
                             "über",
                             "école",
                             "O'Brien",
                             "Xbox",
                             "Yves",
                             "yttrium",
                             "NAACP",
                             "LAPD",
                             "NBA",
                             "R&D",
                             "MP3",
                             "mp3",
                             "H2O",
                             "A4",
                             "S-curve",
                             "L-shaped",
                             "N.A.T.O.",
                             "onion",
                             "only",
                             "onerous",
                             "upon",
                             "upset",
                             "update",
                             "un",
                             "under",
                             "uneven",
                             "unintended",
                             "unimaginable",
                             "unissued",
                             "us-based",
                             "urgent",
                             "hourly",
                             "honorary",
                             "heirloom",
                             "ε-greedy",
                             "ENORMOUS",
                             "Euler",
                             "Eulerian",
                             "uptight",
                             "uproar",
                             "umami",
                             "11-year-old",
                             "18-month",
                             "85%",
                             "HOUR",
                             "HONEST",
                             "UGLY",
                             "UNDERSTATEMENT",
                             "SMS",
                             "RSVP",
                             "SOS",
                             "fMRI",
                             "x86",
                             "IOU",
                             "I",
                             "ATM",
                             "eBook",
                             "hors",
                             "RPG",
                             "Uber",
                             "A-level",
                             "1830s",
                             "1100s",
                             "MEP"}) {
        EXPECT_EQ(indefinite_article(word), "an") << word;
        EXPECT_FALSE(may_stand_before("a", word)) << word;
        EXPECT_TRUE(may_stand_before("an", word)) << word;
    }
    for (const char* word : {"utopia",      "UK",
                             "US",          "U.S.",
                             "usage",       "ewe",
                             "ukulele",     "unit",
                             "Union",       "university",
                             "one-off",     "once",
                             "1,100",       "110",
                             "118",         "1,800,000",
                             "1.8",         "$1,100",
                             "European",    "eulogy",
                             "euro",        "Herbert",
                             "NATO",        "NASA",
                             "UNESCO",      "UNICEF",
                             "UFO",         "UFOs",
                             "URL",         "URLs",
                             "U",           "unanimous",
                             "unicorn",     "Ugandan",
                             "Ukrainian",   "oui",
                             "Ouija",       "ubiquitous",
                             "uranium",     "used",
                             "USED",        "(unit)",
                             "'one'",       "user's",
                             "one's",       "PhD",
                             "VIP",         "naïve",
                             "Héloïse",     "L'Oréal",
                             "xylophone",   "yes",
                             "YMCA",        "USA",
                             "UN",          "UNHCR",
                             "UEFA",        "HUGE",
                             "RAM",         "Q&A",
                             "3D",          "T-shirt",
                             "U-turn",      "u-turn",
                             "Mr",          "Mrs.",
                             "St.",         "McDonald",
                             "Nguyen",      "one",
                             "oneself",     "uniform",
                             "union's",     "unilateral",
                             "unimodal",    "unidirectional",
                             "unique",      "user-friendly",
                             "useless",     "usual",
                             "usurper",     "utensil",
                             "utilitarian", "uterus",
                             "honeymoon",   "hospital",
                             "horrible",    "ham",
                             "β",           "house",
                             "eukaryote",   "ewer",
                             "Eurasian",    "Unix",
                             "UX",          "UI",
                             "USB",         "1st",
                             "100",         "2nd",
                             "one-way",     "One",
                             "ONE",         "ONCE",
                             "UNIT",        "unionised",
                             "SaaS",        "hotel",
                             "humble",      "history"}) {
        EXPECT_EQ(indefinite_article(word), "a") << word;
        EXPECT_FALSE(may_stand_before("An", word)) << word;
        EXPECT_TRUE(may_stand_before("A", word)) << word;
    }
}

TEST(IndefiniteArticle, LeavesWhatWritersDifferIn) {
    for (const char* word : {"SQL", "1100", "1812", "Xmas", "EUR"}) {
        EXPECT_EQ(indefinite_article(word), "an") << word;
        EXPECT_TRUE(may_stand_before("a", word)) << word;
        EXPECT_TRUE(may_stand_before("an", word)) << word;
    }
    for (const char* word : {"0", "herb", "historic", "hereditary", "½", ",", ".NET", "", "...", "東京"}) {
        EXPECT_EQ(indefinite_article(word), "a") << word;
        EXPECT_TRUE(may_stand_before("a", word)) << word;
        EXPECT_TRUE(may_stand_before("an", word)) << word;
    }
}

TEST(IndefiniteArticle, TakesTheFirstWordOfAText) {
    EXPECT_EQ(indefinite_article("very old unit"), "a");
    EXPECT_EQ(indefinite_article("one of them"), "a");
    EXPECT_EQ(indefinite_article("us versus them"), "an");
    EXPECT_EQ(indefinite_article("11 to 9 vote"), "an");
    EXPECT_EQ(indefinite_article("  (\"honest\") try"), "an");
}

TEST(IndefiniteArticle, KeepsTheCaseOfTheWordBefore) {
    EXPECT_EQ(article_before("A", "egg"), "An");
    EXPECT_EQ(article_before("An", "UK"), "A");
    EXPECT_EQ(article_before("an", "boat"), "a");
    EXPECT_EQ(article_before("an", "historic"), "an");
    EXPECT_EQ(article_before("the", "egg"), "the");
    EXPECT_EQ(article_before("", "egg"), "");
}

// Words apart by blanks, "/" and a tag behind some; "-" stands without blanks. The article that is asked about follows "^".
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
