#include "english/tokenizer.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;
using Fields = std::vector<std::pair<std::string, std::string>>;

std::string pack_exception(const std::vector<std::pair<std::string, std::string>>& tokens) {
    std::vector<std::string> packed;
    for (const auto& [text, norm] : tokens) {
        Fields fields = {{test::pack_number(65), test::pack(text)}};
        if (!norm.empty()) fields.emplace_back(test::pack_number(67), test::pack(norm));
        packed.push_back(test::pack_pairs(fields));
    }
    return test::pack_list(packed);
}

Fields tokenizer_fields() {
    const std::string exceptions = test::pack_map({{"can't", pack_exception({{"ca", ""}, {"n't", "not"}})},
                                                   {"a.m.", pack_exception({{"a.m.", ""}})},
                                                   {":)", pack_exception({{":)", ""}})}});
    return {{"prefix_search", test::pack("^\\(|^\"|^:|^\\$")},
            {"suffix_search", test::pack("\\)$|\"$|\\.$|,$|\\.\\.+$|(?<=[0-9])km$")},
            {"infix_finditer", test::pack("(?<=[a-z])-(?=[a-z])|\\.\\.+")},
            {"token_match", test::kPackedNil},
            {"url_match", test::pack("^www\\..*$")},
            {"exceptions", exceptions},
            {"faster_heuristics", test::pack_bool(true)}};
}

EnglishTokenizer small_tokenizer(const Fields& fields = tokenizer_fields()) {
    const std::string file = test::pack_map(fields);
    return EnglishTokenizer(parse_msgpack(file, "tokenizer"), "tokenizer");
}

// "[ca|n't_]": tokens between bars, a line below where a blank follows.
std::string tokens(const std::string& text) {
    static const EnglishTokenizer tokenizer = small_tokenizer();
    std::string out;
    for (const EnglishWord& word : tokenizer.tokenize(text))
        out += (out.empty() ? "" : "|") + word.text + (word.space_after ? "_" : "");
    return out;
}

TEST(EnglishTokenizer, SplitsAffixes) {
    EXPECT_EQ(tokens("(He said \"no\".)"), "(|He_|said_|\"|no|\"|.|)");
    EXPECT_EQ(tokens("5km, $5"), "5|km|,_|$|5");
    EXPECT_EQ(tokens("((a))..."), "(|(|a|)|)|...");
    EXPECT_EQ(tokens("mother-in-law a-1 x...y"), "mother|-|in|-|law_|a-1_|x|...|y");
}

TEST(EnglishTokenizer, KnowsExceptions) {
    EXPECT_EQ(tokens("I can't."), "I_|ca|n't|.");
    EXPECT_EQ(tokens("(can't)"), "(|ca|n't|)");
    EXPECT_EQ(small_tokenizer().tokenize("can't")[1].norm, "not");
    EXPECT_EQ(tokens("at 5 a.m. (a.m.)"), "at_|5_|a.m._|(|a.m.|)");
}

TEST(EnglishTokenizer, FindsExceptionsAgainAmongTokens) {
    // ":),." loses ":" and "." at once, so that the exception ":)" is never met whole: it is the tokens ":" and ")".
    EXPECT_EQ(tokens(":),."), ":)|,|.");
    EXPECT_EQ(tokens("x:)"), "x:|)");
    EXPECT_EQ(tokens(": )"), ":_|)");  // no exception has a blank within it
}

TEST(EnglishTokenizer, LeavesAddressesWhole) {
    EXPECT_EQ(tokens("www.a-b.com,"), "www.a-b.com|,");
    EXPECT_EQ(tokens("www." + std::string(20'000, 'a') + "-b").size(), 20'008U);  // too long for one: split at the dash
}

TEST(EnglishTokenizer, KeepsWhiteSpace) {
    EXPECT_EQ(tokens(""), "");
    EXPECT_EQ(tokens(" "), " ");
    EXPECT_EQ(tokens("a  b"), "a_| |b");
    EXPECT_EQ(tokens(" a"), " |a");
    EXPECT_EQ(tokens("a "), "a_");
    EXPECT_EQ(tokens("a\nb\r\n"), "a|\n|b|\r\n");
    EXPECT_EQ(tokens("a \tb"), "a_|\t|b");
    EXPECT_EQ(tokens("é\u00A0ü"), "é|\u00A0|ü");
    EXPECT_EQ(tokens(std::string("a\0b c", 5)), std::string("a\0b_|c", 6));
}

TEST(EnglishTokenizer, TakesLongRunsInTheirLength) {
    // Of 200,000 signs each is a suffix: with searches from the beginning of the word this would take minutes.
    EXPECT_EQ(small_tokenizer().tokenize("a" + std::string(200'000, ')')).size(), 200'001U);
    EXPECT_EQ(small_tokenizer().tokenize("a" + std::string(200'000, '.')).size(), 2U);
}

TEST(EnglishTokenizer, RefusesOtherFiles) {
    const auto refusal = [](size_t field, const std::string& value) {
        Fields fields = tokenizer_fields();
        fields[field].second = value;
        return test::error_text([&] { small_tokenizer(fields); });
    };
    EXPECT_THAT(refusal(0, test::pack("(")), HasSubstr("tokenizer: prefix_search: expected a regular expression"));
    EXPECT_THAT(refusal(1, test::pack_number(1)), HasSubstr("tokenizer: suffix_search"));
    EXPECT_THAT(refusal(6, test::pack_bool(false)), HasSubstr("faster_heuristics: expected true"));
    EXPECT_THAT(refusal(5, test::pack_number(1)), HasSubstr("exceptions: expected a map"));
    EXPECT_THAT(refusal(5, test::pack_map({{"ab", pack_exception({{"a", ""}})}})),
                HasSubstr("exceptions: 'ab': expected tokens that make up the text, got 'a'"));
    EXPECT_THAT(
        refusal(5, test::pack_map({{"a", test::pack_list({test::pack_pairs({{test::pack_number(66), test::pack("a")}})})}})),
        HasSubstr("the attributes 65 (ORTH) and 67 (NORM)"));
    Fields fields = tokenizer_fields();
    fields.erase(fields.begin() + 4);
    EXPECT_THAT(test::error_text([&] { small_tokenizer(fields); }), HasSubstr("a field 'url_match', got none"));
}

}  // namespace
}  // namespace craft
