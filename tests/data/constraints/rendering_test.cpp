// Rendered instructions: what they say reads back to the constraints that they were made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "core/rng.h"
#include "data/constraints/filler.h"
#include "data/constraints/sentence_places.h"
#include "tests/data/constraints/keeps_values.h"
#include "tests/data/constraints/read_instruction.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

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

// No talk, no list, nothing said twice or again: wordings and how they are joined.
const Wordings& plain() {
    static const Wordings wordings = shipped_with({{"words", 0.4}, {"large_words", 0.5}});
    return wordings;
}

const std::vector<std::string> kFerry = {"The ferry leaves at noon.",
                                         "Does it carry bicycles?",
                                         "It does, and dogs, and once it carried a piano that nobody had paid for.",
                                         "The captain hums.",
                                         "At the far shore a bus is waiting.",
                                         "Nobody has ever missed it on purpose."};

// Its phrases stand in it one after the other.
Rendering render(const std::vector<Constraint>& constraints, const Wordings& wordings, Split split, uint64_t seed,
                 const std::vector<std::string>& sentences = {}) {
    Rng rng(seed, "render");
    Rendering rendering = render_instruction(constraints, sentences, wordings, split, rng);
    EXPECT_EQ(rendering.phrases.size(), constraints.size());
    size_t at = 0;
    for (const std::string& phrase : rendering.phrases) {
        EXPECT_FALSE(phrase.empty()) << rendering.instruction;
        at = rendering.instruction.find(phrase, at);
        EXPECT_NE(at, std::string::npos) << phrase << " in " << rendering.instruction;
        at += phrase.size();
    }
    return rendering;
}

std::string rendered(const std::vector<Constraint>& constraints, Split split, uint64_t seed) {
    return render(constraints, plain(), split, seed).instruction;
}

bool starts_with_opener(const std::string& text, Split split) {
    const auto openers = allowed(shipped().of(Part::openers), split);
    return std::any_of(openers.begin(), openers.end(), [&](const Wording* opener) {
        return std::any_of(opener->texts.begin(), opener->texts.end(),
                           [&](const std::string& said) { return text.starts_with(said); });
    });
}

// A constraint's phrase goes from the start of its sentence, or from where it is joined to another, to its end: what is left
// of the instruction is the request and the joints.
TEST(Rendering, PhrasesLeaveNothingButTheRequestAndTheJoints) {
    const std::regex joint(R"(\.? (Do so )?|, (and )?| and (that )?)");
    for (uint64_t seed = 0; seed < 500; ++seed) {
        Rng rng(seed, "constraints");
        std::vector<Constraint> constraints;
        for (int i = 0; i < 4; ++i) constraints.push_back(some_constraint(rng.pick(all_shapes()), rng));
        const Rendering rendering = render(constraints, plain(), Split::all, seed);
        const std::string& text = rendering.instruction;
        size_t end = text.find(rendering.phrases.front());
        EXPECT_TRUE(starts_with_opener(text.substr(0, end), Split::all)) << text;
        for (size_t i = 1; i < rendering.phrases.size(); ++i) {
            end += rendering.phrases[i - 1].size();
            const size_t begin = text.find(rendering.phrases[i], end);
            ASSERT_NE(begin, std::string::npos) << text;
            EXPECT_TRUE(std::regex_match(text.substr(end, begin - end), joint)) << rendering.phrases[i] << " in " << text;
            end = begin;
        }
        const std::string rest = text.substr(end + rendering.phrases.back().size());
        EXPECT_TRUE(rest == ":" || rest == "." || rest.empty()) << text;
    }
}

// What stands in each slot of a filled text, in order: the parts between are those of the wording.
std::vector<std::pair<std::string, std::string>> filled_slots(const std::string& wording, const std::string& filled) {
    std::vector<std::pair<std::string, std::string>> slots;
    size_t at = 0, in_filled = 0;
    for (size_t open = wording.find('{'); open != std::string::npos; open = wording.find('{', at)) {
        EXPECT_EQ(filled.substr(in_filled, open - at), wording.substr(at, open - at)) << filled;
        in_filled += open - at;
        at = wording.find('}', open) + 1;
        const std::string rest = wording.substr(at, wording.find('{', at) - at);
        const size_t end = rest.empty() ? filled.size() : filled.find(rest, in_filled);
        EXPECT_NE(end, std::string::npos) << filled << " of " << wording;
        if (end == std::string::npos) return slots;
        slots.emplace_back(wording.substr(open + 1, at - open - 2), filled.substr(in_filled, end - in_filled));
        in_filled = end;
    }
    EXPECT_EQ(filled.substr(in_filled), wording.substr(at)) << filled;
    return slots;
}

