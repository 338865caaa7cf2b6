// The file of wordings: enough of them, none shared by the splits, and each says what the gold calls say.
#include "data/constraints/wordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>
#include <set>

#include "core/json.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/constraints/contexts.h"
#include "tests/data/constraints/read_instruction.h"

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
        EXPECT_GE(allowed(all, Split::train).size(), 80u) << shape_name(shape);
        EXPECT_GE(allowed(all, Split::dev).size(), 16u) << shape_name(shape);
        EXPECT_GE(texts_of(all, Split::train).size(), 170u) << shape_name(shape);
        for (const Split split : {Split::train, Split::dev}) {
            std::set<Form> forms;
            for (const Wording* wording : allowed(all, split)) forms.insert(wording->form);
            EXPECT_EQ(forms.size(), 6u) << shape_name(shape);
        }
    }
    EXPECT_GE(allowed(shipped().of(Part::openers), Split::train).size(), 80u);
    EXPECT_GE(allowed(shipped().of(Part::talk), Split::train).size(), 120u);
}

// Words right before or right after a slot that no training wording has there.
TEST(Wordings, ThoseOfDevelopmentAreSaidInOtherContexts) {
    Contexts contexts;
    for (const Shape shape : all_shapes())
        for (const Wording* wording : allowed(shipped().of(shape), Split::train))
            for (const std::string& text : wording->texts) contexts.add(text);
    for (const Shape shape : all_shapes()) {
        size_t elsewhere = 0;
        for (const Wording* wording : allowed(shipped().of(shape), Split::dev))
            elsewhere += contexts.lack_one_of(wording->texts.front()) ? 1 : 0;
        EXPECT_GE(elsewhere, 8u) << shape_name(shape);
    }
}

// What stands inside other sentences is one sentence, without an end mark, and may begin with a small letter.
TEST(Wordings, PlainSentencesCanStandInsideOthers) {
    for (const Shape shape : all_shapes())
        for (const Wording& wording : shipped().of(shape))
            for (const std::string& text : wording.texts) {
                if (wording.form != Form::say) continue;
                const std::string said = std::regex_replace(text, std::regex("\\{[^}]*\\}"), "");
                EXPECT_EQ(said.find_first_of("?!;:"), std::string::npos) << text;
                EXPECT_EQ(text.find(". "), std::string::npos) << text;
                EXPECT_FALSE(text.starts_with("I ") || text.starts_with("I'")) << text;
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
            EXPECT_EQ(holds("{I}") || holds("{ids}") || holds("{S}"), ids_of(shape) > 0) << text;
            EXPECT_EQ(holds("{N"), has_count(shape)) << text;
            EXPECT_EQ(holds("{M"), shape == Shape::words_range) << text;
        }
}

bool is_lower_bound(Shape shape, char slot) {
    const std::string name = shape_name(shape);
    return slot == 'M' || name.ends_with("_more") || name.ends_with("_at_least");
}

// Whether words say that the number (#) itself is still allowed ("at least #", "# words or more"): its slot is then shifted
// by one from the bound of the strict call. Absent where these words do not tell.
std::optional<bool> includes_number(const std::string& text, bool lower) {
    const std::string unit = "(?:-word)?(?: \\w+){0,2}?,?";
    static const std::regex weak(
        "(?:at least|at most|no fewer than|no less than|not less than|not fewer than|no less often than|"
        "no more often than|no more than|not more than|not be (?:lower|higher) than|a? ?(?:minimum|maximum)(?: length)? of|"
        "up to(?: and including)?|m(?:in|ax)\\.|nothing (?:above|over|below|under)|"
        "no (?:sentence|version) (?:above|over|below|under|(?:longer|shorter) than)|"
        "(?:limit|floor|ceiling|shortest|longest|minimum|maximum)[^#,]* (?:is|of|at|for|accept is)|cap[^#]* at) #|"
        "#" +
        unit +
        " (?:at (?:the |a )?(?:very )?(?:least|most|minimum|maximum)|minimum|maximum|tops|max|"
        "as (?:the|a) (?:minimum|maximum)|is the|and (?:up|upwards|not|no)|plus)");
    static const std::regex or_more("#" + unit +
                                    " (?:or|and|if not|or still|or any) (?:more|above|beyond|higher|longer|upwards?|"
                                    "up|over|oftener|still more|still oftener)");
    static const std::regex or_less("#" + unit +
                                    " (?:or|and|if not|or still) (?:fewer|less|below|lower|shorter|under|sooner|"
                                    "more rarely|still fewer)");
    static const std::regex strict(
        "(?:(?:more|fewer|less|longer|shorter|higher|lower|greater|bigger|smaller)(?: \\w+){0,2} than|more often "
        "than|over|above|"
        "beyond|past|past the|exceeds?|exceeding|below|under|short of|before(?: word| the)?|outnumbers|north of|south of|"
        "upwards of|in excess of|[<>]|tops) #");
    static const std::regex negated("(?:\\bno\\b|\\bnot\\b|nothing|never|nor|don't|without|none|cuts off)[^#%]{0,30}$");
    if (std::regex_search(text, weak)) return true;
    const bool more = std::regex_search(text, or_more), less = std::regex_search(text, or_less);
    // "Sentences of # words or more are too long" does not allow #, "# words or more" does.
    if (more != less) return more == lower;
    std::smatch found;
    if (!std::regex_search(text, found, strict)) return std::nullopt;
    const std::string before = found.prefix().str();
    return std::regex_search(before.substr(before.size() - std::min<size_t>(before.size(), 40)), negated);
}

