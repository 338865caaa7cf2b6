// The file of wordings: enough of them, none shared by the splits, and each says what the gold calls say.
#include "constraints/wordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/json.h"
#include "tests/constraints/read_instruction.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

std::set<std::string> texts_of(const std::vector<Wording>& all, Split split) {
    std::set<std::string> out;
    for (const Wording* wording : allowed(all, split))
        for (const std::string& text : wording->texts) out.insert(lowercase(text));
    return out;
}

std::vector<std::string> written_texts(Shape shape) {
    std::vector<std::string> out;
    for (const Wording& wording : shipped().of(shape)) out.insert(out.end(), wording.texts.begin(), wording.texts.end());
    return out;
}

TEST(Wordings, EveryShapeHasManyOfWhichSomeForDevelopment) {
    for (const Shape shape : all_shapes()) {
        const auto& all = shipped().of(shape);
        size_t texts = 0;
        for (const Wording& wording : all) texts += wording.texts.size();
        EXPECT_EQ(texts_of(all, Split::all).size(), texts) << "one stands twice: " << shape_name(shape);
        EXPECT_GE(allowed(all, Split::train).size(), 14u) << shape_name(shape);
        EXPECT_EQ(allowed(all, Split::dev).size(), 6u) << shape_name(shape);
        EXPECT_GE(texts_of(all, Split::train).size(), 95u) << shape_name(shape);
        std::set<Form> forms;
        for (const Wording& wording : all) forms.insert(wording.form);
        EXPECT_EQ(forms.size(), 4u) << shape_name(shape);
    }
}

TEST(Wordings, SealedOnesAreOfNoOtherSplit) {
    const Wordings sealed = Wordings::load_sealed(kWordingsFile.parent_path() / "sealed.json");
    std::vector<const std::vector<Wording>*> lists = {&sealed.of(Part::openers)};
    for (const Shape shape : all_shapes()) lists.push_back(&sealed.of(shape));
    for (const auto* list : lists) {
        EXPECT_EQ(allowed(*list, Split::sealed).size(), list->size());
        EXPECT_GE(list->size(), 10u);
        for (const Split split : {Split::all, Split::train, Split::dev}) EXPECT_TRUE(allowed(*list, split).empty());
    }
    for (const Shape shape : all_shapes()) EXPECT_TRUE(allowed(shipped().of(shape), Split::sealed).empty());
    EXPECT_NE(sealed.version(), shipped().version());
}

TEST(Wordings, SplitsShareNone) {
    std::vector<const std::vector<Wording>*> lists = {&shipped().of(Part::openers), &shipped().of(Part::ensure)};
    for (const Shape shape : all_shapes()) lists.push_back(&shipped().of(shape));
    for (const auto* list : lists) {
        const auto train = texts_of(*list, Split::train), dev = texts_of(*list, Split::dev);
        EXPECT_EQ(train.size() + dev.size(), texts_of(*list, Split::all).size());
        for (const std::string& text : dev) EXPECT_FALSE(train.contains(text)) << text;
    }
    // A wording of one shape is no wording of another either, numbers of sentences apart.
    std::map<std::string, std::set<SubType>> users;
    for (const Shape shape : all_shapes())
        for (const std::string& text : texts_of(shipped().of(shape), Split::all)) users[text].insert(sub_type(shape));
    for (const auto& [text, types] : users) EXPECT_EQ(types.size(), 1u) << text;
}

TEST(Wordings, NameExactlyTheValuesOfTheirShape) {
    for (const Shape shape : all_shapes())
        for (const std::string& text : written_texts(shape)) {
            const auto holds = [&](const std::string& slot) { return text.find(slot) != std::string::npos; };
            EXPECT_EQ(holds("{A}"), has_keyword(shape)) << text;
            EXPECT_EQ(holds("{I}") || holds("{ids}"), ids_of(shape) > 0) << text;
            EXPECT_EQ(holds("{N"), has_count(shape)) << text;
            EXPECT_EQ(holds("{M"), shape == Shape::words_range) << text;
            EXPECT_EQ(holds("times}") || holds("number of times"), sub_type(shape) == SubType::keyword_frequency) << text;
        }
}

// All alternatives, filled in plainly.
TEST(Wordings, EveryTextSaysTheBoundsOfItsShape) {
    const Constraint c{Shape::words_range, {}, 37, 21, "river"};
    const std::vector<std::pair<std::string, std::string>> slots = {{"{A}", "'river'"},
                                                                    {"{N}", "37"},
                                                                    {"{M}", "21"},
                                                                    {"{N+1}", "38"},
                                                                    {"{N-1}", "36"},
                                                                    {"{M+1}", "22"},
                                                                    {"{N:times}", "37 times"},
                                                                    {"{N+1:times}", "38 times"},
                                                                    {"{N-1:times}", "36 times"}};
    for (const Shape shape : all_shapes()) {
        if (!has_count(shape)) continue;
        Constraint meant = c;
        meant.shape = shape;
        const Reading bounds = meant_by(meant);
        for (std::string text : written_texts(shape)) {
            for (const auto& [slot, value] : slots)
                for (size_t at = text.find(slot); at != std::string::npos; at = text.find(slot))
                    text.replace(at, slot.size(), value);
            const Reading read = read_counts(text);
            EXPECT_EQ(read.more_than, bounds.more_than) << shape_name(shape) << ": " << text;
            EXPECT_EQ(read.less_than, bounds.less_than) << shape_name(shape) << ": " << text;
            EXPECT_EQ(read.exactly, bounds.exactly) << shape_name(shape) << ": " << text;
        }
    }
}