// "at most {N-1:times}" with N = 7 says "6 times" or "six times", and so on for each slot of each wording.
TEST(Rendering, EverySlotSaysItsValue) {
    for (const Shape shape : all_shapes())
        for (const Wording& wording : shipped().of(shape))
            for (const std::string& text : wording.texts) {
                Rng rng(stable_hash(text), "values");
                Constraint c = some_constraint(shape, rng);
                if (has_count(shape)) c.n = rng.between(30, 98);  // no "one", "twice" and "and"
                if (shape == Shape::words_range) c.m = c.n - rng.between(5, 20);
                const Filled filled = Filler(plain(), kFerry, Split::all, rng).fill(text, c, {c});
                for (const auto& [slot, value] : filled_slots(text, filled.text)) {
                    if (slot == "A") {
                        EXPECT_TRUE(value == "\"" + c.keyword + "\"" || value == "'" + c.keyword + "'") << filled.text;
                    } else if (slot == "I" || slot == "ids" || slot == "S") {
                        EXPECT_EQ(read_ids(value), std::set<int64_t>(c.ids.begin(), c.ids.end())) << filled.text;
                    } else {
                        const int64_t shift = slot.find("+1") != std::string::npos   ? 1
                                              : slot.find("-1") != std::string::npos ? -1
                                                                                     : 0;
                        const bool times = slot.ends_with(":times");
                        EXPECT_EQ(value.ends_with(" times"), times) << filled.text;
                        const std::string number = times ? value.substr(0, value.size() - 6) : value;
                        EXPECT_EQ(parse_number(number), (slot[0] == 'M' ? c.m : c.n) + shift) << filled.text;
                        EXPECT_TRUE(!slot.ends_with(":words") || value.find_first_of("0123456789") == std::string::npos);
                    }
                }
            }
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

TEST(Rendering, WritesNumbersInWordsAsOftenAsTheFileSays) {
    int words = 0, large = 0;
    Rng rng(1, "numbers");
    Filler filler(plain(), kFerry, Split::all, rng);
    for (int i = 0; i < 1000; ++i) {
        words += filler.fill("{N}", {Shape::words_more, {}, 42, 0, ""}, {}).text == "forty-two";
        large += filler.fill("{N}", {Shape::words_more, {}, 350, 0, ""}, {}).text == "three hundred and fifty";
    }
    // .4, and .4 * .5; five standard deviations of sqrt(1000 * .4 * .6) = 15.5 and sqrt(1000 * .2 * .8) = 12.6.
    EXPECT_NEAR(words, 400, 78);
    EXPECT_NEAR(large, 200, 63);
}

TEST(Rendering, JoinsSeveralConstraintsWithoutLosingOne) {
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, "sets");
        std::vector<Shape> shapes = all_shapes();
        rng.shuffle(shapes);
        std::vector<Constraint> constraints;
        for (size_t i = 0; i < seed % 5; ++i) constraints.push_back(some_constraint(shapes[i], rng));
        const Split split = seed % 2 == 0 ? Split::train : Split::dev;
        const std::string text = rendered(constraints, split, seed);
        EXPECT_TRUE(keeps_values(text, text, constraints)) << text;
        EXPECT_NE(std::string(":.?!").find(text.back()), std::string::npos) << text;
        EXPECT_THAT(text, Not(HasSubstr("{")));
        EXPECT_THAT(text, Not(HasSubstr("..")));
        EXPECT_THAT(text, Not(HasSubstr("  ")));
        for (size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1)) {
            const std::string last = lowercase(text.substr(at - 3, 3));
            const bool abbreviation = last == "min" || last == "max";
            EXPECT_TRUE(abbreviation || std::islower(static_cast<unsigned char>(text[at + 2])) == 0) << text;
        }
        EXPECT_TRUE(starts_with_opener(text, split)) << text;
        EXPECT_EQ(text, rendered(constraints, split, seed));
    }
}

// ---- lists, talk, places, changes ----

std::vector<Constraint> two_constraints() {
    return {{Shape::words_less, {}, 50, 0, ""}, {Shape::keep_one, {3}, 0, 0, ""}};
}

