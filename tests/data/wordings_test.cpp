// The shipped wordings: enough of them, none shared by the splits, and each says what the gold calls say.
#include "data/wordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "core/json.h"
#include "tests/core/temporary_folder.h"
#include "text/numbers.h"
#include "text/utf8.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::filesystem::path kFile = std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "wordings" / "constraints.json";

const Wordings& shipped() {
    static const Wordings wordings = Wordings::load(kFile);
    return wordings;
}

std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (int i = 0; i < kShapes; ++i) shapes.push_back(static_cast<Shape>(i));
    return shapes;
}

size_t ids_of(Shape shape) {
    return sub_type(shape) <= SubType::modify_sentence ? static_cast<size_t>(shape) % 3 + 1 : 0;
}
bool has_keyword(Shape shape) {
    return sub_type(shape) >= SubType::keyword_keep;
}
bool has_count(Shape shape) {
    return ids_of(shape) == 0 && sub_type(shape) != SubType::keyword_keep && sub_type(shape) != SubType::keyword_remove;
}

Constraint some_constraint(Shape shape, Rng& rng) {
    Constraint c;
    c.shape = shape;
    int64_t id = 0;
    for (size_t i = 0; i < ids_of(shape); ++i) c.ids.push_back(id += rng.between(1, 9));
    if (has_count(shape)) c.n = rng.between(2, 140);
    if (shape == Shape::words_range) c.m = c.n - rng.between(2, 30);
    if (c.m < 0) c.m = 0;
    if (shape == Shape::words_range && c.n < c.m + 2) c.n = c.m + 2;
    if (has_keyword(shape)) c.keyword = rng.pick(std::vector<std::string>{"river", "Oslo", "well-known", "o'clock"});
    return c;
}

// Its phrases stand in it one behind the other.
std::string rendered(const std::vector<Constraint>& constraints, Split split, uint64_t seed) {
    Rng rng(seed, "render");
    const Rendering rendering = render_instruction(constraints, shipped(), split, rng);
    EXPECT_EQ(rendering.phrases.size(), constraints.size());
    size_t at = 0;
    for (const std::string& phrase : rendering.phrases) {
        at = rendering.instruction.find(phrase, at);
        EXPECT_NE(at, std::string::npos) << phrase << " in " << rendering.instruction;
        at += phrase.size();
    }
    return rendering.instruction;
}

std::set<std::string> texts_of(const std::vector<Wording>& all, Split split) {
    std::set<std::string> out;
    for (const Wording* wording : allowed(all, split))
        for (const std::string& text : wording->texts) out.insert(lowercase(text));
    return out;
}

// ---- reading an instruction back, as a person would ----

// Numbers as digits: "fewer than forty-two" -> "fewer than 42", "twice" -> "2 times".
std::string in_digits(const std::string& text) {
    static const std::regex number = [] {
        std::string words;
        for (int64_t value = 140; value >= 0; --value) words += (words.empty() ? "" : "|") + number_words(value);
        return std::regex("\\b(" + words + ")\\b(?!-)");
    }();
    std::string out = std::regex_replace(std::regex_replace(lowercase(text), std::regex("\\bonce\\b"), "1 times"),
                                         std::regex("\\btwice\\b"), "2 times");
    for (std::smatch found; std::regex_search(out, found, number);)
        out = found.prefix().str() + std::to_string(*parse_number(found.str())) + found.suffix().str();
    return out;
}

struct Reading {
    std::optional<int64_t> more_than, less_than, exactly;
};

// Takes the number that follows `phrase` out of the text.
std::optional<int64_t> take(std::string& text, const std::string& phrase) {
    static std::map<std::string, std::regex> compiled;
    std::smatch found;
    if (!std::regex_search(text, found, compiled.try_emplace(phrase, phrase).first->second)) return std::nullopt;
    const int64_t value = std::stoll(found[1].str());
    text = found.prefix().str() + " # " + found.suffix().str();
    return value;
}