// ---- files ----

class WordingFile : public testing::Test {
protected:
    std::string problem(const std::function<void(Json&)>& change) {
        Json document = read_json_file(kWordingsFile);
        change(document);
        const std::string path = folder_.file("wordings.json", document.dump());
        return message_of([&] { Wordings::load(path); });
    }
    TemporaryFolder folder_;
};

TEST_F(WordingFile, SpellsAlternativesOutAndLeavesToDevWhatItSays) {
    Json document = read_json_file(kWordingsFile);
    document["ensure"] = Json::parse(
        R"j([["train", "(Ensure|Please see|See) (to it |)that"], ["dev", "See that"], ["dev", "Please see that"]])j");
    const Wordings wordings = Wordings::load(folder_.file("wordings.json", document.dump()));
    EXPECT_THAT(texts_of(wordings.of(Part::ensure), Split::train),
                testing::ElementsAre("ensure that", "ensure to it that", "please see to it that", "see to it that"));
    EXPECT_THAT(texts_of(wordings.of(Part::ensure), Split::dev), testing::ElementsAre("please see that", "see that"));
}

TEST_F(WordingFile, IsExplainedInOneLineWithItsPlace) {
    const std::vector<std::pair<std::function<void(Json&)>, std::vector<std::string>>> cases = {
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep {Q}"; }, {"shapes.keep_one[3]", "{Q}", "{ids}"}},
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep (sentence {I}|it)"; },
         {"shapes.keep_one[3]", "{ids} in every alternative", "no slots"}},
        {[](Json& d) { d["shapes"]["words_more"][0][2] = "Write more than {M} words"; },
         {"shapes.words_more[0]", "expected {N}", "{M}"}},
        {[](Json& d) { d["shapes"]["frequency_less"][0][2] = "Say {A} less often"; },
         {"shapes.frequency_less[0]", "expected {A}, {N}", "{A} in"}},
        {[](Json& d) { d["openers"][0][1] = "Revise {N} sentences"; }, {"openers[0]", "no slots", "{N}"}},
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep {I"; }, {"shapes.keep_one[3]", "closing }"}},
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep (this|that {I}"; }, {"shapes.keep_one[3]", "(a|b)"}},
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep this|that) {I}"; }, {"shapes.keep_one[3]", "(a|b)"}},
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep (this|(that|those)) {I}"; }, {"shapes.keep_one[3]", "(a|b)"}},
        {[](Json& d) {
             std::string many = "{I}";
             for (int i = 0; i < 40; ++i) many += "(a|b)";
             d["shapes"]["keep_one"][3][2] = many;
         },
         {"shapes.keep_one[3]", "2000 alternatives"}},
        {[](Json& d) { d["ensure"] = Json::parse(R"j([["dev", "Ensure"], ["train", "(ensure|Ensure)"]])j"); },
         {"ensure", "train wording"}},
        {[](Json& d) { d["shapes"]["keep_one"][0][1] = "sing"; }, {"shapes.keep_one[0]", "sing"}},
        {[](Json& d) { d["shapes"]["keep_one"][0][0] = "test"; }, {"shapes.keep_one[0]", "train or dev", "test"}},
        {[](Json& d) { d["shapes"]["keep_one"][0].push_back("x"); }, {"shapes.keep_one[0]", "[split, form, text]"}},
        {[](Json& d) { d["shapes"]["keep_one"][0][2] = 7; }, {"shapes.keep_one[0]", "strings"}},
        {[](Json& d) { d["shapes"].erase("words_range"); }, {"shapes", "words_range"}},
        {[](Json& d) { d["shapes"]["keep_three"] = "keep_nine"; }, {"shapes.keep_three", "keep_nine"}},
        {[](Json& d) { d["shapes"]["keep_three"] = "keep_three"; }, {"shapes.keep_three"}},
        {[](Json& d) { d.erase("openers"); }, {"openers"}},
        {[](Json& d) {
             d["ensure"] = Json::array({Json::array({"train", "See that"})});
         },
         {"ensure", "dev"}},
        {[](Json& d) {
             d["shapes"]["length_less"] = Json::array({Json::array({"dev", "say", "Under {N}"})});
         },
         {"length_less", "train"}},
    };
    for (const auto& [change, parts] : cases) {
        const std::string line = problem(change);
        EXPECT_THAT(line, HasSubstr("wordings.json"));
        for (const std::string& part : parts) EXPECT_THAT(line, HasSubstr(part));
        EXPECT_THAT(line, Not(HasSubstr("\n")));
    }
    EXPECT_EQ(problem([](Json&) {}), "(nothing thrown)");
    EXPECT_THAT(message_of([&] { Wordings::load(folder_.path() / "absent.json"); }), HasSubstr("absent.json"));
}

TEST_F(WordingFile, VersionFollowsTheBytes) {
    const std::string text = read_file(kWordingsFile);
    EXPECT_EQ(Wordings::load(folder_.file("same.json", text)).version(), shipped().version());
    EXPECT_NE(Wordings::load(folder_.file("other.json", text + "\n")).version(), shipped().version());
}

}  // namespace
}  // namespace craft
