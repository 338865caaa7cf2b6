#include "english/lexicon.h"

#include <gmock/gmock.h>

#include "english/string_ids.h"
#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

Lexicon small_lexicon() {
    const std::string table = test::pack_pairs({{test::pack_number(string_id("cuz")), test::pack("because")},
                                                {test::pack_number(string_id("mark")), test::pack("sign")}});
    const std::string file = test::pack_map({{"lexeme_norm", table}});
    return Lexicon(parse_msgpack(file, "lookups.bin"), "lookups.bin");
}

TEST(WordShape, NamesKindsOfCharacters) {
    EXPECT_EQ(word_shape("Apple"), "Xxxxx");
    EXPECT_EQ(word_shape("extraordinary"), "xxxx");  // at most four of a kind in a row
    EXPECT_EQ(word_shape("C3PO-12.5"), "XdXX-dd.d");
    EXPECT_EQ(word_shape("Éx²"), "Xxd");  // a superscript is a digit to str.isdigit()
    EXPECT_EQ(word_shape("ǅ"), "x");      // title case is no upper case
    EXPECT_EQ(word_shape("....!!!!!!"), "....!!!!");
    EXPECT_EQ(word_shape(std::string(99, 'a')), "xxxx");
    EXPECT_EQ(word_shape(std::string(100, 'a')), "LONG");
}

TEST(Lexicon, GivesNorms) {
    const Lexicon lexicon = small_lexicon();
    EXPECT_EQ(lexicon.lexeme("Cat").norm, "cat");
    EXPECT_EQ(lexicon.lexeme("cuz").norm, "because");
    EXPECT_EQ(lexicon.lexeme("mark").norm, "sign");  // a symbol's number
    EXPECT_EQ(lexicon.lexeme("€").norm, "$");
    EXPECT_EQ(lexicon.lexeme("’s").norm, "'s");
    EXPECT_EQ(lexicon.lexeme("n't", "not").norm, "not");
    EXPECT_EQ(lexicon.lexeme("n't", "not").norm_id, string_id("not"));
}

TEST(Lexicon, TakesCharactersAndNotBytes) {
    const Lexeme lexeme = small_lexicon().lexeme("éàüö");
    EXPECT_EQ(lexeme.prefix_id, string_id("é"));
    EXPECT_EQ(lexeme.suffix_id, string_id("àüö"));
    EXPECT_EQ(lexeme.shape_id, string_id("xxxx"));
    EXPECT_EQ(small_lexicon().lexeme("I").suffix_id, string_id("I"));
}

TEST(Lexicon, KnowsWhiteSpace) {
    const Lexicon lexicon = small_lexicon();
    EXPECT_TRUE(lexicon.lexeme(" \n\u00A0").is_space);
    EXPECT_FALSE(lexicon.lexeme(" a").is_space);
    EXPECT_FALSE(lexicon.lexeme("\u200B").is_space);
}

TEST(Lexicon, RefusesOtherTables) {
    const auto refusal = [](const std::string& file) {
        return test::error_text([&] { Lexicon(parse_msgpack(file, "lookups.bin"), "lookups.bin"); });
    };
    EXPECT_THAT(refusal(test::pack_map({})), HasSubstr("lookups.bin: expected a table 'lexeme_norm', got none"));
    EXPECT_THAT(refusal(test::pack_map({{"lexeme_norm", test::pack_map({{"a", test::pack("b")}})}})),
                HasSubstr("texts by numbers of words"));
}

}  // namespace
}  // namespace craft