// Weak bounds first: "no fewer than" holds "fewer than", and "do not exceed" holds "exceed".
Reading read_counts(const std::string& instruction) {
    std::string text = in_digits(instruction);
    Reading reading;
    if (const auto least = take(text, "between (\\d+)")) {
        reading.more_than = *least - 1;
        reading.less_than = *take(text, "and (\\d+)[^#]*both included") + 1;
    }
    if (const auto n = take(text, "(\\d+)( times)?, no more and no (?:less|fewer)")) {
        reading.exactly = n;
        return reading;
    }
    for (const char* phrase :
         {"(?:at least|no fewer than|a minimum of) (\\d+)", "(\\d+) times or more",
          "no sentence (?:may|should) have (?:fewer|less) than (\\d+)", "no sentence is shorter than (\\d+)"})
        if (const auto n = take(text, phrase)) reading.more_than = *n - 1;
    for (const char* phrase :
         {"(?:at most|no more than|a maximum of|up to) (\\d+)", "do not (?:exceed|go over|use more than) (\\d+)",
          "do not (?:use|mention|write) the (?:word|term) \\S+ more than (\\d+)",
          "no sentence (?:may|should) have (?:more than|over) (\\d+)", "no sentence is longer than (\\d+)"})
        if (const auto n = take(text, phrase)) reading.less_than = *n + 1;
    if (const auto n =
            take(text, "(?:more than|over|upwards of|above|beyond|exceeds|exceeding|(?:longer|higher) than) (\\d+)"))
        reading.more_than = n;
    if (const auto n = take(text, "(?:less than|fewer than|under|below|(?:shorter|lower) than) (\\d+)"))
        reading.less_than = n;
    if (const auto n = take(text, "(\\d+)")) reading.exactly = n;
    return reading;
}

Reading meant_by(const Constraint& c) {
    switch (c.shape) {
        case Shape::words_range:
            return {c.m, c.n, {}};
        case Shape::words_more:
        case Shape::sentences_more:
        case Shape::length_more:
        case Shape::frequency_at_least:
            return {c.n, {}, {}};
        case Shape::sentences_exactly:
        case Shape::frequency_exactly:
            return {{}, {}, c.n};
        default:
            return {{}, c.n, {}};
    }
}

std::set<int64_t> read_ids(const std::string& instruction) {
    std::set<int64_t> ids;
    std::string text = lowercase(instruction);
    for (int64_t value = 99; value > 0; --value)
        for (const std::string& form : {ordinal_words(value), ordinal_digits(value), std::to_string(value)})
            for (size_t at = text.find(form); at != std::string::npos; at = text.find(form)) {
                ids.insert(value);
                text.replace(at, form.size(), "#");
            }
    return ids;
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

TEST(Wordings, SplitsShareNone) {
    std::vector<const std::vector<Wording>*> lists = {&shipped().openers(), &shipped().ensure()};
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

// As rendered: numbers in words too, joined to an opener.
TEST(Rendering, CountsReadBackToTheGoldCalls) {
    for (const Shape shape : all_shapes()) {
        if (!has_count(shape)) continue;
        for (const Split split : {Split::train, Split::dev})
            for (uint64_t seed = 0; seed < 150; ++seed) {
                Rng rng(seed, "constraints", static_cast<uint64_t>(shape));
                const Constraint c = some_constraint(shape, rng);
                const std::string text = rendered({c}, split, seed);
                const Reading read = read_counts(text), meant = meant_by(c);
                ASSERT_EQ(read.more_than, meant.more_than) << text;
                ASSERT_EQ(read.less_than, meant.less_than) << text;
                ASSERT_EQ(read.exactly, meant.exactly) << text;
            }
    }
}

TEST(Rendering, NamesEveryIdAndQuotesEveryKeyword) {
    for (const Shape shape : all_shapes())
        for (uint64_t seed = 0; seed < 200; ++seed) {
            Rng rng(seed, "constraints", static_cast<uint64_t>(shape));
            const Constraint c = some_constraint(shape, rng);
            const std::string text = rendered({c}, Split::all, seed);
            if (ids_of(shape) > 0) {
                std::string plain = std::regex_replace(text, std::regex("no sentence but|the only ones? to"), "");
                plain = std::regex_replace(plain, std::regex("the (\\S+(?: \\S+)*) ones? "), "the $1 ");
                EXPECT_EQ(read_ids(plain), std::set<int64_t>(c.ids.begin(), c.ids.end())) << text;
            }
            if (has_keyword(shape)) {
                const bool quoted = text.find("\"" + c.keyword + "\"") != std::string::npos ||
                                    (c.keyword != "o'clock" && text.find("'" + c.keyword + "'") != std::string::npos);
                EXPECT_TRUE(quoted) << text;
            }
        }
}

TEST(Rendering, ShiftedFormsSayTheSameBound) {
    const Constraint less{Shape::sentences_less, {}, 6, 0, ""}, more{Shape::sentences_more, {}, 6, 0, ""};
    const Constraint twice{Shape::frequency_at_least, {}, 1, 0, "river"};
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 400; ++seed) {
        for (const auto& [constraint, phrase] : {std::pair{less, "at most "},
                                                 {less, "fewer than "},
                                                 {more, "at least "},
                                                 {more, "more than "},
                                                 {twice, "at least "}}) {
            const std::string text = rendered({constraint}, Split::all, seed);
            const size_t at = text.find(phrase);
            if (at != std::string::npos)
                seen.insert(shape_name(constraint.shape) + ": " +
                            text.substr(at, text.find_first_of(" .:,", at + std::string(phrase).size()) - at));
        }
    }
    EXPECT_THAT(seen, testing::UnorderedElementsAre("sentences_less: at most 5", "sentences_less: at most five",
                                                    "sentences_less: fewer than 6", "sentences_less: fewer than six",
                                                    "sentences_more: at least 7", "sentences_more: at least seven",
                                                    "sentences_more: more than 6", "sentences_more: more than six",
                                                    "frequency_at_least: at least 2", "frequency_at_least: at least twice"));
}

TEST(Rendering, OneSentenceIsNotPlural) {
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        const std::string text = rendered({{Shape::sentences_less, {}, 2, 0, ""}}, Split::all, seed);
        EXPECT_FALSE(std::regex_search(text, std::regex(R"(\b(1|one) sentences)"))) << text;
        std::smatch found;
        if (std::regex_search(text, found, std::regex(R"(\b(1|one|2|two) sentences?\b)"))) seen.insert(found.str());
    }
    EXPECT_THAT(seen, testing::ElementsAre("1 sentence", "2 sentences", "one sentence", "two sentences"));
}