TEST(Rendering, AListHasAnItemForEachConstraint) {
    const Wordings wordings = shipped_with({{"list", 1}});
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Rendering list = render(two_constraints(), wordings, Split::all, seed, kFerry);
        EXPECT_EQ(std::count(list.instruction.begin(), list.instruction.end(), '\n'), 2) << list.instruction;
        EXPECT_TRUE(list.instruction.ends_with(list.phrases[1])) << list.instruction;
        for (size_t i = 0; i < 2; ++i) {
            const std::string number = std::to_string(i + 1);
            const std::regex item("\n(-|\\*|•|–|\\+|>|" + number + "[.:]|\\[" + number + "\\]) $");
            const std::string before = list.instruction.substr(0, list.instruction.find(list.phrases[i]));
            EXPECT_TRUE(std::regex_search(before, item)) << list.instruction;
        }
        const Rendering one = render({two_constraints()[0]}, wordings, Split::all, seed, kFerry);
        EXPECT_EQ(one.instruction.find('\n'), std::string::npos) << "of one constraint: " << one.instruction;
    }
}

TEST(Rendering, TalkStandsBetweenConstraintsAndDrawsItsNumbers) {
    Json document = read_json_file(kWordingsFile);
    for (auto& [name, chance] : document["chances"].items()) chance = name == "talk" ? 1.0 : 0.0;
    document["talk"] = Json::parse(R"([["train", "It is {3-5} o'clock"], ["dev", "It is {6-7} o'clock"]])");
    const TemporaryFolder folder;
    const Wordings wordings = Wordings::load(folder.file("wordings.json", document.dump()));
    std::set<std::string> drawn;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const std::string text = render(two_constraints(), wordings, Split::train, seed, kFerry).instruction;
        static const std::regex talk(R"(It is (\d) o'clock\.)");
        const std::sregex_iterator begin(text.begin(), text.end(), talk), end;
        EXPECT_EQ(std::distance(begin, end), 3) << text;  // before, between and after the two
        EXPECT_TRUE(text.ends_with("o'clock.")) << text;
        for (auto it = begin; it != end; ++it) drawn.insert((*it)[1].str());
    }
    EXPECT_THAT(drawn, testing::ElementsAre("3", "4", "5"));
}

TEST(Rendering, AnInstructionMayEndWithAFewWords) {
    const Wordings wordings = shipped_with({{"closers", 1}});
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const std::string text = render(two_constraints(), wordings, Split::train, seed).instruction;
        const auto closers = allowed(wordings.of(Part::closers), Split::train);
        EXPECT_TRUE(std::any_of(closers.begin(), closers.end(), [&](const Wording* closer) {
            return text.ends_with(" " + closer->texts.front());
        })) << text;
    }
}

TEST(Rendering, ASentenceIsNamedByWhatIsTrueOfItAlone) {
    using Names = std::set<std::pair<Place, std::string>>;
    const auto names = [](int64_t id) {
        Names found;
        for (const SentenceName& name : names_of(id, kFerry))
            found.emplace(name.place, name.quote.empty() && name.number > 0 ? std::to_string(name.number) : name.quote);
        return found;
    };
    EXPECT_EQ(names(1), (Names{{Place::first, ""},
                               {Place::begins, "The ferry"},
                               {Place::ends, "at noon"},
                               {Place::says, "leaves"},
                               {Place::before, "2"}}));
    EXPECT_EQ(names(2), (Names{{Place::begins, "Does it"},
                               {Place::ends, "carry bicycles"},
                               {Place::says, "bicycles"},
                               {Place::question, ""},
                               {Place::after, "1"},
                               {Place::before, "3"}}));
    // "It does" loses its comma, "carried" is the longest word that no other sentence has.
    EXPECT_EQ(names(3), (Names{{Place::longest, ""},
                               {Place::begins, "It does"},
                               {Place::ends, "paid for"},
                               {Place::says, "carried"},
                               {Place::after, "2"},
                               {Place::before, "4"}}));
    // Three words are one less than four: nobody would call it the shortest. It has no room for a quote at its end.
    EXPECT_EQ(names(4), (Names{{Place::begins, "The captain"},
                               {Place::ends, "captain hums"},
                               {Place::says, "captain"},
                               {Place::after, "3"},
                               {Place::before, "5"}}));
    EXPECT_TRUE(names(6).contains({Place::last, ""}));
    EXPECT_TRUE(names(5).contains({Place::next_to_last, ""}));
    EXPECT_TRUE(names_of(7, kFerry).empty());
    EXPECT_TRUE(names_of(1, {"One.", "Two."}).empty());
    const std::vector<std::string> odd = {"Up it goes.", "Down it comes.", "Up it stays."};
    const auto names_of_second = names_of(2, odd);
    EXPECT_TRUE(std::any_of(names_of_second.begin(), names_of_second.end(),
                            [](const SentenceName& name) { return name.place == Place::middle; }));
    for (const SentenceName& name : names_of(1, odd)) EXPECT_NE(name.quote, "Up it") << "the third begins so, too";
    const auto few = [](const std::vector<int64_t>& ids) {
        std::vector<Place> places;
        for (const SentenceName& name : names_of(ids, kFerry)) places.push_back(name.place);
        return places;
    };
    EXPECT_THAT(few({1, 2}), testing::ElementsAre(Place::first_few));
    EXPECT_THAT(few({4, 5, 6}), testing::ElementsAre(Place::last_few));
    EXPECT_THAT(few({2, 3}), testing::IsEmpty());
    EXPECT_THAT(few({1, 3}), testing::IsEmpty());
}

