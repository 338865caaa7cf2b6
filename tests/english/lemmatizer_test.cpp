#include "english/lemmatizer.h"

#include <gmock/gmock.h>

#include "english/string_ids.h"
#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

std::string key(const std::string& pos) {
    return test::pack_number(string_id(pos));
}

Lemmatizer small_lemmatizer() {
    const auto ending = [](const std::string& old, const std::string& now) { return test::pack_texts({old, now}); };
    const std::string file = test::pack_map(
        {{"lemma_rules", test::pack_pairs({{key("noun"), test::pack_list({ending("s", ""), ending("es", ""),
                                                                          ending("ches", "ch"), ending("men", "man")})},
                                           {key("verb"), test::pack_list({ending("ing", "e"), ending("ing", "")})},
                                           {key("punct"), test::pack_list({ending("“", "\"")})}})},
         {"lemma_exc", test::pack_pairs({{key("noun"), test::pack_map({{"mice", test::pack_texts({"mouse", "mice"})}})}})},
         {"lemma_index", test::pack_pairs({{key("noun"), test::pack_texts({"church", "cat", "axe", "ax"})},
                                           {key("verb"), test::pack_texts({"go"})}})}});
    return Lemmatizer(parse_msgpack(file, "lookups.bin"), "lookups.bin");
}

std::string lemma(const std::string& text, const std::string& pos, const std::string& morph = "") {
    static const Lemmatizer lemmatizer = small_lemmatizer();
    EnglishToken token;
    token.text = text;
    token.pos = pos;
    token.morph = morph;
    return lemmatizer.lemma(token);
}

TEST(Lemmatizer, TakesEndingsOff) {
    EXPECT_EQ(lemma("Cats", "NOUN", "Number=Plur"), "cat");
    EXPECT_EQ(lemma("churches", "NOUN", "Number=Plur"), "church");  // known to the index, "churche" is not
    EXPECT_EQ(lemma("axes", "NOUN", "Number=Plur"), "ax");          // of two known ones the later rule's
    EXPECT_EQ(lemma("dogs", "NOUN", "Number=Plur"), "dog");
    EXPECT_EQ(lemma("going", "VERB"), "go");
    EXPECT_EQ(lemma("walking", "VERB"), "walke");  // the first rule's, where the index knows none
    EXPECT_EQ(lemma("80s", "NOUN"), "80");         // no word of letters: as good as known
    EXPECT_EQ(lemma("Sheep", "NOUN"), "Sheep");    // no rule: as it is
    EXPECT_EQ(lemma("s", "NOUN"), "s");            // nothing would be left
    EXPECT_EQ(lemma("“", "PUNCT"), "\"");
}

TEST(Lemmatizer, TakesTheLastException) {
    EXPECT_EQ(lemma("mice", "NOUN"), "mice");
}

TEST(Lemmatizer, LeavesBaseForms) {
    EXPECT_EQ(lemma("Cats", "NOUN", "Number=Sing"), "cats");
    EXPECT_EQ(lemma("Going", "VERB", "VerbForm=Inf"), "going");
    EXPECT_EQ(lemma("going", "VERB", "Tense=Pres|VerbForm=Fin"), "going");
    EXPECT_EQ(lemma("going", "VERB", "Number=Sing|Tense=Pres|VerbForm=Fin"), "go");
    EXPECT_EQ(lemma("Cats", "NOUN", "Degree=Pos"), "cats");
}

TEST(Lemmatizer, OfOtherPartsOfSpeechIsTheWord) {
    EXPECT_EQ(lemma("Paris", "PROPN"), "Paris");
    EXPECT_EQ(lemma("The", "DET"), "the");
    EXPECT_EQ(lemma("X", ""), "x");
    EXPECT_EQ(lemma(" \n", "SPACE"), " \n");
}

TEST(Lemmatizer, RefusesOtherTables) {
    const auto refusal = [](const std::string& rules) {
        const std::string file = test::pack_map(
            {{"lemma_rules", rules}, {"lemma_exc", test::pack_pairs({})}, {"lemma_index", test::pack_pairs({})}});
        return test::error_text([&] { Lemmatizer(parse_msgpack(file, "lookups.bin"), "lookups.bin"); });
    };
    EXPECT_EQ(refusal(test::pack_pairs({})), "");
    EXPECT_THAT(refusal(test::pack("a")), HasSubstr("lookups.bin: expected a table 'lemma_rules'"));
    EXPECT_THAT(refusal(test::pack_map({{"noun", test::pack_list({})}})), HasSubstr("numbers of parts of speech"));
    EXPECT_THAT(refusal(test::pack_pairs({{key("noun"), test::pack_list({test::pack_texts({"a"})})}})),
                HasSubstr("pairs of endings, got 1"));
}

}  // namespace
}  // namespace craft
