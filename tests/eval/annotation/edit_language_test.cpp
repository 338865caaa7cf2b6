#include "eval/annotation/edit_language.h"

#include <gmock/gmock.h>

#include "tests/english/english_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

EditLanguage installed_language() {
    static const auto english = std::make_shared<const LazyEnglishPipeline>(test::installed_english_model());
    return english_edit_language(english, [](const std::string& word) { return word != "recieve"; });
}

std::string edits(const std::string& source, const std::vector<std::string>& hypotheses, int64_t threads = 1) {
    std::vector<SentenceFile> files;
    for (const std::string& hypothesis : hypotheses) files.push_back(parse_sentences(hypothesis, "h.txt"));
    return to_m2(extract_edits(parse_sentences(source, "s.txt"), files, installed_language(), threads).file);
}

// As errant 3.0.2 types them.
TEST(EditLanguage, TypesEdits) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string m2 = edits("She see him yesterday , I recieve it .", {"She saw him yesterday , I received it ."});
    EXPECT_THAT(m2, HasSubstr("A 1 2|||R:VERB:TENSE|||saw|||"));
    EXPECT_THAT(m2, HasSubstr("A 6 7|||R:SPELL|||received|||"));
    EXPECT_THAT(edits("Cat sat on mat .", {"The cat sat on the mat ."}), HasSubstr("A 3 3|||M:DET|||the|||"));
}

TEST(EditLanguage, TokensStayAsTheyWereCut) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const AnnotatedTokens tokens = installed_language().annotate({"can't", "U.S.-based", "Dogs"});
    ASSERT_EQ(tokens.size(), 3U);
    EXPECT_EQ(tokens[0].text, "can't");
    EXPECT_EQ(tokens[2].lower, "dogs");
    EXPECT_EQ(tokens[2].lemma, "dog");
    EXPECT_EQ(tokens[2].tag, "NNS");
    EXPECT_LT(tokens[2].head, 3);
}

TEST(EditLanguage, HasTextsAsTheyCome) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_EQ(edits("a b\n", {"\n"}), "S a b\nA 0 2|||U:OTHER||||||REQUIRED|||-NONE-|||0\n\n");
    const std::string long_word(100'000, 'a');
    EXPECT_THAT(edits(long_word, {long_word + " ."}), HasSubstr("A 1 1|||M:PUNCT|||.|||"));
    EXPECT_EQ(edits("日本 語 ！ \xF0\x9F\x98\x80\n", {"日本 語 ！ \xF0\x9F\x98\x80"}).substr(0, 2), "S ");
}

TEST(EditLanguage, ThreadsChangeNothing) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    std::string source, one, other;
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        source += "He has " + n + " informations and go to school by feet .\n";
        one += "He has " + n + " pieces of information and goes to school on foot .\n";
        other += i % 3 == 0 ? "\n" : "He have " + n + " informations , and go to the school .\n";
    }
    const std::string expected = edits(source, {one, other});
    EXPECT_THAT(expected, HasSubstr("R:VERB:SVA|||goes"));
    for (const int64_t threads : {2, 7, 100}) EXPECT_EQ(edits(source, {one, other}, threads), expected) << threads;
}

}  // namespace
}  // namespace craft
