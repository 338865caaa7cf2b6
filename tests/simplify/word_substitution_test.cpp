#include "simplify/word_substitution.h"

#include <gtest/gtest.h>

#include <map>

namespace craft {
namespace {

// Tokens of a text that stand apart by blanks, each with a tag; "word/TAG".
EnglishDocument tagged(const std::string& text, const std::vector<std::string>& tags) {
    EnglishDocument document;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        EnglishToken token;
        token.text = text.substr(at, end - at);
        token.byte = at;
        token.space_after = end < text.size();
        token.lower = token.text;
        for (char& c : token.lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        token.tag = tags.at(document.size());
        token.sentence_start = document.empty();
        document.push_back(token);
        at = end + 1;
    }
    return document;
}

const WordSubstitute kTable = [](const EnglishDocument& sentence, size_t at) -> std::optional<std::string> {
    static const std::map<std::pair<std::string, std::string>, std::string> words = {
        {{"utilised", "VBD"}, "used"},  {{"edifice", "NN"}, "old building"},
        {{"facile", "JJ"}, "easy"},     {{"union", "NN"}, "alliance"},
        {{"commence", "VBP"}, "begin"}, {{"same", "JJ"}, "same"},
        {{"hamlet", "NN"}, "village"},  {{"commence", "VB"}, ""}};
    const auto found = words.find({sentence[at].lower, sentence[at].tag});
    return found == words.end() ? std::nullopt : std::optional(found->second);
};

std::string substituted(const std::string& text, const std::vector<std::string>& tags) {
    return substitute_words(text, tagged(text, tags), kTable);
}

TEST(WordSubstitution, ReplacesWordsInTheirForms) {
    EXPECT_EQ(substituted("They utilised the edifice .", {"PRP", "VBD", "DT", "NN", "."}), "They used the old building .");
    // A verb of another form is another word.
    EXPECT_EQ(substituted("utilised tools", {"VBN", "NNS"}), "utilised tools");
}

TEST(WordSubstitution, KeepsCapitalsAndMendsArticles) {
    EXPECT_EQ(substituted("Facile tasks commence", {"JJ", "NNS", "VBP"}), "Easy tasks begin");
    EXPECT_EQ(substituted("It is a facile task", {"PRP", "VBZ", "DT", "JJ", "NN"}), "It is an easy task");
    EXPECT_EQ(substituted("An edifice", {"DT", "NN"}), "An old building");
    EXPECT_EQ(substituted("A union", {"DT", "NN"}), "An alliance");
}

TEST(WordSubstitution, LeavesNamesAndWhatIsNotKnown) {
    for (const char* tag : {"NNP", "CD", "IN", "."}) EXPECT_EQ(substituted("hamlet", {tag}), "hamlet");
    EnglishDocument named = tagged("the hamlet", {"DT", "NN"});
    EXPECT_EQ(substitute_words("the hamlet", named, kTable), "the village");
    named[1].entity_place = 'B';
    EXPECT_EQ(substitute_words("the hamlet", named, kTable), "the hamlet");
    EXPECT_EQ(substituted("the HAMLET", {"DT", "NN"}), "the HAMLET");
    EXPECT_EQ(substituted("the same", {"DT", "JJ"}), "the same");
    EXPECT_EQ(substituted("to commence", {"TO", "VB"}), "to commence");
    EXPECT_EQ(substitute_words("", {}, kTable), "");
}

TEST(WordSubstitution, LeavesPartsOfTerms) {
    EnglishDocument document = tagged("hamlet life", {"NN", "NN"});
    document[0].dep = "compound";
    EXPECT_EQ(substitute_words("hamlet life", document, kTable), "hamlet life");
    EnglishDocument joined = tagged("facile - minded", {"JJ", "HYPH", "JJ"});
    EXPECT_EQ(substitute_words("facile - minded", joined, kTable), "easy - minded");
    joined[0].space_after = false;
    EXPECT_EQ(substitute_words("facile - minded", joined, kTable), "facile - minded");
}

TEST(WordSubstitution, SetPhrasesComeFirst) {
    const PlainWords plain = PlainWords::parse("with a hamlet p: alone\nin order to p: to\nunion p: one\n", "list");
    const auto of = [&](const std::string& text, const std::vector<std::string>& tags) {
        return substitute_words(text, tagged(text, tags), kTable, &plain);
    };
    EXPECT_EQ(of("In order to commence", {"IN", "NN", "TO", "VBP"}), "To begin");
    EXPECT_EQ(of("a union", {"DT", "NN"}), "a one");
    EXPECT_EQ(of("it in order", {"PRP", "IN", "NN"}), "it in order");
    // A word with capitals within, or a name, is none of a phrase's.
    EXPECT_EQ(of("in Order to", {"IN", "NN", "TO"}), "in Order to");
    EnglishDocument named = tagged("in order to", {"IN", "NN", "TO"});
    named[1].entity_place = 'I';
    EXPECT_EQ(substitute_words("in order to", named, kTable, &plain), "in order to");
}

}  // namespace
}  // namespace craft
