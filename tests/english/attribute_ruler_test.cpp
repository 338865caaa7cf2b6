#include "english/attribute_ruler.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;
using Packed = std::vector<std::pair<std::string, std::string>>;

std::string pack_rule(const std::vector<Packed>& tokens, const Packed& settings, uint64_t index = 0) {
    std::vector<std::string> packed;
    for (const Packed& token : tokens) packed.push_back(test::pack_map(token));
    return test::pack_map({{"patterns", test::pack_list({test::pack_list(packed)})},
                           {"attrs", test::pack_map(settings)},
                           {"index", test::pack_number(index)}});
}

AttributeRuler ruler_of(const std::vector<std::string>& rules) {
    const std::string file = test::pack_list(rules);
    return AttributeRuler(parse_msgpack(file, "patterns"), "patterns");
}

EnglishToken tagged(const std::string& lower, const std::string& tag, const std::string& dep = "dep") {
    EnglishToken token;
    token.lower = lower;
    token.tag = tag;
    token.dep = dep;
    return token;
}

TEST(AttributeRuler, SetsWhatItsRulesSay) {
    const AttributeRuler ruler =
        ruler_of({pack_rule({{{"TAG", test::pack("DT")}}}, {{"POS", test::pack("DET")}, {"MORPH", test::pack("_")}}),
                  pack_rule({{{"LOWER", test::pack("that")}, {"TAG", test::pack("DT")}}},
                            {{"POS", test::pack("PRON")}, {"MORPH", test::pack("Number=Sing")}})});
    EnglishDocument document = {tagged("the", "DT"), tagged("that", "DT"), tagged("that", "IN")};
    document[0].morph = "x";
    ruler.apply(document);
    EXPECT_EQ(document[0].pos, "DET");
    EXPECT_EQ(document[0].morph, "");    // "_" is none
    EXPECT_EQ(document[1].pos, "PRON");  // the later rule counts
    EXPECT_EQ(document[1].morph, "Number=Sing");
    EXPECT_EQ(document[2].pos, "");
}

TEST(AttributeRuler, LooksAtWhatWasThereBefore) {
    const AttributeRuler ruler = ruler_of({pack_rule({{{"TAG", test::pack("A")}}}, {{"TAG", test::pack("B")}}),
                                           pack_rule({{{"TAG", test::pack("B")}}}, {{"POS", test::pack("X")}})});
    EnglishDocument document = {tagged("a", "A"), tagged("b", "B")};
    ruler.apply(document);
    EXPECT_EQ(document[0].tag, "B");
    EXPECT_EQ(document[0].pos, "");
    EXPECT_EQ(document[1].pos, "X");
}

TEST(AttributeRuler, KnowsSetsAndExpressions) {
    const auto in = [](const char* predicate, const std::string& value) { return test::pack_map({{predicate, value}}); };
    const AttributeRuler ruler =
        ruler_of({pack_rule({{{"TAG", in("IN", test::pack_texts({"VBP", "VBZ"}))}}}, {{"POS", test::pack("VERB")}}),
                  pack_rule({{{"DEP", in("NOT_IN", test::pack_texts({"det", ""}))}}}, {{"MORPH", test::pack("A=B")}}),
                  pack_rule({{{"LOWER", test::pack("ai")}}, {{"LOWER", in("REGEX", test::pack("^n'?t$"))}}},
                            {{"LEMMA", test::pack("not")}}, 1),
                  pack_rule({{{"IS_SPACE", test::pack_bool(true)}}}, {{"POS", test::pack("SPACE")}})});
    EnglishDocument document = {tagged("ai", "VBZ", "aux"), tagged("nt", "RB", "det"), tagged(" ", "_SP", ""),
                                tagged("ai", "VB", "")};
    document[2].is_space = true;
    ruler.apply(document);
    EXPECT_EQ(document[0].pos, "VERB");
    EXPECT_EQ(document[0].morph, "A=B");
    EXPECT_EQ(document[0].lemma, "");
    EXPECT_EQ(document[1].lemma, "not");
    EXPECT_EQ(document[1].morph, "");
    EXPECT_EQ(document[2].pos, "SPACE");
    EXPECT_EQ(document[2].morph, "");
    EXPECT_EQ(document[3].lemma, "");  // nothing follows
}

TEST(AttributeRuler, RefusesWhatItDoesNotKnow) {
    const auto refusal = [](const std::string& rule) { return test::error_text([&] { ruler_of({rule}); }); };
    const Packed settings = {{"POS", test::pack("X")}};
    EXPECT_THAT(refusal(pack_rule({{{"ORTH", test::pack("a")}}}, settings)),
                HasSubstr("patterns: rule 1: expected the attributes TAG, DEP, LOWER, got 'ORTH'"));
    EXPECT_THAT(refusal(pack_rule({{{"TAG", test::pack("a")}}}, {{"NORM", test::pack("X")}})),
                HasSubstr("LEMMA, DEP, got 'NORM'"));
    EXPECT_THAT(refusal(pack_rule({{{"TAG", test::pack_map({{"FUZZY", test::pack("a")}})}}}, settings)),
                HasSubstr("got 'FUZZY'"));
    EXPECT_THAT(refusal(pack_rule({{{"TAG", test::pack("a")}}}, settings, 1)), HasSubstr("an index below 1, got 1"));
    EXPECT_THAT(refusal(pack_rule({}, settings)), HasSubstr("a list of tokens"));
    EXPECT_THAT(refusal(test::pack("a")), HasSubstr("an index"));
}

}  // namespace
}  // namespace craft