// "At most N" holds {N-1}, "fewer than N" {N}: the call is strict. Read off the words around each number.
TEST(Wordings, ShiftABoundWhereItsWordsAllowTheNumber) {
    static const std::regex slot("\\{([NM])([+-]1)?(:\\w+)?\\}"), any_slot("\\{[^}]*\\}");
    size_t slots = 0, told = 0;
    for (const Shape shape : all_shapes())
        for (const std::string& text : has_count(shape) ? written_texts(shape) : std::vector<std::string>())
            for (std::sregex_iterator at(text.begin(), text.end(), slot), end; at != end; ++at) {
                const std::string shift = (*at)[2].str();
                if (shape == Shape::sentences_exactly || shape == Shape::frequency_exactly) {
                    EXPECT_EQ(shift, "") << text;
                    continue;
                }
                const bool lower = is_lower_bound(shape, (*at)[1].str()[0]);
                EXPECT_NE(shift, lower ? "-1" : "+1") << text;
                const auto mask = [](const std::string& part) {
                    return std::regex_replace(std::regex_replace(part, std::regex("\\{A\\}"), "it"), any_slot, "%");
                };
                const std::string masked = mask(at->prefix().str()) + "#" + mask(at->suffix().str());
                ++slots;
                if (const auto allowed_number = includes_number(lowercase(masked), lower)) {
                    ++told;
                    EXPECT_EQ(*allowed_number, !shift.empty()) << shape_name(shape) << ": " << text;
                }
            }
    EXPECT_GE(static_cast<double>(told), 0.9 * static_cast<double>(slots)) << "the words of the others say it in other ways";
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
        {[](Json& d) { d["shapes"]["keep_one"][0][1] = "sing"; }, {"shapes.keep_one[0]", "sing", "fact or item"}},
        {[](Json& d) {
             for (Json& row : d["shapes"]["keep_one"])
                 if (row[1] == "say") row[1] = "fact";
         },
         {"shapes.keep_one", "form say"}},
        {[](Json& d) { d["chances"]["talk"] = 1.5; }, {"chances.talk", "a probability", "1.5"}},
        {[](Json& d) { d["chances"]["talks"] = 0.5; }, {"talks", "talk"}},
        {[](Json& d) { d["chances"].erase("talk"); }, {"chances", "talk"}},
        {[](Json& d) { d["talk"][0][1] = "Page {9-3}"; }, {"talk[0]", "{9-3}", "{3-40}"}},
        {[](Json& d) { d["repeats"][0][1] = "{one}; {one}"; }, {"repeats[0]", "{one}, {two}"}},
        {[](Json& d) { d["changes"][0][1] = "{old}, {newer}"; }, {"changes[0]", "{newer}", "{new_value}"}},
        {[](Json& d) { d["places"]["begins"][0][1] = "the one"; }, {"places: begins[0]", "{Q}"}},
        {[](Json& d) { d["places"].erase("last"); }, {"places", "last"}},
        {[](Json& d) { d["topics"]["word_count"][0][1] = "{N} words"; }, {"topics.word_count[0]", "{N}"}},
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