TEST(Rendering, PlacesTakeTheSlotsOfNumbers) {
    const Wordings wordings = shipped_with({{"places", 1}});
    std::set<std::string> one, two;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Rng rng(seed, "places");
        Filler filler(wordings, kFerry, Split::train, rng);
        one.insert(filler.fill("the {I} sentence", {Shape::keep_one, {6}, 0, 0, ""}, {}).text);
        two.insert(filler.fill("the {I} sentences", {Shape::keep_two, {1, 2}, 0, 0, ""}, {}).text);
        const Constraint captain{Shape::keyword_keep, {}, 0, 0, "captain"}, fourth{Shape::keep_one, {4}, 0, 0, ""};
        const std::string text = filler.fill("{S}", fourth, {captain, fourth}).text;
        EXPECT_EQ(text.find("captain"), std::string::npos) << "a keyword of the instruction names no sentence: " << text;
    }
    EXPECT_THAT(one, testing::UnorderedElementsAre("the last sentence", "the final sentence", "the closing sentence",
                                                   "the concluding sentence"));
    EXPECT_THAT(two, testing::UnorderedElementsAre("the first two sentences", "the opening two sentences"));
}

// Another value comes first, and the phrase is what has the last word.
TEST(Rendering, TheLastWordHolds) {
    const Wordings wordings = shipped_with({{"changes", 1}});
    int changed = 0;
    for (uint64_t seed = 0; seed < 500; ++seed) {
        const Constraint gold{Shape::sentences_exactly, {}, 37, 0, ""};
        const Rendering rendering = render({gold}, wordings, Split::train, seed, kFerry);
        std::vector<int64_t> numbers;
        static const std::regex number(R"(\d+)");
        const std::string text = in_digits(rendering.instruction);
        for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
            numbers.push_back(std::stoll(it->str()));
        const auto other = std::find_if(numbers.begin(), numbers.end(), [](int64_t n) { return n > 1 && n != 37; });
        if (other == numbers.end()) continue;  // the frame needs a value that this wording does not have
        ++changed;
        EXPECT_THAT(in_digits(rendering.phrases[0]), HasSubstr("37")) << rendering.instruction;
        const bool says_instead = rendering.instruction.find("instead of") != std::string::npos ||
                                  rendering.instruction.find("and not") != std::string::npos;
        EXPECT_TRUE(says_instead || numbers.back() == 37) << rendering.instruction;
    }
    EXPECT_GE(changed, 400);
}

TEST(Rendering, ALimitThatIsTakenBackIsNotOneOfTheConstraints) {
    const Wordings wordings = shipped_with({{"withdrawals", 1}});
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Rendering rendering = render({}, wordings, Split::train, seed, kFerry);
        EXPECT_TRUE(rendering.phrases.empty());
        for (const Wording* opener : allowed(wordings.of(Part::openers), Split::train))
            for (const std::string& said : opener->texts)
                EXPECT_TRUE(rendering.instruction != said && rendering.instruction != said + ":") << "nothing taken back";
    }
}

TEST(Rendering, ALimitMayBeSaidTwice) {
    const Wordings wordings = shipped_with({{"repeats", 1}});
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Rendering rendering = render({{Shape::words_more, {}, 40, 0, ""}}, wordings, Split::train, seed);
        std::vector<std::string> numbers;
        static const std::regex number(R"(\d+)");
        const std::string phrase = in_digits(std::regex_replace(rendering.phrases[0], std::regex("Once more"), "Again"));
        for (std::sregex_iterator it(phrase.begin(), phrase.end(), number), end; it != end; ++it) {
            EXPECT_TRUE(it->str() == "40" || it->str() == "41") << rendering.instruction;  // more than 40: at least 41
            numbers.push_back(it->str());
        }
        EXPECT_GE(numbers.size(), 1u) << rendering.instruction;
    }
}

}  // namespace
}  // namespace craft