TEST(Rendering, WritesNumbersInWordsNowAndThenButNotLargeOnes) {
    int words = 0, large = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        words +=
            rendered({{Shape::sentences_exactly, {}, 42, 0, ""}}, Split::all, seed).find("forty-two") != std::string::npos;
        large += rendered({{Shape::words_more, {}, 320, 0, ""}}, Split::all, seed).find("hundred") != std::string::npos;
    }
    EXPECT_NEAR(words, 400, 80);  // two in five; five standard deviations of sqrt(1000 * 0.4 * 0.6) = 15.5
    EXPECT_EQ(large, 0);
}

TEST(Rendering, JoinsSeveralConstraintsWithoutLosingOne) {
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, "sets");
        std::vector<Shape> shapes = all_shapes();
        rng.shuffle(shapes);
        std::vector<Constraint> constraints;
        for (size_t i = 0; i < seed % 5; ++i) constraints.push_back(some_constraint(shapes[i], rng));
        const std::string text = rendered(constraints, seed % 2 == 0 ? Split::train : Split::dev, seed);
        EXPECT_TRUE(keeps_values(text, text, constraints)) << text;
        EXPECT_EQ(text.back(), ':');
        EXPECT_THAT(text, Not(HasSubstr("{")));
        EXPECT_THAT(text, Not(HasSubstr("..")));
        EXPECT_THAT(text, Not(HasSubstr("  ")));
        for (size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1))
            EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[at + 2])) != 0) << text;
        const bool dev_opener =
            std::any_of(shipped().openers().begin(), shipped().openers().end(), [&](const Wording& opener) {
                return opener.dev == (seed % 2 == 1) &&
                       std::any_of(opener.texts.begin(), opener.texts.end(),
                                   [&](const std::string& said) { return text.starts_with(said); });
            });
        EXPECT_TRUE(dev_opener) << text;
        EXPECT_EQ(text, rendered(constraints, seed % 2 == 0 ? Split::train : Split::dev, seed));
    }
}

// ---- files ----

class WordingFile : public testing::Test {
protected:
    std::string problem(const std::function<void(Json&)>& change) {
        Json document = read_json_file(kFile);
        change(document);
        const std::string path = folder_.file("wordings.json", document.dump());
        return message_of([&] { Wordings::load(path); });
    }
    TemporaryFolder folder_;
};

TEST_F(WordingFile, SpellsAlternativesOutAndLeavesToDevWhatItSays) {
    Json document = read_json_file(kFile);
    document["ensure"] = Json::parse(
        R"j([["train", "(Ensure|Please see|See) (to it |)that"], ["dev", "See that"], ["dev", "Please see that"]])j");
    const Wordings wordings = Wordings::load(folder_.file("wordings.json", document.dump()));
    EXPECT_THAT(texts_of(wordings.ensure(), Split::train),
                testing::ElementsAre("ensure that", "ensure to it that", "please see to it that", "see to it that"));
    EXPECT_THAT(texts_of(wordings.ensure(), Split::dev), testing::ElementsAre("please see that", "see that"));
}

TEST_F(WordingFile, IsExplainedInOneLineWithItsPlace) {
    const std::vector<std::pair<std::function<void(Json&)>, std::vector<std::string>>> cases = {
        {[](Json& d) { d["shapes"]["keep_one"][3][2] = "Keep {Q}"; }, {"shapes.keep_one[3]", "{Q}", "{ids}"}},
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
    const std::string text = read_file(kFile);
    EXPECT_EQ(Wordings::load(folder_.file("same.json", text)).version(), shipped().version());
    EXPECT_NE(Wordings::load(folder_.file("other.json", text + "\n")).version(), shipped().version());
}

}  // namespace
}  // namespace craft
